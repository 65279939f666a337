/**
 * Makes VolumeAttachments come true: attaches what they ask for, and detaches before they go. Mirrors external-attacher
 * (pkg/controller/csi_handler.go): finalizers on attachment and volume, status, errors.
 */
import type { PersistentVolume } from '../api/core/v1/types.gen.ts';
import type { CSINode, VolumeAttachment } from '../api/storage/v1/types.gen.ts';
import { isNotFound } from '../apimachinery/errors.ts';
import { formatTime } from '../apimachinery/time.ts';
import type { Informer, InformerEvent } from '../client/informer.ts';
import { csiNodes, persistentVolumes, volumeAttachments } from '../client/resources.ts';
import { diskDriver } from '../component-helpers/storage.ts';
import { type Controller, type ReconcileContext, watchOf } from '../controller-runtime/controller.ts';
import { RetryError } from '../controller-runtime/retry-error.ts';
import { Backend, DriverError } from './backend.ts';
import { type CsiEnvironment, defineSidecar } from './driver.ts';

/** On attachments and on volumes that have one. */
const finalizer = `external-attacher/${diskDriver.replaceAll('.', '-')}`;
const volumeIndex = 'volume';

class Attacher implements Controller {
  readonly #environment: CsiEnvironment;
  readonly #backend: Backend;
  readonly #attachments: Informer<VolumeAttachment>;
  readonly #volumes: Informer<PersistentVolume>;
  readonly #csiNodes: Informer<CSINode>;

  constructor(environment: CsiEnvironment) {
    this.#environment = environment;
    this.#backend = new Backend(environment);
    this.#attachments = environment.informer(volumeAttachments);
    this.#attachments.addIndex(volumeIndex, (attachment) => [volumeNameOf(attachment)]);
    this.#volumes = environment.informer(persistentVolumes);
    this.#csiNodes = environment.informer(csiNodes);
  }

  keysOfAttachment({ type, object }: InformerEvent<VolumeAttachment>): readonly string[] {
    if (object.spec.attacher !== diskDriver) return [];
    const { name = '' } = object.metadata;
    if (type === 'delete') {
      this.#backend.forget(name);
      return [];
    }
    return [name];
  }

  /** A volume that goes loses the attacher's finalizer once nothing is attached. */
  keysOfVolume({ type, object }: InformerEvent<PersistentVolume>): readonly string[] {
    const { deletionTimestamp, finalizers = [], name = '' } = object.metadata;
    return type !== 'delete' && deletionTimestamp !== undefined && finalizers.includes(finalizer) ? [`volume/${name}`] : [];
  }

  async reconcile(context: ReconcileContext, key: string): Promise<void> {
    if (key.startsWith('volume/')) {
      await this.#releaseVolume(context, key.slice('volume/'.length), '');
      return;
    }
    const attachment = this.#attachments.get(undefined, key);
    if (attachment === undefined) return;
    if (attachment.metadata.deletionTimestamp === undefined) await this.#attach(context, attachment);
    else if (attachment.metadata.finalizers?.includes(finalizer) === true) await this.#detach(context, attachment);
  }

