/**
 * The two flow schemas and priority levels that every cluster has and nobody may change but in what is the user's own. Mirrors
 * MandatoryFlowSchemas and MandatoryPriorityLevelConfigurations of apiserver pkg/apis/flowcontrol/bootstrap.
 */
import type { FlowSchema, PriorityLevelConfiguration } from '../../../api/flowcontrol/v1/types.gen.ts';

const apiVersion = 'flowcontrol.apiserver.k8s.io/v1';

const everything = {
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
};

export const exemptName = 'exempt';

export const mandatorySchemas: readonly FlowSchema[] = [
  {
    apiVersion,
    kind: 'FlowSchema',
    metadata: { name: exemptName },
    spec: {
      priorityLevelConfiguration: { name: exemptName },
      matchingPrecedence: 1,
      rules: [{ subjects: [{ kind: 'Group', group: { name: 'system:masters' } }], ...everything }],
    },
  },
  {
    apiVersion,
    kind: 'FlowSchema',
    metadata: { name: 'catch-all' },
    spec: {
      priorityLevelConfiguration: { name: 'catch-all' },
      matchingPrecedence: 10_000,
      distinguisherMethod: { type: 'ByUser' },
      rules: [
        {
          subjects: ['system:unauthenticated', 'system:authenticated'].map((name) => ({ kind: 'Group', group: { name } })),
          ...everything,
        },
      ],
    },
  },
];

export const mandatoryLevels: readonly PriorityLevelConfiguration[] = [
  {
    apiVersion,
    kind: 'PriorityLevelConfiguration',
    metadata: { name: exemptName },
    spec: { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } },
  },
  {
    apiVersion,
    kind: 'PriorityLevelConfiguration',
    metadata: { name: 'catch-all' },
    spec: { type: 'Limited', limited: { nominalConcurrencyShares: 5, limitResponse: { type: 'Reject' }, lendablePercent: 0 } },
  },
];
