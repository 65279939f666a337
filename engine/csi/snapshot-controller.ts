/**
 * Binds snapshots to what is behind them, makes the latter for claims, and keeps both as long as they are needed. Mirrors
 * external-snapshotter pkg/common-controller/snapshot_controller.go: names, finalizers, statuses, events.
 */
import type { PersistentVolume, PersistentVolumeClaim } from '../api/core/v1/types.gen.ts';
import type { VolumeSnapshot, VolumeSnapshotClass, VolumeSnapshotContent } from '../api/snapshot/v1/types.ts';
import { isAlreadyExists, isNotFound } from '../apimachinery/errors.ts';
import { formatQuantity, newQuantity } from '../apimachinery/quantity.ts';
import { formatTime } from '../apimachinery/time.ts';
import { deepEqual } from '../base/equal.ts';
import type { Client, ResourceType } from '../client/client.ts';
import type { Informer, InformerEvent } from '../client/informer.ts';
import { persistentVolumeClaims, persistentVolumes } from '../client/resources.ts';
import { type Controller, type ReconcileContext, watchOf } from '../controller-runtime/controller.ts';
import { RetryError } from '../controller-runtime/retry-error.ts';
import { type CsiEnvironment, defineSidecar } from './driver.ts';
import {
  beingDeleted,
  boundFinalizer,
  claimFinalizer,
  contentFinalizer,
  contentNameOf,
  isDefaultClass,
  isOfSnapshot,
  keyOfSnapshot,
  newContent,
  sourceFinalizer,
  volumeSnapshotClasses,
  volumeSnapshotContents,
  volumeSnapshots,
} from './snapshot-objects.ts';

class SnapshotController implements Controller {
  readonly #environment: CsiEnvironment;
  readonly #snapshots: Informer<VolumeSnapshot>;
  readonly #contents: Informer<VolumeSnapshotContent>;
  readonly #classes: Informer<VolumeSnapshotClass>;
  readonly #claims: Informer<PersistentVolumeClaim>;
  readonly #volumes: Informer<PersistentVolume>;

  constructor(environment: CsiEnvironment) {
    this.#environment = environment;
    this.#snapshots = environment.informer(volumeSnapshots);
    this.#contents = environment.informer(volumeSnapshotContents);
    this.#classes = environment.informer(volumeSnapshotClasses);
    this.#claims = environment.informer(persistentVolumeClaims);
    this.#volumes = environment.informer(persistentVolumes);
  }

  keysOfContent({ type, object }: InformerEvent<VolumeSnapshotContent>): readonly string[] {
    const { namespace = '', name = '' } = object.spec?.volumeSnapshotRef ?? {};
    const content = type === 'delete' || object.metadata.deletionTimestamp !== undefined ? [] : [`|${object.metadata.name ?? ''}`];
    return name === '' ? content : [...content, `${namespace}/${name}`];
  }

  /** Snapshots that wait for a default. */
  keysOfClass(): readonly string[] {
    return this.#snapshots.list().flatMap((snapshot) => (snapshot.status?.readyToUse === true ? [] : [keyOfSnapshot(snapshot)]));
  }

  async reconcile(context: ReconcileContext, key: string): Promise<void> {
    if (key.startsWith('|')) return this.#holdContent(context, key.slice(1));
    const slash = key.indexOf('/');
    const snapshot = this.#snapshots.get(key.slice(0, slash), key.slice(slash + 1));
    if (snapshot === undefined) return;
    if (snapshot.metadata.deletionTimestamp === undefined) await this.#sync(context, snapshot);
    else await this.#release(context, snapshot);
  }

