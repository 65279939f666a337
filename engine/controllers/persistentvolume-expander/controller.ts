/**
 * Says who grows a claim's volume: since all volumes that can grow are those of CSI drivers, somebody outside. Mirrors
 * pkg/controller/volume/expand/expand_controller.go.
 */
import type { PersistentVolume, PersistentVolumeClaim } from '../../api/core/v1/types.gen.ts';
import { goQuote } from '../../apimachinery/quote.ts';
import { compareQuantity, parseQuantity } from '../../apimachinery/quantity.ts';
import { StatusError } from '../../apimachinery/status.ts';
import { type Informer, type InformerEvent, keyOf, splitKey } from '../../client/informer.ts';
import { persistentVolumeClaims, persistentVolumes } from '../../client/resources.ts';
import { inTreePluginOf, isVolumeBoundToClaim, migratedDriver, requestedStorage, storageResizer } from '../../component-helpers/storage.ts';
import { getOwn } from '../../base/dictionary.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';

/** Of releases whose plugins in the tree grew volumes. */
const noPlugin = "Ignoring the PVC: didn't find a plugin capable of expanding the volume; waiting for an external controller to process this PVC.";

class PersistentVolumeExpanderController implements Controller {
  readonly #environment: ControllerEnvironment;
  readonly #claims: Informer<PersistentVolumeClaim>;
  readonly #volumes: Informer<PersistentVolume>;

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#claims = environment.informer(persistentVolumeClaims);
    this.#volumes = environment.informer(persistentVolumes);
  }

  async reconcile(context: ReconcileContext, key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    const claim = this.#claims.get(namespace, name);
    const volumeName = claim?.spec?.volumeName ?? '';
    if (claim === undefined || volumeName === '' || !isTooSmall(claim)) return;
    const volume = this.#volumes.get(undefined, volumeName);
    if (volume === undefined) throw new RetryError(`failed to get PV ${volumeName} for PVC ${key}`);
    if (!isVolumeBoundToClaim(volume, claim)) throw new RetryError(`persistent Volume is not bound to PVC being updated : ${key}`);
    const plugin = inTreePluginOf(volume.spec);
    const driver = plugin === undefined ? undefined : migratedDriver(plugin);
    if (!this.#environment.options.traits.leavesVolumesToDrivers) {
      this.#environment.recorder.event(claim, 'Warning', 'ExternalExpanding', noPlugin, context.causes);
      return;
    }
    const message =
      driver === undefined
        ? 'waiting for an external controller to expand this PVC'
        : `CSI migration enabled for ${plugin}; waiting for external resizer to expand the pvc`;
    this.#environment.recorder.event(claim, 'Normal', 'ExternalExpanding', message, context.causes);
    if (driver !== undefined && getOwn(claim.metadata.annotations, storageResizer) !== driver) await this.#nameResizer(context, claim, driver);
  }

  /** By a patch of the status: that is what its role allows. */
  async #nameResizer({ client, causes }: ReconcileContext, claim: PersistentVolumeClaim, driver: string): Promise<void> {
    const { namespace, name = '', resourceVersion } = claim.metadata;
    const patch = { metadata: { annotations: { [storageResizer]: driver }, resourceVersion } };
    try {
      await client.patch(persistentVolumeClaims, namespace, name, 'strategic', patch, { subresource: 'status' });
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      const failure = `patchPVCStatus failed to patch PVC ${goQuote(name)}: ${error.message}`;
      const message = `error setting resizer annotation to pvc ${keyOf(claim)}, with error ${failure}`;
      this.#environment.recorder.event(claim, 'Warning', 'ExternalExpanding', message, causes);
      throw new RetryError(message);
    }
  }
}

function isTooSmall(claim: PersistentVolumeClaim): boolean {
  return compareQuantity(requestedStorage(claim), parseQuantity(claim.status?.capacity?.['storage'] ?? '0')) > 0;
}

/** New claims, and those that ask for more than before. */
function keysOf(event: InformerEvent<PersistentVolumeClaim>): readonly string[] {
  if (event.type === 'delete' || event.object.status?.phase !== 'Bound') return [];
  const grows = event.type === 'add' || compareQuantity(requestedStorage(event.object), requestedStorage(event.old)) > 0;
  return grows ? [keyOf(event.object)] : [];
}

export const persistentVolumeExpanderController = defineController<PersistentVolumeExpanderController>({
  name: 'persistentvolume-expander-controller',
  aliases: ['persistentvolume-expander'],
  serviceAccount: 'expand-controller',
  eventSource: 'volume_expand',
  workers: () => 10,
  watches: [watchOf(persistentVolumeClaims, keysOf), watchOf(persistentVolumes, () => [])],
  create: (environment) => new PersistentVolumeExpanderController(environment),
});
