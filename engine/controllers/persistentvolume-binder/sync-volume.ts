/** Keeps a volume's phase, and reclaims what its claim has left (pv_controller.go: syncVolume, reclaimVolume). */
import type { PersistentVolume, PersistentVolumeClaim } from '../../api/core/v1/types.gen.ts';
import { isNotFound } from '../../apimachinery/errors.ts';
import { getOwn } from '../../base/dictionary.ts';
import { persistentVolumeClaims, persistentVolumes } from '../../client/resources.ts';
import {
  externalProvisionerFinalizer,
  hasAnnotation,
  inTreeFinalizer,
  migratedDriver,
  migratedTo,
  provisionedBy,
  volumeModesDiffer,
  withAnnotations,
} from '../../component-helpers/storage.ts';
import type { ReconcileContext } from '../../controller-runtime/controller.ts';
import { withMeta } from '../../component-helpers/meta.ts';
import { type Binder, migrationChange } from './binder.ts';
import { claimKey } from './keys.ts';
import { deletionOf } from './plugins.ts';
import type { Recycler } from './recycler.ts';

export async function syncVolume(binder: Binder, recycler: Recycler, context: ReconcileContext, found: PersistentVolume): Promise<void> {
  const volume = await migrate(binder, context, found);
  const reference = volume.spec?.claimRef;
  if (reference === undefined || !reference.uid) {
    await binder.setVolumePhase(context, volume, 'Available');
    return;
  }
  const claim = await claimOf(binder, context, volume);
  if (claim === undefined) await reclaim(binder, recycler, context, volume);
  else if (!claim.spec?.volumeName) syncUnfinished(binder, context, volume, claim);
  else if (claim.spec.volumeName === volume.metadata.name) await binder.setVolumePhase(context, volume, 'Bound');
  else if (hasAnnotation(volume, provisionedBy) && volume.spec?.persistentVolumeReclaimPolicy === 'Delete')
    // Made for the claim, which has found another meanwhile.
    await reclaim(binder, recycler, context, volume);
  else await binder.unbind(context, volume);
}

/** The claim that the volume names, if it is still the same; where the cache does not have it, the API is asked. */
async function claimOf(binder: Binder, context: ReconcileContext, volume: PersistentVolume): Promise<PersistentVolumeClaim | undefined> {
  const { namespace = '', name = '', uid } = volume.spec?.claimRef ?? {};
  const cached = binder.claims.get(namespace, name);
  if (cached?.metadata.uid === uid) return cached;
  if (cached === undefined && isReleased(volume)) return undefined;
  try {
    const live = await context.client.get(persistentVolumeClaims, namespace, name);
    return live.metadata.uid === uid ? live : undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** The claim does not name the volume yet: its own sync goes on with it. */
function syncUnfinished(binder: Binder, context: ReconcileContext, volume: PersistentVolume, claim: PersistentVolumeClaim): void {
  if (!volumeModesDiffer(claim.spec, volume.spec)) {
    binder.environment.enqueue(claimKey(claim.metadata.namespace ?? '', claim.metadata.name ?? ''), context.causes);
    return;
  }
  const why = 'due to incompatible volumeMode.';
  const [ofVolume, ofClaim] = [volume.metadata.name ?? '', claim.metadata.name ?? ''];
  binder.event(context, volume, 'Warning', 'VolumeMismatch', `Cannot bind PersistentVolume to requested PersistentVolumeClaim "${ofClaim}" ${why}`);
  binder.event(context, claim, 'Warning', 'VolumeMismatch', `Cannot bind PersistentVolume "${ofVolume}" to requested PersistentVolumeClaim ${why}`);
}

function isReleased({ status }: PersistentVolume): boolean {
  return status?.phase === 'Released' || status?.phase === 'Failed';
}

async function reclaim(binder: Binder, recycler: Recycler, context: ReconcileContext, volume: PersistentVolume): Promise<void> {
  const released = isReleased(volume) ? volume : await binder.setVolumePhase(context, volume, 'Released');
  if (hasAnnotation(released, migratedTo)) return;
  const policy = released.spec?.persistentVolumeReclaimPolicy;
  if (policy === 'Recycle') await recycler.recycle(context, released);
  else if (policy === 'Delete') await deleteVolume(binder, context, released);
  else if (policy !== 'Retain')
    await binder.failVolume(context, released, 'VolumeUnknownReclaimPolicy', 'Volume has unrecognized PersistentVolumeReclaimPolicy');
}

async function deleteVolume(binder: Binder, context: ReconcileContext, volume: PersistentVolume): Promise<void> {
  const deletion = deletionOf(volume, binder.environment.options.traits.leavesVolumesToDrivers);
  if (deletion.type === 'outside') return;
  if (deletion.type === 'failed') {
    await binder.failVolume(context, volume, 'VolumeFailedDelete', deletion.error);
    return;
  }
  const { name = '', finalizers = [] } = volume.metadata;
  try {
    if (finalizers.includes(inTreeFinalizer)) {
      const kept = finalizers.filter((finalizer) => finalizer !== inTreeFinalizer);
      await binder.updateVolume(context, { ...volume, metadata: withMeta(volume.metadata, { finalizers: kept }) });
    }
    await context.client.delete(persistentVolumes, undefined, name);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** The annotation of a driver that took over, and the finalizer of volumes that in-tree plugins made. */
async function migrate(binder: Binder, context: ReconcileContext, volume: PersistentVolume): Promise<PersistentVolume> {
  const provisioner = getOwn(volume.metadata.annotations, provisionedBy);
  if (provisioner === undefined || !binder.environment.options.traits.leavesVolumesToDrivers) return volume;
  const changes = migrationChange(volume, provisioner);
  const finalizers = finalizersOf(volume, provisioner);
  if (changes === undefined && finalizers === undefined) return volume;
  const marked = changes === undefined ? volume : withAnnotations(volume, changes);
  return binder.updateVolume(context, finalizers === undefined ? marked : { ...marked, metadata: withMeta(marked.metadata, { finalizers }) });
}

/** Undefined when they are right. */
function finalizersOf({ metadata, spec }: PersistentVolume, provisioner: string): readonly string[] | undefined {
  const { finalizers = [] } = metadata;
  if (migratedDriver(provisioner) !== undefined)
    return finalizers.includes(inTreeFinalizer) ? finalizers.filter((finalizer) => finalizer !== inTreeFinalizer) : undefined;
  if (!provisioner.startsWith('kubernetes.io/')) return undefined;
  const others = finalizers.filter((finalizer) => finalizer !== externalProvisionerFinalizer);
  const isDeleted = spec?.persistentVolumeReclaimPolicy === 'Delete';
  const isHeld = others.includes(inTreeFinalizer);
  const next = isDeleted && !isHeld ? [...others, inTreeFinalizer] : !isDeleted && isHeld ? others.filter((one) => one !== inTreeFinalizer) : others;
  return next.length === finalizers.length && next.every((finalizer, index) => finalizer === finalizers[index]) ? undefined : next;
}
