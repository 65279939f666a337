/** Capacity of CSI storage. */
import type { CSIStorageCapacity } from '../../../api/storage/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { validateCapacity, validateCapacityUpdate } from './validation.ts';

export const csiStorageCapacityKind = defineKind<CSIStorageCapacity>({
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'CSIStorageCapacity',
  metaChecks: { update: 'M U' },
  plural: 'csistoragecapacities',
  singular: 'csistoragecapacity',
  namespaced: true,
  schema: 'io.k8s.api.storage.v1.CSIStorageCapacity',
  storagePrefix: 'csistoragecapacities',
  validate: validateCapacity,
  validateUpdate: validateCapacityUpdate,
  allowUnconditionalUpdate: false,
});
