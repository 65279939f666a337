/** What the syncs of claims and volumes share: the newest of both, and the writes that bind them (pv_controller.go). */
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../../api/core/v1/types.gen.ts';
import type { StorageClass } from '../../api/storage/v1/types.gen.ts';
import { canonicalQuantity } from '../../apimachinery/quantity-text.ts';
import { compareQuantity, parseQuantity, QuantityError } from '../../apimachinery/quantity.ts';
import { deepEqual } from '../../base/equal.ts';
import { getOwn } from '../../base/dictionary.ts';
import type { Informer } from '../../client/informer.ts';
import { persistentVolumeClaims, persistentVolumes, pods, storageClasses } from '../../client/resources.ts';
import {
  betaStorageProvisioner,
  bindCompleted,
  boundByController,
  boundToClaim,
  claimClass,
  hasAnnotation,
  isVolumeBoundToClaim,
  migratedDriver,
  migratedTo,
  preResizeCapacity,
  storageProvisioner,
  volumeCapacity,
  withAnnotations,
  withClaimSpec,
  withClaimStatus,
  withVolumeSpec,
} from '../../component-helpers/storage.ts';
import type { ReconcileContext } from '../../controller-runtime/controller.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';
import type { ControllerEnvironment } from '../controller.ts';
import { OwnWrites } from '../lib/own-writes.ts';
import { isTerminated, podClaimIndex, podClaimKeys } from '../lib/pod-claims.ts';

type EventType = 'Normal' | 'Warning';

const claimRefIndex = 'claimRef';
const freeIndex = 'free';

export class Binder {
  readonly environment: ControllerEnvironment;
  readonly claims: OwnWrites<PersistentVolumeClaim>;
  readonly volumes: OwnWrites<PersistentVolume>;
  readonly classes: Informer<StorageClass>;
  readonly #volumeInformer: Informer<PersistentVolume>;
  readonly #pods: Informer<Pod>;

  constructor(environment: ControllerEnvironment) {
    this.environment = environment;
    this.claims = new OwnWrites(environment.informer(persistentVolumeClaims), environment.slots, 'claims');
    this.#volumeInformer = environment.informer(persistentVolumes);
    this.volumes = new OwnWrites(this.#volumeInformer, environment.slots, 'volumes');
    this.classes = environment.informer(storageClasses);
    this.#pods = environment.informer(pods);
    this.#pods.addIndex(podClaimIndex, podClaimKeys, { ignoresStatus: true });
    this.#volumeInformer.addIndex(claimRefIndex, ({ spec }) =>
      spec?.claimRef === undefined ? [] : [`${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}`],
    );
    this.#volumeInformer.addIndex(freeIndex, (volume) =>
      volume.spec?.claimRef === undefined ? [volume.spec?.storageClassName ?? '', anyClass] : [],
    );
  }

  classOf(claim: PersistentVolumeClaim): StorageClass | undefined {
    return this.classes.get(undefined, claimClass(claim));
  }

  /** Volumes that name the claim, and those of its class that name none; by name. A class in the old annotation is looked for among all. */
  candidates(claim: PersistentVolumeClaim): readonly PersistentVolume[] {
    const { namespace = '', name = '' } = claim.metadata;
    const own = this.#volumeInformer.byIndex(claimRefIndex, `${namespace}/${name}`);
    const free = this.#volumeInformer.byIndex(
      freeIndex,
      hasAnnotation(claim, 'volume.beta.kubernetes.io/storage-class') ? anyClass : claimClass(claim),
    );
    return [...own, ...free].map((volume) => this.volumes.newest(volume));
  }

  /** Pods that name the claim and have not ended. */
  podsOf({ metadata: { namespace = '', name = '' } }: Pick<PersistentVolumeClaim, 'metadata'>): readonly Pod[] {
    return this.#pods.byIndex(podClaimIndex, `${namespace}/${name}`).filter((pod) => !isTerminated(pod));
  }

  pod(namespace: string, name: string): Pod | undefined {
    return this.#pods.get(namespace, name);
  }

  event({ causes }: ReconcileContext, object: PersistentVolume | PersistentVolumeClaim, type: EventType, reason: string, message: string): void {
    this.environment.recorder.event(object, type, reason, message, causes);
  }

  async updateClaim({ client }: ReconcileContext, claim: PersistentVolumeClaim): Promise<PersistentVolumeClaim> {
    return this.claims.keep(await client.update(persistentVolumeClaims, claim));
  }

  async updateVolume({ client }: ReconcileContext, volume: PersistentVolume): Promise<PersistentVolume> {
    return this.volumes.keep(await client.update(persistentVolumes, volume));
  }

  /** What the claim's status should say of its volume. */
  async setClaimPhase(
    context: ReconcileContext,
    claim: PersistentVolumeClaim,
    phase: string,
    volume: PersistentVolume | undefined,
  ): Promise<PersistentVolumeClaim> {
    const next = volume === undefined ? withoutVolume(claim, phase) : withVolume(claim, phase, volume);
    if (deepEqual(next.status ?? {}, claim.status ?? {})) return claim;
    return this.claims.keep(await context.client.updateStatus(persistentVolumeClaims, next));
  }

  /** Says why, when the phase is another than before. */
  async failClaim(context: ReconcileContext, claim: PersistentVolumeClaim, reason: string, message: string): Promise<void> {
    if (claim.status?.phase === 'Lost') return;
    this.event(context, await this.setClaimPhase(context, claim, 'Lost', undefined), 'Warning', reason, message);
  }

  async setVolumePhase(context: ReconcileContext, volume: PersistentVolume, phase: string, message = ''): Promise<PersistentVolume> {
    if (volume.status?.phase === phase) return volume;
    const { reason, lastPhaseTransitionTime } = volume.status ?? {};
    const status = {
      phase,
      ...(message === '' ? {} : { message }),
      ...(reason === undefined ? {} : { reason }),
      ...(lastPhaseTransitionTime === undefined ? {} : { lastPhaseTransitionTime }),
    };
    return this.volumes.keep(await context.client.updateStatus(persistentVolumes, { ...volume, status }));
  }

  async failVolume(context: ReconcileContext, volume: PersistentVolume, reason: string, message: string): Promise<void> {
    if (volume.status?.phase === 'Failed') return;
    this.event(context, await this.setVolumePhase(context, volume, 'Failed', message), 'Warning', reason, message);
  }

  /** Four writes in this order, each left out where it is done: a crash between them is mended by the next sync. */
  async bind(context: ReconcileContext, volume: PersistentVolume, claim: PersistentVolumeClaim): Promise<void> {
    const named = boundToClaim(volume, claim);
    const held = named === undefined ? volume : await this.updateVolume(context, named);
    const bound = await this.setVolumePhase(context, held, 'Bound');
    const volumeName = bound.metadata.name ?? '';
    const chosen = claim.spec?.volumeName === volumeName ? claim : withClaimSpec(claim, { volumeName });
    const marks = {
      ...(chosen === claim || hasAnnotation(claim, boundByController) ? {} : { [boundByController]: 'yes' }),
      ...(hasAnnotation(claim, bindCompleted) ? {} : { [bindCompleted]: 'yes' }),
    };
    const isDone = chosen === claim && Object.keys(marks).length === 0;
    const completed = isDone ? claim : await this.updateClaim(context, withAnnotations(chosen, marks));
    await this.setClaimPhase(context, completed, 'Bound', bound);
  }

  /** Undoes what the controller did; what a user bound stays hers by name. */
  async unbind(context: ReconcileContext, volume: PersistentVolume): Promise<void> {
    const { uid: _, ...reference } = volume.spec?.claimRef ?? {};
    const freed = hasAnnotation(volume, boundByController)
      ? withAnnotations(withVolumeSpec(volume, { claimRef: undefined }), { [boundByController]: undefined })
      : withVolumeSpec(volume, { claimRef: reference });
    await this.setVolumePhase(context, await this.updateVolume(context, freed), 'Available');
  }

  /** Marks what an in-tree plugin made, or is to make, as the affair of the driver that took over from it. */
  async migrateClaim(context: ReconcileContext, claim: PersistentVolumeClaim): Promise<PersistentVolumeClaim> {
    const { annotations } = claim.metadata;
    const provisioner = getOwn(annotations, storageProvisioner) ?? getOwn(annotations, betaStorageProvisioner);
    const changes = provisioner === undefined ? undefined : migrationChange(claim, provisioner);
    return changes === undefined ? claim : this.updateClaim(context, withAnnotations(claim, changes));
  }

  /** Whether a volume is this claim's as both say. */
  isBoundPair(volume: PersistentVolume | undefined, claim: PersistentVolumeClaim): boolean {
    return volume !== undefined && volume.spec?.claimRef?.uid === claim.metadata.uid && isVolumeBoundToClaim(volume, claim);
  }
}

