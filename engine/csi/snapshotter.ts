/**
 * Takes snapshots of the driver's disks and deletes them. Mirrors external-snapshotter pkg/sidecar-controller: annotations, status,
 * finalizer, events.
 */
import type { PersistentVolume } from '../api/core/v1/types.gen.ts';
import type { VolumeSnapshotContent } from '../api/snapshot/v1/types.ts';
import { isNotFound } from '../apimachinery/errors.ts';
import { quantityValue, parseQuantity } from '../apimachinery/quantity.ts';
import { formatTime } from '../apimachinery/time.ts';
import type { Informer, InformerEvent } from '../client/informer.ts';
import { persistentVolumes } from '../client/resources.ts';
import { diskDriver } from '../component-helpers/storage.ts';
import { type Controller, type ReconcileContext, watchOf } from '../controller-runtime/controller.ts';
import { RetryError } from '../controller-runtime/retry-error.ts';
import { Backend, DriverError } from './backend.ts';
import { type CsiEnvironment, defineSidecar } from './driver.ts';
import { beingCreated, beingDeleted, contentFinalizer, volumeSnapshotContents } from './snapshot-objects.ts';

class Snapshotter implements Controller {
  readonly #environment: CsiEnvironment;
  readonly #backend: Backend;
  readonly #contents: Informer<VolumeSnapshotContent>;
  readonly #volumes: Informer<PersistentVolume>;

  constructor(environment: CsiEnvironment) {
    this.#environment = environment;
    this.#backend = new Backend(environment);
    this.#contents = environment.informer(volumeSnapshotContents);
    this.#volumes = environment.informer(persistentVolumes);
  }

  keysOf({ type, object }: InformerEvent<VolumeSnapshotContent>): readonly string[] {
    const { name = '' } = object.metadata;
    if (object.spec?.driver !== diskDriver) return [];
    if (type !== 'delete') return [name];
    this.#backend.forget(name);
    return [];
  }

  async reconcile(context: ReconcileContext, key: string): Promise<void> {
    const content = this.#contents.get(undefined, key);
    if (content === undefined) return;
    if (content.metadata.deletionTimestamp !== undefined) await this.#delete(context, content);
    else if (content.status?.readyToUse !== true) await this.#take(context, content);
  }

  async #take(context: ReconcileContext, content: VolumeSnapshotContent): Promise<void> {
    const { name = '' } = content.metadata;
    const causes = this.#backend.causesOf('snapshot', context.causes);
    const client = context.client.because(causes);
    const { volumeHandle, snapshotHandle } = content.spec?.source ?? {};
    try {
      const volume = this.#volumes.list().find(({ spec }) => spec?.csi?.driver === diskDriver && spec.csi.volumeHandle === volumeHandle);
      if (snapshotHandle === undefined && volume === undefined) throw new DriverError('NotFound', `volume ${volumeHandle ?? ''} not found`);
      if (snapshotHandle === undefined && content.metadata.annotations?.[beingCreated] !== 'yes') await this.#mark(context, name, 'yes');
      if (!(await this.#backend.isDone({ work: 'snapshot', key: name, disk: volumeHandle ?? snapshotHandle ?? '' }, causes))) return;
      const status = {
        snapshotHandle: snapshotHandle ?? `snapshot-${content.spec?.volumeSnapshotRef?.uid ?? ''}`,
        creationTime: BigInt(Math.floor(this.#environment.nowMs())) * 1_000_000n,
        readyToUse: true,
        ...(volume === undefined ? {} : { restoreSize: quantityValue(parseQuantity(volume.spec?.capacity?.['storage'] ?? '0')) }),
      };
      await client.patch(volumeSnapshotContents, undefined, name, 'merge', { status: { ...status, error: null } }, { subresource: 'status' });
      if (snapshotHandle === undefined) await this.#mark(context, name, null);
    } catch (error) {
      if (!(error instanceof DriverError)) throw error;
      const message = `Failed to create snapshot: failed to take snapshot of the volume ${volumeHandle ?? ''}: ${JSON.stringify(error.message)}`;
      if (content.status?.error?.message !== message) {
        this.#environment.recorder.event(content, 'Warning', 'SnapshotCreationFailed', message, causes);
        const status = { error: { time: formatTime(this.#environment.nowMs()), message }, readyToUse: false };
        await client.patch(volumeSnapshotContents, undefined, name, 'merge', { status }, { subresource: 'status' });
      }
      throw new RetryError(message);
    }
  }

  async #mark({ client }: ReconcileContext, name: string, value: 'yes' | null): Promise<void> {
    await client.patch(volumeSnapshotContents, undefined, name, 'merge', { metadata: { annotations: { [beingCreated]: value } } });
  }

  /** Whom nobody has asked to delete the snapshot, or who shall keep it, lets go of the object alone. */
  async #delete(context: ReconcileContext, content: VolumeSnapshotContent): Promise<void> {
    const { name = '', finalizers = [], annotations } = content.metadata;
    if (!finalizers.includes(contentFinalizer)) return;
    const causes = this.#backend.causesOf('delete', context.causes);
    const deletes = content.spec?.deletionPolicy === 'Delete' && annotations?.[beingDeleted] === 'yes';
    try {
      if (deletes && !(await this.#backend.isDone({ work: 'delete', key: name, disk: name }, causes))) return;
    } catch (error) {
      if (!(error instanceof DriverError)) throw error;
      this.#environment.recorder.event(content, 'Warning', 'SnapshotDeleteError', 'Failed to delete snapshot', causes);
      throw new RetryError(error.message);
    }
    const left = finalizers.filter((finalizer) => finalizer !== contentFinalizer);
    await context.client
      .because(causes)
      .patch(volumeSnapshotContents, undefined, name, 'merge', { metadata: { finalizers: left } })
      .catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
  }
}

export const snapshotter = defineSidecar<Snapshotter>('snapshotter', {
  watches: [watchOf(volumeSnapshotContents, (event, controller: Snapshotter) => controller.keysOf(event))],
  create: (environment) => new Snapshotter(environment),
});
