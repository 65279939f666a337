/**
 * Waits for the volumes of a pod's claims: bound, reported in use, attached, mounted. Mirrors pkg/kubelet/volumemanager
 * (WaitForAttachAndMount, populator, reconciler) and operation_generator.go (VerifyControllerAttachedVolume, MountVolume).
 */
import type { PersistentVolume } from '../../api/core/v1/types.gen.ts';
import { assert } from '../../base/assert.ts';
import { mergeCauses } from '../../base/causes.ts';
import { attachTimeoutMs, mountMaxMs, mountMinMs } from '../physics.ts';
import type { ClaimVolume } from '../volume-caches.ts';
import type { KubeletEnvironment } from './environment.ts';
import type { PodWorker } from './worker.ts';

/** `done`: all are mounted. `failed`: told, and tried again after a back-off. `waiting`: `stageMs` says until when at most. */
export type ClaimsState = 'done' | 'failed' | 'waiting';

export function mountClaims(worker: PodWorker, env: KubeletEnvironment): ClaimsState {
  const volumes = env.claimVolumes(worker.pod);
  if (volumes.length === 0) return 'done';
  const faulty = volumes.filter((volume) => faultOf(volume, worker) !== undefined);
  if (faulty.length > 0) {
    tell(worker, env, volumes, `failed to process volumes=[${namesOf(faulty)}]: ${faulty.map((volume) => faultOf(volume, worker)).join('; ')}`);
    return 'failed';
  }
  if (volumes.some(({ unique }) => unique !== undefined && !env.isAttached(unique))) return waitForAttach(worker, env, volumes);
  const stranger = volumes.find(({ volume }) => volume?.spec?.csi !== undefined && !env.hasDriver(volume.spec.csi.driver));
  if (stranger !== undefined) {
    env.event(worker, 'Warning', 'FailedMount', noDriver(stranger));
    return 'failed';
  }
  const block = env.volumeRules.mapsBlocks ? undefined : volumes.find(({ volume }) => isBlock(volume));
  if (block !== undefined) {
    const head = `MapVolume.NewBlockVolumeMapper initialization failed for volume "${block.volume?.metadata.name ?? ''}"`;
    env.event(worker, 'Warning', 'FailedMapVolume', `${head} : CSIBlockVolume feature not enabled`);
    return 'failed';
  }
  const broken = volumes.find((volume) => env.diskFault(volume) !== undefined);
  if (broken === undefined || worker.mountedMs !== null) return mount(worker, env);
  worker.causes = mergeCauses(worker.causes, env.diskCauses(broken));
  env.event(worker, 'Warning', 'FailedMount', brokenDisk(broken, worker, env));
  return 'failed';
}

function isBlock(volume: PersistentVolume | undefined): boolean {
  return volume?.spec?.csi !== undefined && volume.spec.volumeMode === 'Block';
}

/** A pod is told every two minutes that it still waits. */
function waitForAttach(worker: PodWorker, env: KubeletEnvironment, volumes: readonly ClaimVolume[]): ClaimsState {
  worker.attachSinceMs ??= env.nowMs;
  worker.mountedMs = null;
  if (env.nowMs >= worker.attachSinceMs + attachTimeoutMs) {
    tell(worker, env, volumes, 'failed to process volumes=[]: context deadline exceeded');
    worker.attachSinceMs = env.nowMs;
  }
  worker.stageMs = worker.attachSinceMs + attachTimeoutMs;
  return 'waiting';
}

function mount(worker: PodWorker, env: KubeletEnvironment): ClaimsState {
  worker.attachSinceMs = null;
  worker.mountedMs ??= env.nowMs + env.random.between(mountMinMs, mountMaxMs) * env.machine.diskSlowness;
  assert(worker.mountedMs >= 0, 'mounting ends at an instant');
  if (env.nowMs >= worker.mountedMs) return 'done';
  worker.stageMs = worker.mountedMs;
  return 'waiting';
}

function tell(worker: PodWorker, env: KubeletEnvironment, volumes: readonly ClaimVolume[], rest: string): void {
  const names = namesOf(volumes);
  env.event(worker, 'Warning', 'FailedMount', `Unable to attach or mount volumes: unmounted volumes=[${names}], unattached volumes=[], ${rest}`);
}

/** Why a claim cannot be looked up, as the populator says it. */
function faultOf({ claimName, claim, volume }: ClaimVolume, { namespace }: PodWorker): string | undefined {
  const head = `error processing PVC ${namespace}/${claimName}: `;
  if (claim === undefined) return `${head}failed to fetch PVC from API server: persistentvolumeclaims "${claimName}" not found`;
  if (claim.metadata.deletionTimestamp !== undefined) return `${head}can't start pod because PVC ${namespace}/${claimName} is being deleted`;
  if (claim.status?.phase !== 'Bound' || !claim.spec?.volumeName) return `${head}PVC is not bound`;
  return volume === undefined ? `${head}failed to fetch PV ${claim.spec.volumeName} from API server` : undefined;
}

function noDriver({ volume }: ClaimVolume): string {
  const driver = volume?.spec?.csi?.driver ?? '';
  return `MountVolume.MountDevice failed for volume "${volume?.metadata.name ?? ''}" : kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient: driver name ${driver} not found in the list of registered CSI drivers`;
}

/** In the driver's words: it does not find the device of a disk that is gone, and cannot mount one that fails. */
function brokenDisk(broken: ClaimVolume, { node }: PodWorker, env: KubeletEnvironment): string {
  const disk = broken.volume?.spec?.csi?.volumeHandle ?? '';
  const head = `MountVolume.MountDevice failed for volume "${broken.volume?.metadata.name ?? ''}" : rpc error: code =`;
  return env.diskFault(broken) === 'gone'
    ? `${head} NotFound desc = disk ${disk} not found on node ${node}`
    : `${head} Internal desc = mount of disk ${disk} failed: Input/output error`;
}

function namesOf(volumes: readonly ClaimVolume[]): string {
  return volumes.map(({ name }) => name).join(' ');
}
