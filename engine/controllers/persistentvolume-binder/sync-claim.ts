/** Brings a claim to its volume, or asks for one to be made (pv_controller.go: syncClaim, syncUnboundClaim, syncBoundClaim). */
import type { PersistentVolume, PersistentVolumeClaim } from '../../api/core/v1/types.gen.ts';
import type { StorageClass } from '../../api/storage/v1/types.gen.ts';
import { StatusError } from '../../apimachinery/status.ts';
import { goQuote } from '../../apimachinery/quote.ts';
import { quantityValue } from '../../apimachinery/quantity.ts';
import {
  betaStorageProvisioner,
  bindCompleted,
  boundByController,
  claimClass,
  claimHasClass,
  defaultStorageClass,
  findMatchingVolume,
  hasAnnotation,
  isVolumeBoundToClaim,
  offersAccessModes,
  requestedStorage,
  selectedNode,
  storageProvisioner,
  volumeCapacity,
  volumeClass,
  volumeModesDiffer,
  waitsForConsumer,
  withAnnotations,
  withClaimSpec,
} from '../../component-helpers/storage.ts';
import { getOwn } from '../../base/dictionary.ts';
import type { ReconcileContext } from '../../controller-runtime/controller.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';
import { type Binder, migrationChange } from './binder.ts';
import { provisionerOf } from './plugins.ts';

export async function syncClaim(binder: Binder, context: ReconcileContext, found: PersistentVolumeClaim): Promise<void> {
  const claim = await binder.migrateClaim(context, found);
  if (hasAnnotation(claim, bindCompleted)) await syncBound(binder, context, claim);
  else if (claim.spec?.volumeName) await syncChosen(binder, context, claim, claim.spec.volumeName);
  else await syncUnbound(binder, context, claim);
}

/** Nobody has said which volume it should have. */
async function syncUnbound(binder: Binder, context: ReconcileContext, claim: PersistentVolumeClaim): Promise<void> {
  const delayed = waitsForConsumer(binder.classOf(claim));
  const volume = bestVolume(binder, claim, delayed);
  if (volume !== undefined) {
    await binder.bind(context, volume, claim);
    return;
  }
  if (await assignDefaultClass(binder, context, claim)) return;
  if (delayed && !hasAnnotation(claim, selectedNode)) tellWhatItWaitsFor(binder, context, claim);
  else if (claimClass(claim) !== '') {
    await provision(binder, context, claim);
    return;
  } else binder.event(context, claim, 'Normal', 'FailedBinding', 'no persistent volumes available for this claim and no storage class is set');
  await binder.setClaimPhase(context, claim, 'Pending', undefined);
}

