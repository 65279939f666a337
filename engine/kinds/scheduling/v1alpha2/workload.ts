/** Workloads of gang scheduling (alpha). */
import type { Workload } from '../../../api/scheduling/v1alpha2/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { allowedWorkload, validateWorkload, validateWorkloadUpdate } from './validation.ts';
import { ageOf, columns, nameOf } from '../../shared/table.ts';

export const workloadKind = defineKind<Workload>({
  group: 'scheduling.k8s.io',
  version: 'v1alpha2',
  kind: 'Workload',
  plural: 'workloads',
  singular: 'workload',
  namespaced: true,
  schema: 'io.k8s.api.scheduling.v1alpha2.Workload',
  storagePrefix: 'workloads',
  gate: 'GenericWorkload',
  hasGeneration: false,
  prepareForCreate: (object, context) => allowedWorkload(object, undefined, context),
  prepareForUpdate: allowedWorkload,
  validate: validateWorkload,
  validateUpdate: validateWorkloadUpdate,
  columns: columns('Name', 'Age'),
  row: (object, context) => [nameOf(object), ageOf(object, context)],
});
