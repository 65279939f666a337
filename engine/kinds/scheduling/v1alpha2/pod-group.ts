/** Groups of pods that are scheduled together (alpha). */
import type { PodGroup } from '../../../api/scheduling/v1alpha2/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { allowedGroup, defaultPodGroup, validatePodGroup, validatePodGroupStatus, validatePodGroupUpdate } from './validation.ts';
import { dropStatus, keepStatus } from '../../shared/strategy.ts';
import { ageOf, columns, described, nameOf } from '../../shared/table.ts';

export const podGroupKind = defineKind<PodGroup>({
  group: 'scheduling.k8s.io',
  version: 'v1alpha2',
  kind: 'PodGroup',
  plural: 'podgroups',
  singular: 'podgroup',
  namespaced: true,
  schema: 'io.k8s.api.scheduling.v1alpha2.PodGroup',
  storagePrefix: 'podgroups',
  gate: 'GenericWorkload',
  hasGeneration: false,
  metaChecks: { keptByStatus: true },
  resetFields: [],
  statusSubresource: {
    verbs: ['get', 'patch', 'update'],
    hasTable: false,
    resetFields: [['metadata'], ['spec']],
    validateUpdate: validatePodGroupStatus,
  },
  defaults: defaultPodGroup,
  prepareForCreate: (object, context) => allowedGroup(dropStatus(object), undefined, context),
  prepareForUpdate: (next, old, context) => allowedGroup(keepStatus(next, old), old, context),
  validate: validatePodGroup,
  validateUpdate: validatePodGroupUpdate,
  columns: columns(
    'Name',
    described(
      'Policy',
      'SchedulingPolicy defines the scheduling policy for this instance of the PodGroup. Controllers are expected to fill this field by copying it from a PodGroupTemplate. This field is immutable.',
    ),
    described('Workload', 'Name of the referenced Workload object'),
    described('Status', 'Status of the PodGroup'),
    'Age',
  ),
  row(object, context) {
    const conditions = object.status?.conditions ?? [];
    const scheduled = conditions.find((condition) => condition.type === 'PodGroupScheduled');
    const disrupted = conditions.find((condition) => condition.type === 'DisruptionTarget');
    const status = disrupted?.reason ?? (scheduled === undefined ? 'Pending' : scheduled.status === 'True' ? 'Scheduled' : 'Unschedulable');
    const workload = object.spec?.podGroupTemplateRef?.workload?.workloadName ?? '<none>';
    return [nameOf(object), object.spec?.schedulingPolicy?.gang ? 'Gang' : 'Basic', workload, status, ageOf(object, context)];
  },
});