  async #holdContent({ client }: ReconcileContext, name: string): Promise<void> {
    const content = this.#contents.get(undefined, name);
    if (content !== undefined) await withFinalizers(client, volumeSnapshotContents, content, [contentFinalizer], []);
  }

  async #sync(context: ReconcileContext, found: VolumeSnapshot): Promise<void> {
    const snapshot = await this.#withClass(context, found);
    if (snapshot === undefined) return;
    const { source } = snapshot.spec ?? {};
    const content = this.#contentOf(snapshot);
    const wanted = [sourceFinalizer, ...(content?.spec?.deletionPolicy === 'Delete' ? [boundFinalizer] : [])];
    const held = await withFinalizers(context.client, volumeSnapshots, snapshot, wanted, []);
    if (source?.volumeSnapshotContentName !== undefined) {
      if (content === undefined) return this.#fail(context, held, 'SnapshotContentMissing', 'VolumeSnapshotContent is missing');
      if (!isOfSnapshot(content, held))
        return this.#fail(
          context,
          held,
          'SnapshotContentMisbound',
          `VolumeSnapshotContent [${content.metadata.name ?? ''}] is bound to a different snapshot`,
        );
      return this.#tell(context, held, await bound(context.client, content, held));
    }
    if (content !== undefined) await this.#tell(context, held, content);
    else if (held.status?.readyToUse === true) await this.#fail(context, held, 'SnapshotContentMissing', 'VolumeSnapshotContent is missing');
    else await this.#begin(context, held);
  }

  #contentOf(snapshot: VolumeSnapshot): VolumeSnapshotContent | undefined {
    return this.#contents.get(undefined, snapshot.spec?.source?.volumeSnapshotContentName ?? contentNameOf(snapshot));
  }

  /** The one that it names, or the default of its volume's driver. Undefined where there is none, which is told. */
  async #withClass(context: ReconcileContext, snapshot: VolumeSnapshot): Promise<VolumeSnapshot | undefined> {
    const { source, volumeSnapshotClassName: name } = snapshot.spec ?? {};
    if (source?.volumeSnapshotContentName !== undefined) return snapshot;
    if (name !== undefined) {
      if (this.#classes.get(undefined, name) !== undefined || snapshot.status?.boundVolumeSnapshotContentName !== undefined) return snapshot;
      const why = `volumesnapshotclass.snapshot.storage.k8s.io "${name}" not found`;
      await this.#fail(context, snapshot, 'GetSnapshotClassFailed', `Failed to get snapshot class with error ${why}`);
      return undefined;
    }
    const driver = this.#volumeOf(snapshot)?.spec?.csi?.driver;
    const defaults = this.#classes.list().filter((each) => isDefaultClass(each) && each.driver === driver);
    const [first] = defaults;
    if (first !== undefined && defaults.length === 1) {
      const { namespace, name: own = '' } = snapshot.metadata;
      const patch = { spec: { volumeSnapshotClassName: first.metadata.name ?? '' } };
      return context.client.patch(volumeSnapshots, namespace, own, 'merge', patch);
    }
    const why =
      driver === undefined
        ? this.#whyNoVolume(snapshot)
        : first === undefined
          ? 'cannot find default snapshot class'
          : `${defaults.length} default snapshot classes were found`;
    await this.#fail(context, snapshot, 'SetDefaultSnapshotClassFailed', `Failed to set default snapshot class with error ${why}`);
    return undefined;
  }

  #claimOf({ metadata, spec }: VolumeSnapshot): PersistentVolumeClaim | undefined {
    return this.#claims.get(metadata.namespace, spec?.source?.persistentVolumeClaimName ?? '');
  }

  #volumeOf(snapshot: VolumeSnapshot): PersistentVolume | undefined {
    const claim = this.#claimOf(snapshot);
    return claim?.status?.phase === 'Bound' ? this.#volumes.get(undefined, claim.spec?.volumeName ?? '') : undefined;
  }

  #whyNoVolume(snapshot: VolumeSnapshot): string {
    const claim = this.#claimOf(snapshot);
    const name = snapshot.spec?.source?.persistentVolumeClaimName ?? '';
    if (claim === undefined) return `failed to retrieve PVC ${name} from the lister: "persistentvolumeclaim \\"${name}\\" not found"`;
    return `the PVC ${name} is not yet bound to a PV, will not attempt to take a snapshot`;
  }

  async #begin(context: ReconcileContext, snapshot: VolumeSnapshot): Promise<void> {
    const claim = this.#claimOf(snapshot);
    const failed = (why: string): Promise<void> =>
      this.#fail(context, snapshot, 'SnapshotContentCreationFailed', `Failed to create snapshot content with error ${why}`);
    const { name = '' } = snapshot.metadata;
    if (claim === undefined) return failed(`snapshot controller failed to update ${name} on API server: cannot get claim from snapshot`);
    if (claim.metadata.deletionTimestamp !== undefined)
      return failed(
        `snapshot controller failed to update ${claim.metadata.name ?? ''} on API server: cannot add finalizer on claim because it is being deleted`,
      );
    await withFinalizers(context.client, persistentVolumeClaims, claim, [claimFinalizer], []);
    const volume = this.#volumeOf(snapshot);
    if (volume === undefined)
      return failed(`failed to get input parameters to create snapshot ${name}: ${JSON.stringify(this.#whyNoVolume(snapshot))}`);
    if (volume.spec?.csi === undefined) return failed(`cannot find CSI PersistentVolumeSource for volume ${volume.metadata.name ?? ''}`);
    const snapshotClass = this.#classes.get(undefined, snapshot.spec?.volumeSnapshotClassName ?? '');
    if (snapshotClass === undefined) return;
    const content = newContent(snapshot, volume, snapshotClass);
    await context.client.create(volumeSnapshotContents, content).catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
    this.#event(
      context,
      snapshot,
      'Normal',
      'CreatingSnapshot',
      `Waiting for a snapshot ${keyOfSnapshot(snapshot)} to be created by the CSI driver.`,
    );
    await this.#tell(context, snapshot, content);
  }

  /** The status follows what is known of the content. */
  async #tell(context: ReconcileContext, snapshot: VolumeSnapshot, content: VolumeSnapshotContent): Promise<void> {
    const { status: old = {} } = snapshot;
    const { creationTime, restoreSize, readyToUse = false, error } = content.status ?? {};
    const { error: _, ...rest } = old;
    const status: NonNullable<VolumeSnapshot['status']> = {
      ...rest,
      boundVolumeSnapshotContentName: old.boundVolumeSnapshotContentName ?? content.metadata.name ?? '',
      readyToUse,
      ...(creationTime === undefined ? {} : { creationTime: old.creationTime ?? formatTime(Number(BigInt(creationTime) / 1_000_000n)) }),
      ...(restoreSize === undefined ? {} : { restoreSize: formatQuantity(newQuantity(Number(restoreSize), 'BinarySI')) }),
      ...(error === undefined ? {} : { error }),
    };
    if (!deepEqual(status, old)) {
      const key = keyOfSnapshot(snapshot);
      if (old.creationTime === undefined && status.creationTime !== undefined)
        this.#event(context, snapshot, 'Normal', 'SnapshotCreated', `Snapshot ${key} was successfully created by the CSI driver.`);
      if (old.readyToUse !== true && readyToUse) this.#event(context, snapshot, 'Normal', 'SnapshotReady', `Snapshot ${key} is ready to use.`);
      await context.client.updateStatus(volumeSnapshots, { ...snapshot, status });
    }
    if (readyToUse) await this.#freeClaim(context, snapshot);
  }

  /** A claim is kept until no snapshot of it is being taken. */
  async #freeClaim({ client }: ReconcileContext, snapshot: VolumeSnapshot): Promise<void> {
    const claim = this.#claimOf(snapshot);
    if (claim?.metadata.finalizers?.includes(claimFinalizer) !== true) return;
    const waiting = this.#snapshots
      .list(snapshot.metadata.namespace)
      .some(
        (other) =>
          other.metadata.uid !== snapshot.metadata.uid &&
          other.spec?.source?.persistentVolumeClaimName === claim.metadata.name &&
          other.status?.readyToUse !== true &&
          other.metadata.deletionTimestamp === undefined,
      );
    if (!waiting) await withFinalizers(client, persistentVolumeClaims, claim, [], [claimFinalizer]);
  }

  async #release(context: ReconcileContext, snapshot: VolumeSnapshot): Promise<void> {
    await this.#freeClaim(context, snapshot);
    const restoring = this.#claims
      .list(snapshot.metadata.namespace)
      .some(
        ({ spec, status }) =>
          spec?.dataSource?.kind === 'VolumeSnapshot' && spec.dataSource.name === snapshot.metadata.name && status?.phase === 'Pending',
      );
    if (restoring && (snapshot.metadata.finalizers ?? []).includes(sourceFinalizer)) {
      this.#event(context, snapshot, 'Warning', 'SnapshotDeletePending', 'Snapshot is being used to restore a PVC');
      throw new RetryError(`snapshot ${keyOfSnapshot(snapshot)} is being used to restore a PVC`);
    }
    const content = this.#contentOf(snapshot);
    if (content !== undefined && isOfSnapshot(content, snapshot)) {
      const { name = '' } = content.metadata;
      await context.client.patch(volumeSnapshotContents, undefined, name, 'merge', { metadata: { annotations: { [beingDeleted]: 'yes' } } });
      if (content.spec?.deletionPolicy === 'Delete' && content.metadata.deletionTimestamp === undefined)
        await context.client.delete(volumeSnapshotContents, undefined, name).catch((error: unknown) => {
          if (!isNotFound(error)) throw error;
        });
    }
    await withFinalizers(context.client, volumeSnapshots, snapshot, [], [sourceFinalizer, boundFinalizer]);
  }

  /** Told once, and tried again. */
  async #fail(context: ReconcileContext, snapshot: VolumeSnapshot, reason: string, message: string): Promise<void> {
    if (snapshot.status?.error?.message !== message) {
      const status = { ...snapshot.status, error: { time: formatTime(this.#environment.nowMs()), message }, readyToUse: false };
      await context.client.updateStatus(volumeSnapshots, { ...snapshot, status });
      this.#event(context, snapshot, 'Warning', reason, message);
    }
    throw new RetryError(message);
  }

  #event({ causes }: ReconcileContext, snapshot: VolumeSnapshot, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#environment.recorder.event(snapshot, type, reason, message, causes);
  }
}