  async #attach(context: ReconcileContext, attachment: VolumeAttachment): Promise<void> {
    if (attachment.status?.attached === true) return;
    const { name = '', finalizers = [] } = attachment.metadata;
    const known = this.#volumes.get(undefined, volumeNameOf(attachment));
    const causes = this.#backend.causesOf('attach', context.causes, known === undefined ? '' : handleOf(known));
    const client = context.client.because(causes);
    try {
      const volume = this.#volumes.get(undefined, volumeNameOf(attachment));
      if (volume === undefined)
        throw new DriverError('NotFound', `could not get PersistentVolume: persistentvolume "${volumeNameOf(attachment)}" not found`);
      if (volume.metadata.deletionTimestamp !== undefined)
        throw new DriverError('FailedPrecondition', `PersistentVolume "${volume.metadata.name ?? ''}" is marked for deletion`);
      const { nodeName } = attachment.spec;
      if (this.#csiNodes.get(undefined, nodeName)?.spec.drivers?.some((driver) => driver.name === diskDriver) !== true)
        throw new DriverError('NotFound', `CSINode ${nodeName} does not contain driver ${diskDriver}`);
      if (!finalizers.includes(finalizer))
        await client.patch(volumeAttachments, undefined, name, 'merge', { metadata: { finalizers: [...finalizers, finalizer] } });
      await holdVolume(client, volume);
      if (!(await this.#backend.isDone({ work: 'attach', key: name, disk: handleOf(volume), node: nodeName }, causes))) return;
      await client.patch(volumeAttachments, undefined, name, 'merge', { status: { attached: true, attachError: null } }, { subresource: 'status' });
    } catch (error) {
      if (!(error instanceof DriverError)) throw error;
      await this.#tell({ ...context, client }, attachment, 'attachError', error.message);
    }
  }

  async #detach(context: ReconcileContext, attachment: VolumeAttachment): Promise<void> {
    const { name = '', finalizers = [] } = attachment.metadata;
    const causes = this.#backend.causesOf('detach', context.causes);
    const client = context.client.because(causes);
    const volumeName = volumeNameOf(attachment);
    const volume = this.#volumes.get(undefined, volumeName);
    try {
      const disk = volume === undefined ? volumeName : handleOf(volume);
      if (!(await this.#backend.isDone({ work: 'detach', key: name, disk, node: attachment.spec.nodeName }, causes))) return;
      await client.patch(volumeAttachments, undefined, name, 'merge', { status: { attached: false, detachError: null } }, { subresource: 'status' });
      await client.patch(volumeAttachments, undefined, name, 'merge', { metadata: { finalizers: finalizers.filter((one) => one !== finalizer) } });
      await this.#releaseVolume({ ...context, client }, volumeName, name);
    } catch (error) {
      if (isNotFound(error)) return;
      if (!(error instanceof DriverError)) throw error;
      await this.#tell({ ...context, client }, attachment, 'detachError', error.message);
    }
  }

  /** Keeps a volume that is going only while something is attached. `but`: an attachment that has gone just now. */
  async #releaseVolume({ client }: ReconcileContext, name: string, but: string): Promise<void> {
    const volume = this.#volumes.get(undefined, name);
    const isUsed = this.#attachments.byIndex(volumeIndex, name).some(({ metadata }) => metadata.name !== but);
    if (volume?.metadata.deletionTimestamp === undefined || isUsed) return;
    const finalizers = volume.metadata.finalizers ?? [];
    await client.patch(persistentVolumes, undefined, name, 'merge', { metadata: { finalizers: finalizers.filter((one) => one !== finalizer) } });
  }

  /** Says in the attachment what went wrong, and tries again later. */
  async #tell({ client }: ReconcileContext, { metadata }: VolumeAttachment, field: 'attachError' | 'detachError', message: string): Promise<void> {
    const status = { [field]: { time: formatTime(this.#environment.nowMs()), message } };
    try {
      await client.patch(volumeAttachments, undefined, metadata.name ?? '', 'merge', { status }, { subresource: 'status' });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    throw new RetryError(message);
  }
}

async function holdVolume(client: ReconcileContext['client'], { metadata }: PersistentVolume): Promise<void> {
  const { name = '', finalizers = [] } = metadata;
  if (finalizers.includes(finalizer)) return;
  await client.patch(persistentVolumes, undefined, name, 'merge', { metadata: { finalizers: [...finalizers, finalizer] } });
}

function volumeNameOf({ spec }: VolumeAttachment): string {
  return spec.source.persistentVolumeName ?? '';
}

function handleOf({ spec }: PersistentVolume): string {
  return spec?.csi?.volumeHandle ?? '';
}

export const attacher = defineSidecar<Attacher>('attacher', {
  watches: [
    watchOf(volumeAttachments, (event, controller: Attacher) => controller.keysOfAttachment(event)),
    watchOf(persistentVolumes, (event, controller: Attacher) => controller.keysOfVolume(event)),
  ],
  create: (environment) => new Attacher(environment),
});
