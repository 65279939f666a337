/**
 * What admission makes of requests under quotas: each case is a namespace of its own, whose quotas get the status that the case says
 * (no controller runs), and requests one after another. What a real API server answered stands in `recorded.json`.
 */
export interface QuotaCase {
  readonly name: string;
  readonly quotas: readonly { readonly name: string; readonly spec: object; readonly used?: Readonly<Record<string, string>> }[];
  readonly requests: readonly QuotaRequest[];
}

/** `path` below the namespace; a body without a method is a creation. */
export interface QuotaRequest {
  readonly method?: string;
  readonly group?: string;
  readonly path: string;
  readonly query?: string;
  readonly type?: string;
  readonly body: object;
}

const quota = (hard: Readonly<Record<string, string>>, used: Readonly<Record<string, string>>, more: object = {}, name = 'q') => ({
  name,
  spec: { hard, ...more },
  used,
});
const make = (path: string, body: object, more: Partial<QuotaRequest> = {}): QuotaRequest => ({ path, body, ...more });
const merge = (path: string, body: object): QuotaRequest => ({ method: 'PATCH', path, type: 'application/merge-patch+json', body });
const map = (name: string): QuotaRequest => make('configmaps', { metadata: { name } });
const pod = (name: string, resources: object = {}, spec: object = {}, more: Partial<QuotaRequest> = {}): QuotaRequest =>
  make('pods', { metadata: { name }, spec: { containers: [{ name: 'c', image: 'i', resources }], ...spec } }, more);
const asking = (name: string, requests: object, limits: object = {}): QuotaRequest => pod(name, { requests, limits });
const service = (name: string, spec: object): QuotaRequest => make('services', { metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } });
const claim = (name: string, storage: string, spec: object = {}): QuotaRequest =>
  make('persistentvolumeclaims', { metadata: { name }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } }, ...spec } });
