/** Storage classes. */
import type { StorageClass } from '../../../api/storage/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { ageOf, columns, nameOf } from '../../shared/table.ts';
import { fill } from '../../shared/defaulting.ts';
import { validateStorageClass, validateStorageClassUpdate } from './validation.ts';

export const storageClassKind = defineKind<StorageClass>({
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'StorageClass',
  metaChecks: { update: 'M U' },
  plural: 'storageclasses',
  singular: 'storageclass',
  shortNames: ['sc'],
  namespaced: false,
  schema: 'io.k8s.api.storage.v1.StorageClass',
  storagePrefix: 'storageclasses',
  defaults: (object) => fill(object, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }),
  validate: validateStorageClass,
  validateUpdate: validateStorageClassUpdate,
  columns: columns('Name', 'Provisioner', 'ReclaimPolicy', 'VolumeBindingMode', 'AllowVolumeExpansion', 'Age'),
  row(object, context) {
    const marks = object.metadata.annotations ?? {};
    const isDefault =
      marks['storageclass.kubernetes.io/is-default-class'] === 'true' || marks['storageclass.beta.kubernetes.io/is-default-class'] === 'true';
    const { provisioner = '', reclaimPolicy = 'Delete', volumeBindingMode = 'Immediate', allowVolumeExpansion = false } = object;
    return [
      nameOf(object) + (isDefault ? ' (default)' : ''),
      provisioner,
      reclaimPolicy,
      volumeBindingMode,
      allowVolumeExpansion,
      ageOf(object, context),
    ];
  },
});
