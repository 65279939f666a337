/**
 * The flow schemas and priority levels that a cluster begins with beside the two of each that every cluster has. Mirrors
 * SuggestedFlowSchemas and SuggestedPriorityLevelConfigurations of apiserver pkg/apis/flowcontrol/bootstrap.
 */
import type { KubeObject } from '../../apimachinery/object.ts';

const apiVersion = 'flowcontrol.apiserver.k8s.io/v1';
const queueLengthLimit = 50;

const everything = {
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
};

interface Level {
  readonly shares: number;
  readonly lendablePercent: number;
  readonly queues: number;
  readonly handSize: number;
}

function level(name: string, { shares, lendablePercent, queues, handSize }: Level): KubeObject {
  const limitResponse = { type: 'Queue', queuing: { queues, handSize, queueLengthLimit } };
  const limited = { nominalConcurrencyShares: shares, limitResponse, lendablePercent };
  return { apiVersion, kind: 'PriorityLevelConfiguration', metadata: { name }, spec: { type: 'Limited', limited } } as KubeObject;
}

function schema(
  name: string,
  matchingPrecedence: number,
  priorityLevel: string,
  distinguisher: 'ByUser' | 'ByNamespace' | undefined,
  subjects: readonly object[],
  rules: object,
): KubeObject {
  const spec = {
    priorityLevelConfiguration: { name: priorityLevel },
    matchingPrecedence,
    ...(distinguisher && { distinguisherMethod: { type: distinguisher } }),
    rules: [{ subjects, ...rules }],
  };
  return { apiVersion, kind: 'FlowSchema', metadata: { name }, spec } as KubeObject;
}

const user = (name: string): object => ({ kind: 'User', user: { name } });
const group = (name: string): object => ({ kind: 'Group', group: { name } });
/** All service accounts of a namespace. */
const accounts = (namespace: string): object => ({ kind: 'ServiceAccount', serviceAccount: { namespace, name: '*' } });

export const suggestedFlowControl: readonly KubeObject[] = [
  level('global-default', { shares: 20, lendablePercent: 50, queues: 128, handSize: 6 }),
  level('leader-election', { shares: 10, lendablePercent: 0, queues: 16, handSize: 4 }),
  level('node-high', { shares: 40, lendablePercent: 25, queues: 64, handSize: 6 }),
  level('system', { shares: 30, lendablePercent: 33, queues: 64, handSize: 6 }),
  level('workload-high', { shares: 40, lendablePercent: 50, queues: 128, handSize: 6 }),
  level('workload-low', { shares: 100, lendablePercent: 90, queues: 128, handSize: 6 }),
  schema('probes', 2, 'exempt', undefined, [group('system:unauthenticated'), group('system:authenticated')], {
    nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] }],
  }),
  schema(
    'system-leader-election',
    100,
    'leader-election',
    'ByUser',
    [user('system:kube-controller-manager'), user('system:kube-scheduler'), accounts('kube-system')],
    { resourceRules: [{ verbs: ['get', 'create', 'update'], apiGroups: ['coordination.k8s.io'], resources: ['leases'], namespaces: ['*'] }] },
  ),
  schema('system-node-high', 400, 'node-high', 'ByUser', [group('system:nodes')], {
    resourceRules: [
      { verbs: ['*'], apiGroups: [''], resources: ['nodes', 'nodes/status'], clusterScope: true, namespaces: ['*'] },
      { verbs: ['*'], apiGroups: ['coordination.k8s.io'], resources: ['leases'], namespaces: ['*'] },
    ],
  }),
  schema('system-nodes', 500, 'system', 'ByUser', [group('system:nodes')], everything),
  schema('kube-controller-manager', 800, 'workload-high', 'ByNamespace', [user('system:kube-controller-manager')], everything),
  schema('kube-scheduler', 800, 'workload-high', 'ByNamespace', [user('system:kube-scheduler')], everything),
  schema('kube-system-service-accounts', 900, 'workload-high', 'ByNamespace', [accounts('kube-system')], everything),
  schema('service-accounts', 9000, 'workload-low', 'ByUser', [group('system:serviceaccounts')], everything),
  schema('global-default', 9900, 'global-default', 'ByUser', [group('system:unauthenticated'), group('system:authenticated')], everything),
];