const deployment = (name: string): QuotaRequest =>
  make(
    'deployments',
    {
      metadata: { name },
      spec: {
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
    },
    { group: 'apis/apps/v1' },
  );
const resize = (name: string, resources: object): QuotaRequest => ({
  method: 'PATCH',
  path: `pods/${name}/resize`,
  type: 'application/strategic-merge-patch+json',
  body: { spec: { containers: [{ name: 'c', resources }] } },
});
const inClass = (operator: string, values?: readonly string[]): object => ({
  scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator, ...(values === undefined ? {} : { values }) }] },
});
const across = {
  affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'x', namespaces: ['other'], labelSelector: {} }] } },
};
const gold = 'gold.storageclass.storage.k8s.io';
const devices = (exactly: object): QuotaRequest =>
  make(
    'resourceclaims',
    { metadata: { generateName: 'c-' }, spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu', ...exactly } }] } } },
    { group: 'apis/resource.k8s.io/v1' },
  );

const taking = (version: string, metadata: object, ...requests: readonly object[]): QuotaRequest =>
  make(
    'resourceclaims',
    { metadata: { generateName: 'c-', ...metadata }, spec: { devices: { requests } } },
    { group: `apis/resource.k8s.io/${version}` },
  );
const of = (deviceClassName: string, count: number): object => ({ name: 'r', exactly: { deviceClassName, allocationMode: 'ExactCount', count } });
const served = 'requests.example.com/served';
const own = 'requests.deviceclass.resource.kubernetes.io';

/** ResourceClaims take the extended resources that their classes stand for. */
const extendedCases: readonly QuotaCase[] = [
  {
    name: 'claims take what their class stands for',
    quotas: [
      quota({ [served]: '3', [`${own}/serving`]: '9', [`${own}/plain`]: '2' }, { [served]: '0', [`${own}/serving`]: '0', [`${own}/plain`]: '0' }),
    ],
    requests: [
      taking('v1', {}, of('serving', 2)),
      taking('v1', {}, of('plain', 2)),
      taking('v1', {}, of('serving', 2)),
      taking('v1', {}, of('plain', 1)),
    ],
  },
  {
    name: 'claims and pods share a quota',
    quotas: [quota({ [served]: '3' }, { [served]: '0' })],
    requests: [
      pod('a', { requests: { 'example.com/served': '2' }, limits: { 'example.com/served': '2' } }),
      taking('v1', {}, of('serving', 1)),
      taking('v1', {}, of('serving', 1)),
    ],
  },
  {
    name: 'alternatives take the most of each class',
    quotas: [quota({ [served]: '40', [`${own}/plain`]: '40' }, { [served]: '0', [`${own}/plain`]: '0' })],
    requests: [
      taking(
        'v1',
        {},
        {
          name: 'r',
          firstAvailable: [
            { name: 'a', deviceClassName: 'serving', allocationMode: 'ExactCount', count: 2 },
            { name: 'b', deviceClassName: 'serving', allocationMode: 'All' },
            { name: 'c', deviceClassName: 'plain', allocationMode: 'ExactCount', count: 3 },
          ],
        },
      ),
    ],
  },
  {
    name: 'claims of older versions are counted as those of today',
    quotas: [quota({ [served]: '3', 'count/resourceclaims.resource.k8s.io': '9' }, { [served]: '0', 'count/resourceclaims.resource.k8s.io': '0' })],
    requests: [
      taking('v1beta2', {}, of('serving', 2)),
      taking('v1beta1', {}, { name: 'r', deviceClassName: 'serving', allocationMode: 'ExactCount', count: 2 }),
      taking('v1beta1', {}, { name: 'r', deviceClassName: 'serving' }),
    ],
  },
  {
    name: 'a class that is not there is taken under its own name only, where a quota limits that',
    quotas: [quota({ [`${own}/absent`]: '1', [served]: '1', pods: '1' }, { [`${own}/absent`]: '0', [served]: '0', pods: '0' })],
    requests: [taking('v1', {}, of('absent', 5))],
  },
  {
    name: 'who says that it was made for a pod that is not there pays',
    quotas: [quota({ [served]: '1' }, { [served]: '0' })],
    requests: [
      taking(
        'v1',
        {
          annotations: { 'resource.kubernetes.io/extended-resource-claim': 'true' },
          ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'nobody', uid: 'nobody', controller: true }],
        },
        of('serving', 2),
      ),
    ],
  },
];

