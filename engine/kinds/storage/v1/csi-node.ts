/** CSI drivers of a node. */
import type { CSINode } from '../../../api/storage/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { ageOf, columns, integerColumn, nameOf } from '../../shared/table.ts';
import { validateNode, validateNodeUpdate } from './driver-validation.ts';

export const csiNodeKind = defineKind<CSINode>({
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'CSINode',
  metaChecks: { update: 'M' },
  plural: 'csinodes',
  singular: 'csinode',
  namespaced: false,
  schema: 'io.k8s.api.storage.v1.CSINode',
  storagePrefix: 'csinodes',
  validate: validateNode,
  validateUpdate: validateNodeUpdate,
  hasGeneration: false,
  allowUnconditionalUpdate: false,
  columns: columns('Name', integerColumn('Drivers', 'Drivers indicates the number of CSI drivers registered on the node'), 'Age'),
  row: (object, context) => [nameOf(object), object.spec?.drivers?.length ?? 0, ageOf(object, context)],
});
