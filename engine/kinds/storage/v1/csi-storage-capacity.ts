/** Capacity of CSI storage. */
import type { CSIStorageCapacity } from '../../../api/storage/v1/types.gen.ts';
import { defineKind } from '../../../apimachinery/kind.ts';
import { columns, nameOf, text } from '../../shared/table.ts';

export const csiStorageCapacityKind = defineKind<CSIStorageCapacity>({
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'CSIStorageCapacity',
  plural: 'csistoragecapacities',
  singular: 'csistoragecapacity',
  namespaced: true,
  schema: 'io.k8s.api.storage.v1.CSIStorageCapacity',
  storagePrefix: 'csistoragecapacities',
  allowUnconditionalUpdate: false,
  columns: columns('Name', 'StorageClassName', 'Capacity'),
  row: (object) => [nameOf(object), object.storageClassName ?? '', text(object.capacity, '<unset>')],
});