/** A content that was made beforehand learns whose it is. */
async function bound(client: Client, content: VolumeSnapshotContent, { metadata, spec }: VolumeSnapshot): Promise<VolumeSnapshotContent> {
  if (content.spec?.volumeSnapshotRef?.uid) return content;
  const { volumeSnapshotClassName } = spec ?? {};
  const patch = {
    spec: { volumeSnapshotRef: { uid: metadata.uid ?? '' }, ...(volumeSnapshotClassName === undefined ? {} : { volumeSnapshotClassName }) },
  };
  return client.patch(volumeSnapshotContents, undefined, content.metadata.name ?? '', 'merge', patch);
}

/** The object with these finalizers and without those; nothing is written where that is so. */
async function withFinalizers<T extends VolumeSnapshot | VolumeSnapshotContent | PersistentVolumeClaim>(
  client: Client,
  type: ResourceType<T>,
  object: T,
  more: readonly string[],
  less: readonly string[],
): Promise<T> {
  const { finalizers = [], namespace, name = '' } = object.metadata;
  const after = [...new Set([...finalizers.filter((finalizer) => !less.includes(finalizer)), ...more])];
  if (after.length === finalizers.length && after.every((finalizer, index) => finalizer === finalizers[index])) return object;
  return client.patch(type, namespace, name, 'merge', { metadata: { finalizers: after } });
}

export const snapshotController = defineSidecar<SnapshotController>('snapshot-controller', {
  watches: [
    watchOf(volumeSnapshots, ({ type, object }) => (type === 'delete' ? [] : [keyOfSnapshot(object)])),
    watchOf(volumeSnapshotContents, (event, controller: SnapshotController) => controller.keysOfContent(event)),
    watchOf(volumeSnapshotClasses, (_event, controller: SnapshotController) => controller.keysOfClass()),
  ],
  create: (environment) => new SnapshotController(environment),
});
