/**
 * Grows volumes whose claims ask for more, and changes their attributes. Mirrors external-resizer (pkg/controller/resize_status.go,
 * pkg/modifycontroller): conditions, allocated resources, events. What a file system needs besides is the kubelet's.
 */
import type { PersistentVolume, PersistentVolumeClaim } from '../api/core/v1/types.gen.ts';
import type { VolumeAttributesClass } from '../api/storage/v1/types.gen.ts';
import { compareQuantity, parseQuantity, quantityValue } from '../apimachinery/quantity.ts';
import { formatTime } from '../apimachinery/time.ts';
import type { Cause } from '../base/causes.ts';
import { type Informer, type InformerEvent, keyOf, splitKey } from '../client/informer.ts';
import { persistentVolumeClaims, persistentVolumes, volumeAttributesClasses } from '../client/resources.ts';
import { diskDriver, requestedStorage, volumeCapacity, withClaimStatus, withVolumeSpec } from '../component-helpers/storage.ts';
import { type Controller, type ReconcileContext, watchOf } from '../controller-runtime/controller.ts';
import { RetryError } from '../controller-runtime/retry-error.ts';
import { Backend, DriverError } from './backend.ts';
import { type CsiEnvironment, defineSidecar } from './driver.ts';

const resizeConditions = ['Resizing', 'FileSystemResizePending', 'ControllerResizeError', 'NodeResizeError'];
const modifyConditions = ['ModifyingVolume', 'ModifyVolumeError'];
const pendingMessage = 'Waiting for user to (re-)start a pod to finish file system resize of volume on node.';

class Resizer implements Controller {
  readonly #environment: CsiEnvironment;
  readonly #backend: Backend;
  readonly #claims: Informer<PersistentVolumeClaim>;
  readonly #volumes: Informer<PersistentVolume>;
  readonly #attributes: Informer<VolumeAttributesClass>;

  constructor(environment: CsiEnvironment) {
    this.#environment = environment;
    this.#backend = new Backend(environment);
    this.#claims = environment.informer(persistentVolumeClaims);
    this.#volumes = environment.informer(persistentVolumes);
    this.#attributes = environment.informer(volumeAttributesClasses);
  }

  keysOf({ type, object }: InformerEvent<PersistentVolumeClaim>): readonly string[] {
    if (type === 'delete') this.#backend.forget(keyOf(object));
    return type !== 'delete' && (asksForMore(object) || asksForOther(object)) ? [keyOf(object)] : [];
  }

  /** Claims that ask for a class of attributes that has come now. */
  keysOfAttributes({ type, object }: InformerEvent<VolumeAttributesClass>): readonly string[] {
    if (type !== 'add') return [];
    return this.#claims
      .list()
      .flatMap((claim) => (claim.spec?.volumeAttributesClassName === object.metadata.name && asksForOther(claim) ? [keyOf(claim)] : []));
  }

  async reconcile(context: ReconcileContext, key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    const claim = this.#claims.get(namespace, name);
    const volume = this.#volumes.get(undefined, claim?.spec?.volumeName ?? '');
    if (claim === undefined || volume?.spec?.csi?.driver !== diskDriver || volume.spec.claimRef?.uid !== claim.metadata.uid) return;
    if (asksForMore(claim)) await this.#grow(context, key, claim, volume);
    else if (asksForOther(claim)) await this.#modify(context, key, claim, volume);
  }

