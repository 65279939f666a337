/** Flow schemas of priority and fairness. */
import type { FlowSchema } from '../../../api/flowcontrol/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { ageOf, columns, described, nameOf } from '../../shared/table.ts';
import { edit, fillZero } from '../../shared/defaulting.ts';
import { validateFlowSchema, validateFlowSchemaStatus } from './flow-schema-validation.ts';

export const flowSchemaKind = defineKind<FlowSchema>({
  group: 'flowcontrol.apiserver.k8s.io',
  version: 'v1',
  kind: 'FlowSchema',
  metaChecks: { update: 'M', status: '', keptByStatus: true },
  plural: 'flowschemas',
  singular: 'flowschema',
  namespaced: false,
  schema: 'io.k8s.api.flowcontrol.v1.FlowSchema',
  storagePrefix: 'flowschemas',
  statusSubresource: {
    verbs: ['get', 'patch', 'update'],
    validateUpdate: validateFlowSchemaStatus,
    resetFields: [['metadata'], ['spec']],
  },
  defaults: (object) => edit(object, 'spec', (spec) => fillZero(spec, { matchingPrecedence: 1000 })),
  validate: validateFlowSchema,
  validateUpdate: validateFlowSchema,
  columns: columns(
    'Name',
    'PriorityLevel',
    'MatchingPrecedence',
    'DistinguisherMethod',
    'Age',
    described('MissingPL', 'references a broken or non-existent PriorityLevelConfiguration'),
  ),
  rowOrder: (a, b) =>
    (a.spec?.matchingPrecedence ?? 0) - (b.spec?.matchingPrecedence ?? 0) || ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1),
  row(object, context) {
    const { priorityLevelConfiguration, matchingPrecedence = 0, distinguisherMethod } = object.spec ?? {};
    const dangling = object.status?.conditions?.find((condition) => condition.type === 'Dangling')?.status ?? '?';
    return [
      nameOf(object),
      priorityLevelConfiguration?.name ?? '',
      matchingPrecedence,
      distinguisherMethod?.type ?? '<none>',
      ageOf(object, context),
      dangling,
    ];
  },
});
