/** Priority classes. */
import type { PriorityClass } from '../../../api/scheduling/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { ageOf, booleanColumn, columns, integerColumn, nameOf } from '../../shared/table.ts';
import { fill } from '../../shared/defaulting.ts';
import { isSystemClass, validatePriorityClass, validatePriorityClassUpdate } from '../../shared/small-validation.ts';

export const priorityClassKind = defineKind<PriorityClass>({
  group: 'scheduling.k8s.io',
  version: 'v1',
  kind: 'PriorityClass',
  plural: 'priorityclasses',
  singular: 'priorityclass',
  shortNames: ['pc'],
  namespaced: false,
  schema: 'io.k8s.api.scheduling.v1.PriorityClass',
  storagePrefix: 'priorityclasses',
  hasGeneration: true,
  // Upstream counts no changes of it.
  desiredChanged: () => false,
  defaults: (object) => fill(object, { preemptionPolicy: 'PreemptLowerPriority' }),
  // As Delete of pkg/registry/scheduling/priorityclass/storage, which a deletion of all goes past.
  undeletable: (name) => (isSystemClass(name) ? 'this is a system priority class and cannot be deleted' : undefined),
  validate: validatePriorityClass,
  validateUpdate: validatePriorityClassUpdate,
  columns: columns('Name', integerColumn('Value'), booleanColumn('Global-Default'), 'Age', 'PreemptionPolicy'),
  row: (object, context) => [nameOf(object), object.value ?? 0, object.globalDefault ?? false, ageOf(object, context), object.preemptionPolicy ?? ''],
});