/** The fewest access modes come first, then the smallest volume. */
function bestVolume(binder: Binder, claim: PersistentVolumeClaim, delayBinding: boolean): PersistentVolume | undefined {
  const groups = new Map<string, PersistentVolume[]>();
  for (const volume of binder.candidates(claim)) {
    if (!offersAccessModes(volume, claim)) continue;
    const modes = [...new Set(volume.spec?.accessModes ?? [])].sort().join();
    const group = groups.get(modes);
    if (group === undefined) groups.set(modes, [volume]);
    else group.push(volume);
  }
  const count = (modes: string): number => modes.split(',').length;
  const ordered = [...groups].sort(([a], [b]) => count(a) - count(b) || (a < b ? -1 : 1));
  for (const [, group] of ordered) {
    const found = findMatchingVolume(claim, group, { delayBinding });
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A claim that came before there was a default class gets it. */
async function assignDefaultClass(binder: Binder, context: ReconcileContext, claim: PersistentVolumeClaim): Promise<boolean> {
  const found = claimHasClass(claim) ? undefined : defaultStorageClass(binder.classes.list());
  if (found === undefined) return false;
  await binder.updateClaim(context, withClaimSpec(claim, { storageClassName: found.metadata.name ?? '' }));
  return true;
}

function tellWhatItWaitsFor(binder: Binder, context: ReconcileContext, claim: PersistentVolumeClaim): void {
  const waiting = binder.podsOf(claim).filter((pod) => !pod.spec?.nodeName);
  const names = waiting.map((pod) => pod.metadata.name ?? '').join();
  const [reason, message] =
    waiting.length === 0
      ? ['WaitForFirstConsumer', 'waiting for first consumer to be created before binding']
      : ['WaitForPodScheduled', `waiting for pod${waiting.length > 1 ? 's' : ''} ${names} to be scheduled`];
  binder.event(context, claim, 'Normal', reason, message);
}

/** Hands the claim to the provisioner of its class. */
async function provision(binder: Binder, context: ReconcileContext, claim: PersistentVolumeClaim): Promise<void> {
  if (!binder.environment.options.enableDynamicProvisioning) return;
  const storageClass = binder.classOf(claim);
  const fail = (message: string): void => binder.event(context, claim, 'Warning', 'ProvisioningFailed', message);
  if (storageClass === undefined) {
    fail(`storageclass.storage.k8s.io "${claimClass(claim)}" not found`);
    return;
  }
  const provisioner = provisionerOf(storageClass.provisioner);
  if ('error' in provisioner) {
    fail(provisioner.error);
    return;
  }
  try {
    const asked = await askProvisioner(binder, context, claim, storageClass, provisioner.outside);
    const words = binder.environment.options.traits.leavesVolumesToDrivers ? waitingForDriver : waitingForOutside;
    binder.event(context, asked, 'Normal', 'ExternalProvisioning', words(provisioner.outside));
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    // Upstream's operation ends with the event; the next resync tries again.
    fail(`Error saving claim: ${error.message}`);
  }
}

function waitingForDriver(name: string): string {
  return (
    `Waiting for a volume to be created either by the external provisioner '${name}' or manually by the system administrator. ` +
    'If volume creation is delayed, please verify that the provisioner is running and correctly registered.'
  );
}

function waitingForOutside(name: string): string {
  return `waiting for a volume to be created, either by external provisioner ${goQuote(name)} or manually created by system administrator`;
}

async function askProvisioner(
  binder: Binder,
  context: ReconcileContext,
  claim: PersistentVolumeClaim,
  storageClass: StorageClass,
  name: string,
): Promise<PersistentVolumeClaim> {
  const { leavesVolumesToDrivers } = binder.environment.options.traits;
  if (getOwn(claim.metadata.annotations, leavesVolumesToDrivers ? storageProvisioner : betaStorageProvisioner) === name) return claim;
  if (!leavesVolumesToDrivers) return binder.updateClaim(context, withAnnotations(claim, { [betaStorageProvisioner]: name }));
  const marks = { [betaStorageProvisioner]: name, [storageProvisioner]: name, ...migrationChange(claim, storageClass.provisioner) };
  return binder.updateClaim(context, withAnnotations(claim, marks));
}

/** A user, or this controller before it was interrupted, has said which volume. */
async function syncChosen(binder: Binder, context: ReconcileContext, claim: PersistentVolumeClaim, name: string): Promise<void> {
  const volume = binder.volumes.get(undefined, name);
  if (volume === undefined) {
    await binder.setClaimPhase(context, claim, 'Pending', undefined);
    return;
  }
  if (volume.spec?.claimRef === undefined) {
    const mismatch = mismatchOf(volume, claim);
    if (mismatch === undefined) await binder.bind(context, volume, claim);
    else {
      binder.event(context, claim, 'Warning', 'VolumeMismatch', `Cannot bind to requested volume "${name}": ${mismatch}`);
      await binder.setClaimPhase(context, claim, 'Pending', undefined);
    }
    return;
  }
  if (isVolumeBoundToClaim(volume, claim)) {
    await binder.bind(context, volume, claim);
    return;
  }
  binder.event(context, claim, 'Warning', 'FailedBinding', `volume "${name}" already bound to a different claim.`);
  if (!hasAnnotation(claim, boundByController)) {
    await binder.setClaimPhase(context, claim, 'Pending', undefined);
    return;
  }
  const { namespace, name: claimName } = claim.metadata;
  const { claimRef } = volume.spec;
  throw new RetryError(
    `invalid binding of claim "${namespace}/${claimName}" to volume "${name}": volume already claimed by "${claimRef.namespace}/${claimRef.name}"`,
  );
}

/** Why a volume that the claim names cannot be its. */
function mismatchOf(volume: PersistentVolume, claim: PersistentVolumeClaim): string | undefined {
  if (volume.metadata.deletionTimestamp !== undefined) return `the volume is marked for deletion "${volume.metadata.name ?? ''}"`;
  if (quantityValue(volumeCapacity(volume)) < quantityValue(requestedStorage(claim))) return 'requested PV is too small';
  if (volumeClass(volume) !== claimClass(claim)) return 'storageClassName does not match';
  if ((claim.spec?.volumeAttributesClassName ?? '') !== (volume.spec?.volumeAttributesClassName ?? ''))
    return 'volumeAttributesClassName does not match';
  if (volumeModesDiffer(claim.spec, volume.spec)) return 'incompatible volumeMode';
  return offersAccessModes(volume, claim) ? undefined : 'incompatible accessMode';
}

/** It was bound once: its volume is there and its own, or it is lost. */
async function syncBound(binder: Binder, context: ReconcileContext, claim: PersistentVolumeClaim): Promise<void> {
  const name = claim.spec?.volumeName ?? '';
  if (name === '') {
    await binder.failClaim(context, claim, 'ClaimLost', 'Bound claim has lost reference to PersistentVolume. Data on the volume is lost!');
    return;
  }
  const volume = binder.volumes.get(undefined, name);
  if (volume === undefined) {
    await binder.failClaim(context, claim, 'ClaimLost', 'Bound claim has lost its PersistentVolume. Data on the volume is lost!');
    return;
  }
  const reference = volume.spec?.claimRef;
  if (reference === undefined || reference.uid === claim.metadata.uid) await binder.bind(context, volume, claim);
  else await binder.failClaim(context, claim, 'ClaimMisbound', 'Two claims are bound to the same volume, this one is bound incorrectly');
}
