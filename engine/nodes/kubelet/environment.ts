/** What the pure parts of a kubelet may know and do: time, chance, its machine, images, events and logs. */
import type { ConfigMap, Container, Pod, Secret } from '../../api/core/v1/types.gen.ts';
import type { Cause } from '../../base/causes.ts';
import type { EventOptions } from '../../client/event-recorder.ts';
import type { DiskFault } from '../../base/fault-points.ts';
import type { PodTokens } from '../../contracts/tokens.ts';
import type { RandomStream } from '../../base/random.ts';
import type { CrashBackoff, VolumeRules } from '../context.ts';
import type { Machine } from '../machine.ts';
import type { ClaimVolume } from '../volume-caches.ts';
import { relistMs } from '../physics.ts';
import type { ImageCatalog } from '../runtime/image-catalog.ts';
import { ruleFor } from './restart-rules.ts';
import type { ServedService } from './service-env.ts';
import type { ContainerRun, PodWorker } from './worker.ts';

export interface KubeletEnvironment {
  readonly nowMs: number;
  readonly random: RandomStream;
  readonly machine: Machine;
  readonly catalog: ImageCatalog;
  /** Keys of ConfigMaps and Secrets become variables whatever they are called. */
  readonly relaxedVariableNames: boolean;
  readonly volumeRules: VolumeRules;
  /** Of containers that failed. */
  readonly crashBackoff: CrashBackoff;
  /** A pod with such a container is looked at again when its time is over, else every now and then. */
  readonly waitsForBackoffs: boolean;
  /** Tokens of service accounts; absent where nobody signs. */
  readonly tokens: PodTokens | undefined;
  configMap(namespace: string, name: string): ConfigMap | undefined;
  secret(namespace: string, name: string): Secret | undefined;
  /** As they were at an instant. */
  services(namespace: string, ms: number): readonly ServedService[];
  /** Volumes of the pod that are claims'. */
  claimVolumes(pod: Pod): readonly ClaimVolume[];
  /** The node has said that it uses the volume, and the controller that it is attached. */
  isAttached(unique: string): boolean;
  /** A CSI driver of that name runs on the machine. */
  hasDriver(name: string): boolean;
  /** What is wrong with the disk of a claim's volume. */
  diskFault(volume: ClaimVolume): DiskFault | undefined;
  /** Faults in force on it, or the last that was. */
  diskCauses(volume: ClaimVolume): readonly Cause[];
  /** Looks its ResourceClaims up; the worker is synced when that is done. */
  prepareDevices(worker: PodWorker): void;
  event(
    worker: PodWorker,
    type: 'Normal' | 'Warning',
    reason: string,
    message: string,
    container?: ContainerRun,
    annotations?: EventOptions['annotations'],
  ): void;
  /** `isPartial`: without a newline at its end. */
  log(worker: PodWorker, container: ContainerRun, text: string, isPartial?: boolean): void;
  /** The same as it comes, in pieces, for who has joined the container. */
  write(worker: PodWorker, container: ContainerRun, text: string, isError: boolean): void;
}

/** The next time this machine's kubelet looks at its runtime. */
export function nextRelistMs(env: Pick<KubeletEnvironment, 'nowMs' | 'machine'>): number {
  const { relistPhaseMs } = env.machine;
  return (Math.floor((env.nowMs - relistPhaseMs) / relistMs) + 1) * relistMs + relistPhaseMs;
}

/** The runtime will say that something of the pod has begun or ended. */
export function noticed(worker: PodWorker, env: KubeletEnvironment): void {
  if (worker.lookMs === null || worker.lookMs <= env.nowMs) worker.lookMs = nextRelistMs(env);
}

/** The status has changed; it is written when the kubelet next looks, so that what changes together is written together. */
export function changed(worker: PodWorker, env: KubeletEnvironment, atMs = nextRelistMs(env)): void {
  worker.flushMs = Math.min(worker.flushMs ?? atMs, atMs);
}

export function containerSpec(pod: Pod, run: Pick<ContainerRun, 'role' | 'index'>): Container {
  if (run.role === 'ephemeral') return pod.spec?.ephemeralContainers?.[run.index] as Container;
  const list = run.role === 'main' ? pod.spec?.containers : pod.spec?.initContainers;
  return list?.[run.index] as Container;
}

/** `name_namespace(uid)`, upstream's format.Pod. */
export function podText(worker: PodWorker): string {
  return `${worker.name}_${worker.namespace}(${worker.uid})`;
}

/** Whether a container that ended with this code is started again, as long as the pod lives. Mirrors ContainerShouldRestart of pkg/api/v1/pod. */
export function shouldRestart(worker: PodWorker, run: ContainerRun, exitCode: number): boolean {
  if (run.role === 'sidecar') return true;
  if (run.role === 'ephemeral' || (run.role === 'init' && exitCode === 0 && worker.restartAllMs === null)) return false;
  const container = containerSpec(worker.pod, run);
  const { restartPolicy } = container;
  if (ruleFor(container, exitCode) !== undefined) return true;
  const policy = restartPolicy ?? worker.pod.spec?.restartPolicy ?? 'Always';
  if (run.role === 'init') return policy !== 'Never';
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}
