/** Keeps volume attributes classes that claims or volumes name from being removed. Mirrors pkg/controller/volume/vacprotection. */
import type { PersistentVolume, PersistentVolumeClaim } from '../../api/core/v1/types.gen.ts';
import type { VolumeAttributesClass } from '../../api/storage/v1/types.gen.ts';
import { type Informer, type InformerEvent, keyOf } from '../../client/informer.ts';
import { persistentVolumeClaims, persistentVolumes, volumeAttributesClasses } from '../../client/resources.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { attributesClassProtection, isDeletionCandidate, needsFinalizer, withFinalizer, withoutFinalizer } from '../lib/protection.ts';

class AttributesClassProtectionController implements Controller {
  readonly #classes: Informer<VolumeAttributesClass>;
  readonly #claims: Informer<PersistentVolumeClaim>;
  readonly #volumes: Informer<PersistentVolume>;

  constructor(environment: ControllerEnvironment) {
    this.#classes = environment.informer(volumeAttributesClasses);
    this.#claims = environment.informer(persistentVolumeClaims);
    this.#volumes = environment.informer(persistentVolumes);
  }

  /** Classes that wait for their last user look again when a user lets go. */
  keysOfUser(names: readonly string[]): readonly string[] {
    return names.filter((name) => {
      const found = this.#classes.get(undefined, name);
      return found !== undefined && isDeletionCandidate(found, attributesClassProtection);
    });
  }

  async reconcile({ client }: ReconcileContext, name: string): Promise<void> {
    const found = this.#classes.get(undefined, name);
    if (found === undefined) return;
    if (isDeletionCandidate(found, attributesClassProtection)) {
      if (!this.#isUsed(name)) await client.update(volumeAttributesClasses, withoutFinalizer(found, attributesClassProtection));
    } else if (needsFinalizer(found, attributesClassProtection)) {
      await client.update(volumeAttributesClasses, withFinalizer(found, attributesClassProtection));
    }
  }

  #isUsed(name: string): boolean {
    return (
      this.#volumes.list().some((volume) => namesOfVolume(volume).includes(name)) ||
      this.#claims.list().some((claim) => namesOfClaim(claim).includes(name))
    );
  }
}

function namesOfVolume({ spec }: PersistentVolume): readonly string[] {
  return spec?.volumeAttributesClassName ? [spec.volumeAttributesClassName] : [];
}

function namesOfClaim({ spec, status }: PersistentVolumeClaim): readonly string[] {
  const names = [
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ];
  return names.filter((name): name is string => name !== undefined && name !== '');
}

function keysOfClass({ type, object }: InformerEvent<VolumeAttributesClass>): readonly string[] {
  if (type === 'delete') return [];
  return needsFinalizer(object, attributesClassProtection) || isDeletionCandidate(object, attributesClassProtection) ? [keyOf(object)] : [];
}

export const volumeAttributesClassProtectionController = defineController<AttributesClassProtectionController>({
  name: 'volumeattributesclass-protection-controller',
  aliases: [],
  serviceAccount: 'volumeattributesclass-protection-controller',
  eventSource: 'volumeattributesclass-protection-controller',
  workers: () => 1,
  watches: [
    watchOf(volumeAttributesClasses, keysOfClass),
    watchOf(persistentVolumeClaims, (event, controller: AttributesClassProtectionController) =>
      controller.keysOfUser(namesOfClaim(event.type === 'update' ? event.old : event.object)),
    ),
    watchOf(persistentVolumes, (event, controller: AttributesClassProtectionController) =>
      controller.keysOfUser(namesOfVolume(event.type === 'update' ? event.old : event.object)),
    ),
  ],
  create: (environment) => new AttributesClassProtectionController(environment),
});