  async #grow(context: ReconcileContext, key: string, claim: PersistentVolumeClaim, volume: PersistentVolume): Promise<void> {
    const causes = this.#backend.causesOf('resize', context.causes, volume.spec?.csi?.volumeHandle);
    const client = context.client.because(causes);
    const wanted = claim.spec?.resources?.requests?.['storage'] ?? '0';
    const volumeName = volume.metadata.name ?? '';
    if (compareQuantity(volumeCapacity(volume), requestedStorage(claim)) >= 0) {
      if (stateOf(claim) !== 'NodeResizePending' && stateOf(claim) !== 'NodeResizeInProgress')
        await this.#finishController(client, causes, claim, volume);
      return;
    }
    if (!this.#backend.isBegun('resize', key)) {
      this.#tell(claim, 'Normal', 'Resizing', `External resizer is resizing volume ${volumeName}`, causes);
      const status = { allocatedResources: { storage: wanted }, allocatedResourceStatuses: { storage: 'ControllerResizeInProgress' } };
      await client.updateStatus(persistentVolumeClaims, this.#withCondition(withClaimStatus(claim, status), resizeConditions, 'Resizing', ''));
    }
    try {
      const task = { work: 'resize', key, disk: volume.spec?.csi?.volumeHandle ?? '', bytes: quantityValue(requestedStorage(claim)) } as const;
      if (!(await this.#backend.isDone(task, causes))) return;
    } catch (error) {
      if (!(error instanceof DriverError)) throw error;
      const message = `resize volume "${volumeName}" by resizer "${diskDriver}" failed: ${error.message}`;
      this.#tell(claim, 'Warning', 'VolumeResizeFailed', message, causes);
      throw new RetryError(message);
    }
    const grown = await client.update(persistentVolumes, withVolumeSpec(volume, { capacity: { ...volume.spec?.capacity, storage: wanted } }));
    const live = await client.get(persistentVolumeClaims, claim.metadata.namespace, claim.metadata.name ?? '');
    await this.#finishController(client, causes, live, grown);
  }

  /** The disk has grown; a file system is grown where it is mounted. */
  async #finishController(
    client: ReconcileContext['client'],
    causes: readonly Cause[],
    claim: PersistentVolumeClaim,
    volume: PersistentVolume,
  ): Promise<void> {
    if (volume.spec?.volumeMode === 'Block') {
      const { storage = '0' } = volume.spec.capacity ?? {};
      const done = withClaimStatus(claim, { capacity: { ...claim.status?.capacity, storage }, allocatedResourceStatuses: undefined });
      await client.updateStatus(persistentVolumeClaims, this.#withCondition(done, resizeConditions));
      this.#tell(claim, 'Normal', 'VolumeResizeSuccessful', 'Resize volume succeeded', causes);
      return;
    }
    const pending = withClaimStatus(claim, { allocatedResourceStatuses: { storage: 'NodeResizePending' } });
    await client.updateStatus(persistentVolumeClaims, this.#withCondition(pending, resizeConditions, 'FileSystemResizePending', pendingMessage));
    this.#tell(claim, 'Normal', 'FileSystemResizeRequired', 'Require file system resize of volume on node', causes);
  }

  async #modify(context: ReconcileContext, key: string, claim: PersistentVolumeClaim, volume: PersistentVolume): Promise<void> {
    const target = claim.spec?.volumeAttributesClassName ?? '';
    const causes = this.#backend.causesOf('modify', context.causes, volume.spec?.csi?.volumeHandle);
    const client = context.client.because(causes);
    const volumeName = volume.metadata.name ?? '';
    const found = this.#attributes.get(undefined, target);
    const modifying = (status: string): PersistentVolumeClaim => {
      const next = withClaimStatus(claim, { modifyVolumeStatus: { targetVolumeAttributesClassName: target, status } });
      return this.#withCondition(next, modifyConditions, 'ModifyingVolume', '');
    };
    if (found === undefined || found.driverName !== diskDriver) {
      if (claim.status?.modifyVolumeStatus?.status === 'Pending' && claim.status.modifyVolumeStatus.targetVolumeAttributesClassName === target)
        return;
      const why = found === undefined ? `VAC ${target} does not exist.` : `VAC ${target} has incorrect driver name.`;
      this.#tell(claim, 'Warning', 'VolumeModifyFailed', why, causes);
      await client.updateStatus(
        persistentVolumeClaims,
        withClaimStatus(claim, { modifyVolumeStatus: { targetVolumeAttributesClassName: target, status: 'Pending' } }),
      );
      return;
    }
    if (!this.#backend.isBegun('modify', key)) {
      this.#tell(claim, 'Normal', 'VolumeModify', `external resizer is modifying volume ${claim.metadata.name ?? ''} with vac ${target}`, causes);
      await client.updateStatus(persistentVolumeClaims, modifying('InProgress'));
    }
    try {
      if (!(await this.#backend.isDone({ work: 'modify', key, disk: volume.spec?.csi?.volumeHandle ?? '' }, causes))) return;
    } catch (error) {
      if (!(error instanceof DriverError)) throw error;
      this.#tell(claim, 'Warning', 'VolumeModifyFailed', error.message, causes);
      throw new RetryError(`modify volume "${volumeName}" failed: ${error.message}`);
    }
    await client.update(persistentVolumes, withVolumeSpec(volume, { volumeAttributesClassName: target }));
    const live = await client.get(persistentVolumeClaims, claim.metadata.namespace, claim.metadata.name ?? '');
    const done = withClaimStatus(live, { currentVolumeAttributesClassName: target, modifyVolumeStatus: undefined });
    await client.updateStatus(persistentVolumeClaims, this.#withCondition(done, modifyConditions));
    this.#tell(
      claim,
      'Normal',
      'VolumeModifySuccessful',
      `external resizer modified volume ${claim.metadata.name ?? ''} with vac ${target} successfully`,
      causes,
    );
  }

  #tell(claim: PersistentVolumeClaim, type: 'Normal' | 'Warning', reason: string, message: string, causes: readonly Cause[]): void {
    this.#environment.recorder.event(claim, type, reason, message, causes);
  }

  /** Without the conditions named, and with one of them when it is given. */
  #withCondition(claim: PersistentVolumeClaim, replaced: readonly string[], type?: string, message = ''): PersistentVolumeClaim {
    const others = (claim.status?.conditions ?? []).filter((condition) => !replaced.includes(condition.type));
    const own = { type: type ?? '', status: 'True', lastProbeTime: null, lastTransitionTime: formatTime(this.#environment.nowMs()) };
    const conditions = type === undefined ? others : [...others, message === '' ? own : { ...own, message }];
    return withClaimStatus(claim, { conditions: conditions.length === 0 ? undefined : conditions });
  }
}

function asksForMore(claim: PersistentVolumeClaim): boolean {
  const has = claim.status?.capacity?.['storage'];
  if (claim.status?.phase !== 'Bound' || has === undefined) return false;
  return compareQuantity(requestedStorage(claim), parseQuantity(has)) > 0;
}

function asksForOther(claim: PersistentVolumeClaim): boolean {
  const wanted = claim.spec?.volumeAttributesClassName;
  return claim.status?.phase === 'Bound' && Boolean(wanted) && wanted !== claim.status.currentVolumeAttributesClassName;
}

function stateOf(claim: PersistentVolumeClaim): string {
  return claim.status?.allocatedResourceStatuses?.['storage'] ?? '';
}

export const resizer = defineSidecar<Resizer>('resizer', {
  watches: [
    watchOf(persistentVolumeClaims, (event, controller: Resizer) => controller.keysOf(event)),
    watchOf(persistentVolumes, () => []),
    watchOf(volumeAttributesClasses, (event, controller: Resizer) => controller.keysOfAttributes(event)),
  ],
  create: (environment) => new Resizer(environment),
});
