/** Runtime classes. */
import type { RuntimeClass } from '../../../api/node/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { ageOf, columns, nameOf } from '../../shared/table.ts';
import { validateRuntimeClass, validateRuntimeClassUpdate } from '../../shared/small-validation.ts';

export const runtimeClassKind = defineKind<RuntimeClass>({
  group: 'node.k8s.io',
  version: 'v1',
  kind: 'RuntimeClass',
  metaChecks: { create: 'm', update: 'm u' },
  plural: 'runtimeclasses',
  singular: 'runtimeclass',
  namespaced: false,
  schema: 'io.k8s.api.node.v1.RuntimeClass',
  storagePrefix: 'runtimeclasses',
  allowUnconditionalUpdate: false,
  allowCreateOnUpdate: true,
  validate: validateRuntimeClass,
  validateUpdate: validateRuntimeClassUpdate,
  columns: columns('Name', 'Handler', 'Age'),
  row: (object, context) => [nameOf(object), object.handler ?? '', ageOf(object, context)],
});