export const quotaCases: readonly QuotaCase[] = [
  ...extendedCases,
  { name: 'objects are charged and then refused', quotas: [quota({ configmaps: '2' }, { configmaps: '1' })], requests: [map('a'), map('b')] },
  {
    name: 'by generated name',
    quotas: [quota({ configmaps: '0' }, { configmaps: '0' })],
    requests: [make('configmaps', { metadata: { generateName: 'g-' } })],
  },
  { name: 'what somebody wrote counts', quotas: [quota({ pods: '5' }, { pods: '5' })], requests: [pod('a')] },
  {
    name: 'a use that is too small lets in',
    quotas: [quota({ configmaps: '1' }, { configmaps: '1' })],
    requests: [merge('resourcequotas/q/status', { status: { used: { configmaps: '0' } } }), map('a'), map('b')],
  },
  { name: 'limits of the status are in force', quotas: [{ name: 'q', spec: { hard: { configmaps: '0' } } }], requests: [map('a')] },
  {
    name: 'not counted yet',
    quotas: [quota({ pods: '1', 'requests.cpu': '1', services: '1' }, { services: '0' })],
    requests: [asking('a', { cpu: '1' }), service('s', {})],
  },
  {
    name: 'a dry run charges nothing',
    quotas: [quota({ configmaps: '1' }, { configmaps: '0' })],
    requests: [{ ...map('a'), query: 'dryRun=All' }, map('a')],
  },
  { name: 'a refusal in a dry run', quotas: [quota({ configmaps: '0' }, { configmaps: '0' })], requests: [{ ...map('a'), query: 'dryRun=All' }] },
  {
    name: 'two quotas',
    quotas: [
      quota({ configmaps: '5' }, { configmaps: '1' }, {}, 'a'),
      quota({ configmaps: '2', secrets: '1' }, { configmaps: '1', secrets: '0' }, {}, 'b'),
    ],
    requests: [map('a'), map('b'), make('secrets', { metadata: { name: 's' } })],
  },
  {
    name: 'amounts of pods',
    quotas: [
      quota(
        {
          pods: '9',
          'count/pods': '9',
          'requests.cpu': '2',
          cpu: '3',
          'limits.cpu': '4',
          memory: '1Gi',
          'limits.memory': '2Gi',
          'requests.ephemeral-storage': '5Gi',
        },
        {
          pods: '1',
          'count/pods': '2',
          'requests.cpu': '500m',
          cpu: '500m',
          'limits.cpu': '1',
          memory: '100Mi',
          'limits.memory': '0',
          'requests.ephemeral-storage': '0',
        },
      ),
    ],
    requests: [
      asking('a', { cpu: '250m', memory: '100Mi', 'ephemeral-storage': '1Gi' }, { cpu: '1', memory: '1Gi' }),
      asking('b', { cpu: '2', memory: '100Mi' }, { cpu: '2', memory: '128Mi' }),
      asking('c', { cpu: '0.1', memory: '1e3' }, { cpu: '1', memory: '1M' }),
    ],
  },
  {
    name: 'init containers and overhead count',
    quotas: [quota({ 'requests.cpu': '2' }, { 'requests.cpu': '0' })],
    requests: [
      pod('a', { requests: { cpu: '100m' } }, { initContainers: [{ name: 'i', image: 'i', resources: { requests: { cpu: '700m' } } }] }),
      pod(
        'b',
        { requests: { cpu: '1' } },
        { initContainers: [{ name: 'i', image: 'i', restartPolicy: 'Always', resources: { requests: { cpu: '400m' } } }] },
      ),
    ],
  },
  {
    name: 'what must be said',
    quotas: [quota({ 'requests.cpu': '1', 'limits.memory': '1Gi', memory: '1Gi' }, { 'requests.cpu': '0', 'limits.memory': '0', memory: '0' })],
    requests: [
      pod('a'),
      pod('b', { requests: { cpu: '100m', memory: '1Mi' } }, { initContainers: [{ name: 'i', image: 'i' }] }),
      pod('p', {}, { resources: { requests: { cpu: '100m', memory: '1Mi' }, limits: { memory: '1Mi', cpu: '1' } } }),
    ],
  },
  {
    name: 'extended resources and huge pages',
    quotas: [quota({ 'requests.example.com/gpu': '1', 'hugepages-2Mi': '4Mi' }, { 'requests.example.com/gpu': '0', 'hugepages-2Mi': '0' })],
    requests: [
      asking('a', { 'example.com/gpu': '1' }, { 'example.com/gpu': '1' }),
      asking('b', { 'example.com/gpu': '1' }, { 'example.com/gpu': '1' }),
      asking('h', { 'hugepages-2Mi': '8Mi', cpu: '1' }, { 'hugepages-2Mi': '8Mi', cpu: '1' }),
    ],
  },
  {
    name: 'best effort or not',
    quotas: [
      quota({ pods: '1' }, { pods: '0' }, { scopes: ['BestEffort'] }, 'best'),
      quota({ pods: '1' }, { pods: '0' }, { scopes: ['NotBestEffort'] }, 'not'),
    ],
    requests: [pod('a'), asking('b', { cpu: '1' }), pod('c'), asking('d', { cpu: '1' })],
  },
  {
    name: 'a deadline moves a pod from one scope to the other',
    quotas: [
      quota({ pods: '1' }, { pods: '0' }, { scopes: ['Terminating'] }, 'ending'),
      quota({ pods: '9' }, { pods: '0' }, { scopes: ['NotTerminating'] }, 'lasting'),
    ],
    requests: [
      pod('a'),
      pod('b'),
      merge('pods/a', { spec: { activeDeadlineSeconds: 60 } }),
      merge('pods/b', { spec: { activeDeadlineSeconds: 60 } }),
    ],
  },
  {
    name: 'by class: in',
    quotas: [quota({ pods: '0' }, { pods: '0' }, inClass('In', ['vip']))],
    requests: [pod('a'), pod('b', {}, { priorityClassName: 'vip' })],
  },
  {
    name: 'by class: not in',
    quotas: [quota({ pods: '0' }, { pods: '0' }, inClass('NotIn', ['vip']))],
    requests: [pod('b', {}, { priorityClassName: 'vip' }), pod('a')],
  },
  {
    name: 'by class: exists',
    quotas: [quota({ pods: '0' }, { pods: '0' }, inClass('Exists'))],
    requests: [pod('a'), pod('b', {}, { priorityClassName: 'vip' })],
  },
  {
    name: 'by class: does not exist',
    quotas: [quota({ pods: '0' }, { pods: '0' }, inClass('DoesNotExist'))],
    requests: [pod('b', {}, { priorityClassName: 'vip' }), pod('a')],
  },
  {
    name: 'affinity to other namespaces',
    quotas: [quota({ pods: '0' }, { pods: '0' }, { scopes: ['CrossNamespacePodAffinity'] })],
    requests: [pod('a'), pod('b', {}, across)],
  },
  {
    name: 'scopes keep out what has none',
    quotas: [quota({ 'requests.cpu': '0' }, { 'requests.cpu': '0' }, { scopes: ['NotBestEffort'] })],
    requests: [map('a'), service('s', {})],
  },
  {
    name: 'services and their ports',
    quotas: [
      quota(
        { services: '9', 'services.nodeports': '3', 'services.loadbalancers': '1' },
        { services: '0', 'services.nodeports': '0', 'services.loadbalancers': '0' },
      ),
    ],
    requests: [
      service('a', {}),
      service('n', {
        type: 'NodePort',
        ports: [
          { name: 'x', port: 80 },
          { name: 'y', port: 81 },
        ],
      }),
      service('l', { type: 'LoadBalancer' }),
      service('m', { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false }),
      merge('services/a', { spec: { type: 'NodePort' } }),
      merge('services/n', { spec: { type: 'ClusterIP' } }),
      merge('services/a', { metadata: { labels: { x: 'y' } } }),
    ],
  },
  {
    name: 'claims by size and class',
    quotas: [
      quota(
        { persistentvolumeclaims: '9', 'requests.storage': '9Gi', [`${gold}/requests.storage`]: '5Gi', [`${gold}/persistentvolumeclaims`]: '1' },
        { persistentvolumeclaims: '0', 'requests.storage': '0', [`${gold}/requests.storage`]: '0', [`${gold}/persistentvolumeclaims`]: '0' },
      ),
    ],
    requests: [
      claim('a', '3Gi'),
      claim('b', '3Gi', { storageClassName: 'gold' }),
      claim('c', '1500m', { storageClassName: 'iron' }),
      claim('d', '1Gi', { storageClassName: 'gold' }),
      claim('e', '4Gi'),
      merge('persistentvolumeclaims/a/status', { status: { phase: 'Bound', capacity: { storage: '3Gi' }, allocatedResources: { storage: '20Gi' } } }),
    ],
  },
  {
    name: 'claims by volume attributes class',
    quotas: [
      quota(
        { persistentvolumeclaims: '1' },
        { persistentvolumeclaims: '0' },
        { scopeSelector: { matchExpressions: [{ scopeName: 'VolumeAttributesClass', operator: 'In', values: ['fast'] }] } },
      ),
    ],
    requests: [claim('a', '1Gi'), claim('b', '1Gi', { volumeAttributesClassName: 'fast' }), claim('c', '1Gi', { volumeAttributesClassName: 'fast' })],
  },
  {
    name: 'any kind by its count',
    quotas: [quota({ 'count/deployments.apps': '1', 'count/configmaps': '1' }, { 'count/deployments.apps': '0', 'count/configmaps': '0' })],
    requests: [deployment('a'), deployment('b'), map('a'), map('b'), merge('configmaps/a', { data: { x: 'y' } })],
  },
  {
    name: 'devices of claims',
    quotas: [
      quota(
        { 'gpu.deviceclass.resource.k8s.io/devices': '3', 'count/resourceclaims.resource.k8s.io': '9' },
        { 'gpu.deviceclass.resource.k8s.io/devices': '0', 'count/resourceclaims.resource.k8s.io': '0' },
      ),
    ],
    requests: [devices({ allocationMode: 'ExactCount', count: 2 }), devices({ allocationMode: 'All' }), devices({}), devices({})],
  },
  {
    name: 'a pod grows',
    quotas: [quota({ 'requests.cpu': '2', 'limits.cpu': '9' }, { 'requests.cpu': '0', 'limits.cpu': '0' })],
    requests: [
      asking('a', { cpu: '1' }, { cpu: '2' }),
      resize('a', { requests: { cpu: '1500m' } }),
      resize('a', { requests: { cpu: '1200m' } }),
      resize('a', { requests: { cpu: '2', memory: '1Gi' } }),
    ],
  },
  {
    name: 'a quota counts quotas',
    quotas: [quota({ resourcequotas: '1' }, { resourcequotas: '1' })],
    requests: [make('resourcequotas', { metadata: { name: 'z' }, spec: {} })],
  },
  {
    name: 'the API of another version',
    quotas: [quota({ 'count/horizontalpodautoscalers.autoscaling': '0' }, { 'count/horizontalpodautoscalers.autoscaling': '0' })],
    requests: [
      make(
        'horizontalpodautoscalers',
        { metadata: { name: 'h' }, spec: { maxReplicas: 2, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' } } },
        { group: 'apis/autoscaling/v1' },
      ),
    ],
  },
];

/** What must not be used without a quota that covers it. */
export const limitedConfiguration = `apiVersion: apiserver.config.k8s.io/v1
kind: AdmissionConfiguration
plugins:
- name: ResourceQuota
  configuration:
    apiVersion: apiserver.config.k8s.io/v1
    kind: ResourceQuotaConfiguration
    limitedResources:
    - resource: pods
      matchScopes:
      - scopeName: PriorityClass
        operator: In
        values: [vip]
    - resource: persistentvolumeclaims
      matchContains: [.storageclass.storage.k8s.io/requests.storage]
    - resource: deployments
      apiGroup: apps
      matchContains: [count/]
`;

/** Under that configuration. */
export const limitedCases: readonly QuotaCase[] = [
  {
    name: 'no quota covers',
    quotas: [],
    requests: [
      pod('a'),
      pod('b', {}, { priorityClassName: 'vip' }),
      claim('c', '1Gi', { storageClassName: 'gold' }),
      claim('d', '1Gi', { storageClassName: '' }),
      deployment('e'),
    ],
  },
  {
    name: 'a quota covers',
    quotas: [
      quota({ pods: '1' }, { pods: '0' }, inClass('In', ['vip'])),
      quota(
        { [`${gold}/requests.storage`]: '1Gi', 'count/deployments.apps': '1' },
        { [`${gold}/requests.storage`]: '0', 'count/deployments.apps': '0' },
        {},
        'r',
      ),
    ],
    requests: [
      pod('b', {}, { priorityClassName: 'vip' }),
      pod('x', {}, { priorityClassName: 'vip' }),
      claim('c', '1Gi', { storageClassName: 'gold' }),
      claim('d', '1Gi', { storageClassName: 'iron' }),
      deployment('e'),
    ],
  },
];
