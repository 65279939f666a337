/** What a pod's worker asks of its kubelet and tells it. */
import type { ConfigMap, Pod, Secret } from '../api/core/v1/types.gen.ts';
import type { Cause } from '../base/causes.ts';
import { type DiskFault, volumeDisk } from '../base/fault-points.ts';
import type { RandomStream } from '../base/random.ts';
import type { EventOptions } from '../client/event-recorder.ts';
import type { Informer } from '../client/informer.ts';
import type { PodTokens } from '../contracts/tokens.ts';
import { diskDriver } from '../component-helpers/storage.ts';
import { type CrashBackoff, type NodesContext, usualVolumeRules, type VolumeRules } from './context.ts';
import type { KubeletEnvironment } from './kubelet/environment.ts';
import type { ServedService } from './kubelet/service-env.ts';
import { said } from './kubelet/speech.ts';
import type { ContainerRun, PodWorker } from './kubelet/worker.ts';
import { isHeard, type Machine } from './machine.ts';
import { clockAt } from './machine-clock.ts';
import { backoffBaseMs, backoffMaxMs } from './physics.ts';
import type { ServiceVersions } from './service-versions.ts';
import type { ClaimVolume } from './volume-caches.ts';
import { appendLog, type LogLine } from './runtime/log-buffer.ts';

const usualBackoff: CrashBackoff = { baseMs: backoffBaseMs, maxMs: backoffMaxMs };

/** One for all kubelets: it is told whose turn it is. */
export class PodEnvironment implements KubeletEnvironment {
  readonly #context: NodesContext;
  readonly #configMaps: Informer<ConfigMap>;
  readonly #secrets: Informer<Secret>;
  readonly #services: ServiceVersions;
  readonly #onLine: (worker: PodWorker, run: ContainerRun, line: LogLine) => void;
  readonly write: KubeletEnvironment['write'];
  readonly prepareDevices: KubeletEnvironment['prepareDevices'];
  nowMs = 0;
  machine!: Machine;
  random!: RandomStream;

  constructor(
    context: NodesContext,
    maps: Informer<ConfigMap>,
    hidden: Informer<Secret>,
    services: ServiceVersions,
    onLine: (worker: PodWorker, run: ContainerRun, line: LogLine) => void,
    onWrite: KubeletEnvironment['write'],
    prepareDevices: KubeletEnvironment['prepareDevices'],
  ) {
    this.#context = context;
    this.#configMaps = maps;
    this.#secrets = hidden;
    this.#services = services;
    this.#onLine = onLine;
    this.write = onWrite;
    this.prepareDevices = prepareDevices;
  }

  get catalog(): NodesContext['catalog'] {
    return this.#context.catalog;
  }

  get relaxedVariableNames(): boolean {
    return this.#context.options?.relaxedVariableNames !== false;
  }

  get volumeRules(): VolumeRules {
    return this.#context.options?.volumes ?? usualVolumeRules;
  }

  get crashBackoff(): CrashBackoff {
    return this.#context.options?.crashBackoff ?? usualBackoff;
  }

  get waitsForBackoffs(): boolean {
    return this.#context.options?.waitsForBackoffs !== false;
  }

  get tokens(): PodTokens | undefined {
    return this.#context.tokens;
  }

  on(machine: Machine): this {
    this.nowMs = this.#context.loop.nowMs();
    this.machine = machine;
    this.random = this.#context.stream(machine);
    return this;
  }

  configMap(namespace: string, name: string): ConfigMap | undefined {
    return this.#configMaps.get(namespace, name);
  }

  secret(namespace: string, name: string): Secret | undefined {
    return this.#secrets.get(namespace, name);
  }

  services(namespace: string, ms: number): readonly ServedService[] {
    return this.#services.at(namespace, ms);
  }

  claimVolumes(pod: Pod): readonly ClaimVolume[] {
    return this.#context.volumes.ofPod(pod);
  }

  isAttached(unique: string): boolean {
    const { volumesAttached = [] } = this.#context.nodeInformer.get(undefined, this.machine.name)?.status ?? {};
    return this.machine.volumesReported.includes(unique) && volumesAttached.some(({ name }) => name === unique);
  }

  hasDriver(name: string): boolean {
    return this.#context.options?.csiDriver === true && name === diskDriver;
  }

  diskFault({ volume }: ClaimVolume): DiskFault | undefined {
    const { points } = this.#context;
    const csi = volume?.spec?.csi;
    return points.calm || csi?.driver !== diskDriver ? undefined : points.value(volumeDisk, csi.volumeHandle);
  }

  diskCauses({ volume }: ClaimVolume): readonly Cause[] {
    const csi = volume?.spec?.csi;
    return csi?.driver === diskDriver ? this.#context.points.causesFor(volumeDisk, csi.volumeHandle) : [];
  }

  event(
    worker: PodWorker,
    type: 'Normal' | 'Warning',
    reason: string,
    message: string,
    run?: ContainerRun,
    annotations?: EventOptions['annotations'],
  ): void {
    if (!isHeard(this.machine)) return;
    const place = run === undefined ? undefined : { fieldPath: this.#context.shared.texts.one(fieldPathOf(run)) };
    const options = annotations === undefined ? place : { ...place, annotations };
    const { namespace, name, uid } = worker;
    const spoken = { namespace, name, uid, ...(run && { container: run.name }) };
    const text = this.#context.shared.texts.one(said(message, this.#context.options?.speech, spoken));
    this.#context.recorderFor(worker.node).event(worker.pod, type, reason, text, worker.causes, options);
  }

  log(worker: PodWorker, run: ContainerRun, text: string, isPartial = false): void {
    // The runtime cannot write it down.
    if (this.machine.systemDisk !== null) return;
    const whole = { atMs: clockAt(this.machine, this.nowMs), text: this.#context.shared.texts.one(text) };
    const line: LogLine = isPartial ? { ...whole, isPartial } : whole;
    run.log = appendLog(run.log ?? [], line);
    this.#context.onLog?.({ ...line, node: worker.node, namespace: worker.namespace, pod: worker.name, uid: worker.uid, container: run.name });
    this.#onLine(worker, run, line);
  }
}

function fieldPathOf({ role, name }: ContainerRun): string {
  if (role === 'ephemeral') return `spec.ephemeralContainers{${name}}`;
  return role === 'main' ? `spec.containers{${name}}` : `spec.initContainers{${name}}`;
}
