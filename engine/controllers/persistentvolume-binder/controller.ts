/**
 * Binds claims to volumes, has volumes made for claims, and reclaims what claims leave. Mirrors
 * pkg/controller/volume/persistentvolume/pv_controller_base.go.
 */
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../../api/core/v1/types.gen.ts';
import { flag, number } from '../../base/codecs.ts';
import { timerCause } from '../../base/causes.ts';
import type { InformerEvent } from '../../client/informer.ts';
import { persistentVolumeClaims, persistentVolumes, pods, storageClasses } from '../../client/resources.ts';
import { bindCompleted, hasAnnotation } from '../../component-helpers/storage.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { Binder } from './binder.ts';
import { claimKey, readKey, volumeKey } from './keys.ts';
import { Recycler } from './recycler.ts';
import { syncClaim } from './sync-claim.ts';
import { syncVolume } from './sync-volume.ts';

const resyncTimer = 'resync';

class PersistentVolumeBinderController implements Controller {
  readonly #environment: ControllerEnvironment;
  readonly #binder: Binder;
  readonly #recycler: Recycler;
  /**
   * Keys that another sync may bring further without anything happening to them. Upstream syncs everything with each period; what is
   * not among these would write nothing and say nothing.
   */
  readonly #unsettled: Set<string>;
  /** The beat of the period began then. */
  #startMs = 0;
  #isResyncSet = false;

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#binder = new Binder(environment);
    this.#recycler = new Recycler(this.#binder);
    const { slots } = environment;
    this.#unsettled = slots.set('unsettled');
    slots.field(
      'startMs',
      number,
      () => this.#startMs,
      (startMs) => {
        this.#startMs = startMs;
      },
    );
    slots.field(
      'isResyncSet',
      flag,
      () => this.#isResyncSet,
      (isSet) => {
        this.#isResyncSet = isSet;
      },
    );
  }

  start(): void {
    this.#startMs = this.#environment.nowMs();
  }

  onTimer(): void {
    this.#isResyncSet = false;
    const causes = [timerCause('persistentvolume-binder', resyncTimer)];
    for (const key of this.#unsettled) this.#environment.enqueue(key, causes);
    this.#setResync();
  }

  keysOfClaim({ type, object }: InformerEvent<PersistentVolumeClaim>): readonly string[] {
    const { namespace = '', name = '' } = object.metadata;
    if (type !== 'delete') return [claimKey(namespace, name)];
    return object.spec?.volumeName ? [volumeKey(object.spec.volumeName)] : [];
  }

  keysOfVolume(event: InformerEvent<PersistentVolume>): readonly string[] {
    const { type, object } = event;
    const { namespace, name } = object.spec?.claimRef ?? {};
    const key = namespace === undefined || name === undefined ? undefined : claimKey(namespace, name);
    if (type === 'delete') return key === undefined ? [] : [key];
    // The claims that it named and names are looked at with the next period, as upstream's resync does.
    for (const reference of [event.type === 'update' ? event.old.spec?.claimRef : undefined, object.spec?.claimRef])
      if (reference?.namespace && reference.name) this.#leaveUnsettled(claimKey(reference.namespace, reference.name));
    return [volumeKey(object.metadata.name ?? '')];
  }

  keysOfPod({ type, object }: InformerEvent<Pod>): readonly string[] {
    return this.#recycler.keysOf(object, type === 'delete');
  }

  async reconcile(context: ReconcileContext, key: string): Promise<void> {
    this.#leaveUnsettled(key);
    const { namespace, name } = readKey(key);
    if (namespace === undefined) {
      const volume = this.#binder.volumes.get(undefined, name);
      if (volume !== undefined) await syncVolume(this.#binder, this.#recycler, context, volume);
    } else {
      const claim = this.#binder.claims.get(namespace, name);
      if (claim !== undefined) await syncClaim(this.#binder, context, claim);
    }
    if (this.#isSettled(namespace, name)) this.#unsettled.delete(key);
  }

  #isSettled(namespace: string | undefined, name: string): boolean {
    if (namespace === undefined) return this.#isVolumeSettled(this.#binder.volumes.get(undefined, name));
    const claim = this.#binder.claims.get(namespace, name);
    if (claim === undefined) return true;
    const volume = this.#binder.volumes.get(undefined, claim.spec?.volumeName ?? '');
    return claim.status?.phase === 'Bound' && hasAnnotation(claim, bindCompleted) && this.#binder.isBoundPair(volume, claim);
  }

  #isVolumeSettled(volume: PersistentVolume | undefined): boolean {
    if (volume === undefined) return true;
    const { claimRef, persistentVolumeReclaimPolicy: policy } = volume.spec ?? {};
    const phase = volume.status?.phase;
    if (!claimRef?.uid) return phase === 'Available';
    const claim = this.#binder.claims.get(claimRef.namespace ?? '', claimRef.name ?? '');
    if (claim?.metadata.uid === claimRef.uid) return phase === 'Bound' && claim.spec?.volumeName === volume.metadata.name;
    return phase === 'Released' && policy === 'Retain';
  }

  #leaveUnsettled(key: string): void {
    this.#unsettled.add(key);
    this.#setResync();
  }

  #setResync(): void {
    if (this.#isResyncSet || this.#unsettled.size === 0) return;
    this.#isResyncSet = true;
    const { nowMs, setTimer, options } = this.#environment;
    const periodMs = options.volumeBinderSyncPeriodMs;
    setTimer(periodMs - ((nowMs() - this.#startMs) % periodMs), resyncTimer);
  }
}

export const persistentVolumeBinderController = defineController<PersistentVolumeBinderController>({
  name: 'persistentvolume-binder-controller',
  aliases: ['persistentvolume-binder'],
  serviceAccount: 'persistent-volume-binder',
  eventSource: 'persistentvolume-controller',
  workers: () => 1,
  watches: [
    watchOf(persistentVolumeClaims, (event, controller: PersistentVolumeBinderController) => controller.keysOfClaim(event)),
    watchOf(persistentVolumes, (event, controller: PersistentVolumeBinderController) => controller.keysOfVolume(event)),
    watchOf(pods, (event, controller: PersistentVolumeBinderController) => controller.keysOfPod(event)),
    watchOf(storageClasses, () => []),
  ],
  create: (environment) => new PersistentVolumeBinderController(environment),
});
