/** Claims for persistent volumes. Mirrors pkg/registry/core/persistentvolumeclaim/strategy.go. */
import type { PersistentVolumeClaim } from '../../../api/core/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { accessModesText, ageOf, columns, nameOf, text } from '../../shared/table.ts';
import { defaultPersistentVolumeClaim } from './persistent-volume-defaults.ts';
import { keepStatus, withStatus } from '../../shared/strategy.ts';
import { validateClaim, validateClaimUpdate } from './volume-object-validation.ts';

export const persistentVolumeClaimKind = defineKind<PersistentVolumeClaim>({
  group: '',
  version: 'v1',
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
  singular: 'persistentvolumeclaim',
  shortNames: ['pvc'],
  namespaced: true,
  schema: 'io.k8s.api.core.v1.PersistentVolumeClaim',
  storagePrefix: 'persistentvolumeclaims',
  hasGeneration: false,
  statusSubresource: true,
  selectableFields: { name: (object) => object.metadata.name ?? '' },
  defaults: defaultPersistentVolumeClaim,
  prepareForCreate: (object) => withStatus(object, { phase: 'Pending' }),
  prepareForUpdate: keepStatus,
  validate: validateClaim,
  validateUpdate: validateClaimUpdate,
  columns: columns('Name', 'Status', 'Volume', 'Capacity', 'Access Modes', 'StorageClass', 'VolumeAttributesClass', 'Age', '*VolumeMode'),
  row(object, context) {
    const { volumeName = '', storageClassName = '', volumeAttributesClassName, volumeMode } = object.spec ?? {};
    const phase = object.metadata.deletionTimestamp === undefined ? (object.status?.phase ?? '') : 'Terminating';
    const storageClass = object.metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? storageClassName;
    const bound = volumeName === '' ? ['', ''] : [object.status?.capacity?.['storage'] ?? '0', accessModesText(object.status?.accessModes)];
    return [
      nameOf(object),
      phase,
      volumeName,
      ...bound,
      storageClass,
      text(volumeAttributesClassName, '<unset>'),
      ageOf(object, context),
      text(volumeMode, '<unset>'),
    ];
  },
});