/** Value of the index of free volumes under which all of them stand; no class is called so. */
const anyClass = '*';

/** The annotation that is to be set or taken away; undefined when it is right. */
export function migrationChange(
  object: PersistentVolume | PersistentVolumeClaim,
  provisioner: string,
): { readonly [name: string]: string | undefined } | undefined {
  const driver = migratedDriver(provisioner);
  const now = getOwn(object.metadata.annotations, migratedTo);
  if ((now ?? '') === (driver ?? '')) return undefined;
  return { [migratedTo]: driver };
}

function withoutVolume(claim: PersistentVolumeClaim, phase: string): PersistentVolumeClaim {
  return withClaimStatus(claim, { phase, accessModes: undefined, capacity: undefined, currentVolumeAttributesClassName: undefined });
}

function withVolume(claim: PersistentVolumeClaim, phase: string, volume: PersistentVolume): PersistentVolumeClaim {
  const { accessModes, volumeAttributesClassName } = volume.spec ?? {};
  const becomesBound = claim.status?.phase === 'Pending' && phase === 'Bound';
  return withClaimStatus(claim, {
    phase,
    accessModes,
    ...(claim.status?.phase === phase ? {} : { capacity: statusCapacity(claim, volume) }),
    ...(becomesBound ? { currentVolumeAttributesClassName: volumeAttributesClassName } : {}),
  });
}

/** A volume that grows while it is bound shows what it had before. */
function statusCapacity(claim: PersistentVolumeClaim, volume: PersistentVolume): { readonly [resource: string]: string } {
  const { capacity } = volume.spec ?? {};
  if (capacity?.['storage'] === undefined) throw new RetryError(`PersistentVolume "${volume.metadata.name ?? ''}" is without a storage capacity`);
  const before = getOwn(volume.metadata.annotations, preResizeCapacity);
  if (before !== undefined) return { ...claim.status?.capacity, storage: quantityOr(before, capacity['storage']) };
  const known = claim.status?.capacity?.['storage'];
  return known !== undefined && compareQuantity(parseQuantity(known), volumeCapacity(volume)) === 0 ? { ...claim.status?.capacity } : capacity;
}

function quantityOr(text: string, otherwise: string): string {
  try {
    return canonicalQuantity(text);
  } catch (error) {
    if (error instanceof QuantityError) return otherwise;
    throw error;
  }
}
