/** Keeps volumes that are bound from being removed. Mirrors pkg/controller/volume/pvprotection/pv_protection_controller.go. */
import type { PersistentVolume } from '../../api/core/v1/types.gen.ts';
import { type Informer, type InformerEvent, keyOf } from '../../client/informer.ts';
import { persistentVolumes } from '../../client/resources.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { isDeletionCandidate, needsFinalizer, volumeProtection, withFinalizer, withoutFinalizer } from '../lib/protection.ts';

class VolumeProtectionController implements Controller {
  readonly #volumes: Informer<PersistentVolume>;
  readonly #adds: boolean;

  constructor(environment: ControllerEnvironment) {
    this.#volumes = environment.informer(persistentVolumes);
    this.#adds = environment.options.protectsStorage;
  }

  async reconcile({ client }: ReconcileContext, name: string): Promise<void> {
    const volume = this.#volumes.get(undefined, name);
    if (volume === undefined) return;
    if (isDeletionCandidate(volume, volumeProtection)) {
      if (volume.status?.phase !== 'Bound') await client.update(persistentVolumes, withoutFinalizer(volume, volumeProtection));
    } else if (this.#adds && needsFinalizer(volume, volumeProtection)) {
      await client.update(persistentVolumes, withFinalizer(volume, volumeProtection));
    }
  }
}

function keysOf({ type, object }: InformerEvent<PersistentVolume>): readonly string[] {
  if (type === 'delete') return [];
  return needsFinalizer(object, volumeProtection) || isDeletionCandidate(object, volumeProtection) ? [keyOf(object)] : [];
}

export const persistentVolumeProtectionController = defineController<VolumeProtectionController>({
  name: 'persistentvolume-protection-controller',
  aliases: ['pv-protection'],
  serviceAccount: 'pv-protection-controller',
  eventSource: 'pv-protection-controller',
  workers: () => 1,
  watches: [watchOf(persistentVolumes, keysOf)],
  create: (environment) => new VolumeProtectionController(environment),
});
