/** Requests before admission plugins: what is sent, and what of an accepted object is looked at. */
export interface Step {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  /** Who asks, if not the administrator. */
  readonly as?: string;
  /** Prepares the ground; its answer does not matter. */
  readonly isSetup?: true;
  /** Warnings of the answer are those of its kind and not of a plugin. */
  readonly ignoresWarnings?: true;
  /** Fields of the answer that are held against what upstream made of them. */
  readonly pick?: readonly string[];
}

export interface Group {
  readonly name: string;
  /** Plugins that are on beside those that always are. */
  readonly plugins: string;
  /** What the server has besides: gates, versions. */
  readonly options?: { readonly [name: string]: string };
  readonly steps: readonly Step[];
}

/** A signing request for CN=jane, O=system:masters. */
const request =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIa01JR0tBZ0VBTUNneEZ6QVZCZ05WQkFvTURuTjVjM1JsYlRwdFlYTjBaWEp6TVEwd0N3' +
  'WURWUVFEREFScQpZVzVsTUZrd0V3WUhLb1pJemowQ0FRWUlLb1pJemowREFRY0RRZ0FFekFxdXF4NEFsQWRiR0dQY0wveTdaMy9PCnJMa1NvcGFldFFhMFhv' +
  'OEhQZ0pycE9sdWMwakRXanJBejA1Uk5vRFNkOE1nRzY2N2srMC8zT3NEQkNmZ2s2QUEKTUFvR0NDcUdTTTQ5QkFNQ0Ewa0FNRVlDSVFDcHB0RitteVF1dGV3' +
  'U2tOdXZoU2hxeWdMUXFXcjhlVlkydGppawpFOHA0bFFJaEFKTEwxbUp3U0dsSVBzUXg3YmZYMTdKNnRFbTVuVXlJbWRyQ0E3Z2huTFNDCi0tLS0tRU5EIENF' +
  'UlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=';

const merge = 'application/merge-patch+json';
const pods = (namespace: string): string => `/api/v1/namespaces/${namespace}/pods`;

function setup(path: string, body: unknown): Step {
  return { method: 'POST', path, body, isSetup: true };
}

function namespace(name: string, labels?: object, annotations?: object): readonly Step[] {
  return [
    setup('/api/v1/namespaces', { metadata: { name, ...(labels && { labels }), ...(annotations && { annotations }) } }),
    setup(`/api/v1/namespaces/${name}/serviceaccounts`, { metadata: { name: 'default' } }),
  ];
}

function pod(name: string, spec: object = {}, container: object = {}, metadata: object = {}): object {
  return { metadata: { ...(name === '' ? {} : { name }), ...metadata }, spec: { containers: [{ name: 'c', image: 'x', ...container }], ...spec } };
}

const level = (mode: string, value: string, version?: string): object => ({
  [`pod-security.kubernetes.io/${mode}`]: value,
  ...(version && { [`pod-security.kubernetes.io/${mode}-version`]: version }),
});
const safe = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
const safePod = { securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } } };
const privileged = { securityContext: { privileged: true } };
const template = (spec: object, container: object = {}): object => ({
  metadata: { labels: { a: 'b' } },
  spec: { containers: [{ name: 'c', image: 'x', ...container }], ...spec },
});
const workload = (name: string, spec: object): object => ({ metadata: { name }, spec: { selector: { matchLabels: { a: 'b' } }, ...spec } });

const capacity = { cpu: '8', memory: '8Gi', pods: '110' };
const node = (name: string, declaredFeatures: readonly string[]): readonly Step[] => [
  setup('/api/v1/nodes', { metadata: { name } }),
  {
    method: 'PATCH',
    path: `/api/v1/nodes/${name}/status`,
    contentType: merge,
    body: { status: { capacity, allocatable: capacity, declaredFeatures } },
    isSetup: true,
  },
];
const one = { resources: { requests: { cpu: '1' } } };
const resized = { resources: { requests: { cpu: '2' } } };
const resize = (name: string, spec: object): Step => ({
  method: 'PATCH',
  path: `${pods('declared')}/${name}/resize`,
  contentType: merge,
  body: { spec },
  ignoresWarnings: true,
});
const containers = (container: object, restartPolicy?: string): object => ({
  initContainers: [{ name: 'i', image: 'x', ...container, ...(restartPolicy && { restartPolicy }) }],
});
const placed = (name: string, on: string): readonly Step[] => [
  setup(pods('declared'), pod(`${name}-whole`, { nodeName: on, ...one }, one)),
  setup(pods('declared'), pod(`${name}-init`, { nodeName: on, ...containers(one) }, one)),
  setup(pods('declared'), pod(`${name}-sidecar`, { nodeName: on, ...containers(one, 'Always') }, one)),
  resize(`${name}-whole`, resized),
  resize(`${name}-init`, containers(resized)),
  resize(`${name}-sidecar`, containers(resized, 'Always')),
  resize(`${name}-sidecar`, { containers: [{ name: 'c', image: 'x', ...resized }] }),
];
const workloads = '/apis/scheduling.k8s.io/v1alpha2/namespaces/gangs';
const jobs = '/apis/batch/v1/namespaces/gangs/jobs';
const gang = (name: string, schedulingPolicy: object): Step => setup(`${workloads}/podgroups`, { metadata: { name }, spec: { schedulingPolicy } });
const job = (name: string, group?: string): Step =>
  setup(jobs, {
    metadata: { name },
    spec: {
      parallelism: 2,
      completions: 2,
      template: {
        spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'x' }], ...(group && { schedulingGroup: { podGroupName: group } }) },
      },
    },
  });
const parallel = (name: string, spec: object): Step => ({
  method: 'PATCH',
  path: `${jobs}/${name}`,
  contentType: merge,
  body: { spec },
  pick: ['spec.parallelism'],
});

export const groups: readonly Group[] = [
  {
    name: 'PodSecurity',
    plugins: '',
    steps: [
      ...namespace('p-restricted', level('enforce', 'restricted')),
      { method: 'POST', path: pods('p-restricted'), body: pod('a') },
      { method: 'POST', path: pods('p-restricted'), body: pod('b', safePod, { securityContext: safe }) },
      { method: 'PATCH', path: `${pods('p-restricted')}/b`, contentType: merge, body: { metadata: { labels: { x: 'y' } } } },
      {
        method: 'PATCH',
        path: `${pods('p-restricted')}/b/ephemeralcontainers`,
        contentType: 'application/strategic-merge-patch+json',
        body: { spec: { ephemeralContainers: [{ name: 'e', image: 'y', securityContext: { privileged: true } }] } },
      },
      ...namespace('p-warn', { ...level('warn', 'restricted', 'v1.20'), ...level('enforce', 'baseline', 'v1.22') }),
      { method: 'POST', path: pods('p-warn'), body: pod('a', { hostNetwork: true }, privileged) },
      { method: 'POST', path: pods('p-warn'), body: pod('b') },
      {
        method: 'POST',
        path: '/apis/apps/v1/namespaces/p-warn/deployments',
        body: workload('d', { template: template({ hostPID: true }, privileged) }),
      },
      { method: 'PATCH', path: '/apis/apps/v1/namespaces/p-warn/deployments/d', contentType: merge, body: { metadata: { labels: { x: 'y' } } } },
      { method: 'PATCH', path: '/apis/apps/v1/namespaces/p-warn/deployments/d/scale', contentType: merge, body: { spec: { replicas: 2 } } },
      { method: 'POST', path: '/apis/apps/v1/namespaces/p-warn/statefulsets', body: workload('s', { serviceName: 's', template: template({}) }) },
      { method: 'POST', path: '/apis/apps/v1/namespaces/p-warn/daemonsets', body: workload('d', { template: template({}, privileged) }) },
      { method: 'POST', path: '/apis/apps/v1/namespaces/p-warn/replicasets', body: workload('r', { template: template({ hostIPC: true }) }) },
      {
        method: 'POST',
        path: '/api/v1/namespaces/p-warn/replicationcontrollers',
        body: { metadata: { name: 'r' }, spec: { replicas: 0, selector: { a: 'b' }, template: template({}, privileged) } },
      },
      {
        method: 'POST',
        path: '/api/v1/namespaces/p-warn/podtemplates',
        body: { metadata: { name: 't' }, template: template({ hostNetwork: true }) },
      },
      {
        method: 'POST',
        path: '/apis/batch/v1/namespaces/p-warn/jobs',
        body: { metadata: { name: 'j' }, spec: { suspend: true, template: template({ restartPolicy: 'Never' }, privileged) } },
      },
      {
        method: 'POST',
        path: '/apis/batch/v1/namespaces/p-warn/cronjobs',
        body: {
          metadata: { name: 'c' },
          spec: { suspend: true, schedule: '0 0 1 1 *', jobTemplate: { spec: { template: template({ restartPolicy: 'Never' }, privileged) } } },
        },
      },
      { method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: 'p-bad', labels: level('enforce', 'strict', 'v2.1') } } },
      {
        method: 'POST',
        path: '/api/v1/namespaces',
        body: { metadata: { name: 'p-bad2', labels: { ...level('warn', 'Baseline', 'v1.01'), ...level('audit', '', 'x') } } },
      },
      ...namespace('p-later'),
      { method: 'POST', path: pods('p-later'), body: pod('one', {}, privileged) },
      { method: 'POST', path: pods('p-later'), body: pod('two', {}, privileged) },
      { method: 'POST', path: pods('p-later'), body: pod('three', { hostNetwork: true }) },
      { method: 'POST', path: pods('p-later'), body: pod('four', safePod, { securityContext: safe }) },
      { method: 'PATCH', path: '/api/v1/namespaces/p-later', contentType: merge, body: { metadata: { labels: level('enforce', 'nothing') } } },
      { method: 'PATCH', path: '/api/v1/namespaces/p-later', contentType: merge, body: { metadata: { labels: level('enforce', 'baseline') } } },
      {
        method: 'PATCH',
        path: '/api/v1/namespaces/p-later',
        contentType: merge,
        body: { metadata: { labels: level('enforce', 'restricted', 'v1.0') } },
      },
      {
        method: 'PATCH',
        path: '/api/v1/namespaces/p-later',
        contentType: merge,
        body: { metadata: { labels: level('enforce', 'baseline', 'v1.0') } },
      },
      {
        method: 'PATCH',
        path: '/api/v1/namespaces/p-later',
        contentType: merge,
        body: { metadata: { labels: level('enforce', 'baseline', 'v1.99') } },
      },
      { method: 'PATCH', path: '/api/v1/namespaces/p-later', contentType: merge, body: { metadata: { labels: level('enforce', 'privileged') } } },
      {
        method: 'PATCH',
        path: '/api/v1/namespaces/p-later',
        contentType: merge,
        body: { metadata: { labels: { ...level('enforce', 'baseline'), ...level('warn', 'privileged') } } },
      },
      { method: 'PATCH', path: `${pods('p-later')}/one`, contentType: merge, body: { metadata: { labels: { x: 'y' } } } },
      {
        method: 'PATCH',
        path: `${pods('p-later')}/one`,
        contentType: 'application/strategic-merge-patch+json',
        body: { spec: { containers: [{ name: 'c', image: 'other' }] } },
      },
    ],
  },
  {
    name: 'certificates',
    plugins: '',
    steps: [
      {
        method: 'POST',
        path: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
        body: {
          metadata: { name: 'approver' },
          rules: [
            {
              apiGroups: ['certificates.k8s.io'],
              resources: ['certificatesigningrequests', 'certificatesigningrequests/approval', 'certificatesigningrequests/status'],
              verbs: ['*'],
            },
            { apiGroups: ['certificates.k8s.io'], resources: ['signers'], resourceNames: ['a.example/*'], verbs: ['approve', 'sign'] },
          ],
        },
        isSetup: true,
      },
      setup('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
        metadata: { name: 'approver' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'approver' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' }],
      }),
      ...['a.example/s', 'b.example/s', 'kubernetes.io/kube-apiserver-client'].map(
        (signerName, index): Step => ({
          method: 'POST',
          path: '/apis/certificates.k8s.io/v1/certificatesigningrequests',
          body: { metadata: { name: `csr-${index}` }, spec: { signerName, usages: ['client auth'], request: request } },
        }),
      ),
      ...[0, 1].flatMap((index): readonly Step[] => [
        {
          method: 'PATCH',
          as: 'jane',
          path: `/apis/certificates.k8s.io/v1/certificatesigningrequests/csr-${index}/approval`,
          contentType: merge,
          body: { status: { conditions: [{ type: 'Approved', status: 'True', reason: 'r', message: 'm' }] } },
        },
        {
          method: 'PATCH',
          as: 'jane',
          path: `/apis/certificates.k8s.io/v1/certificatesigningrequests/csr-${index}/status`,
          contentType: merge,
          body: {
            status: {
              conditions: [
                { type: 'Approved', status: 'True', reason: 'r', message: 'm' },
                { type: 'Failed', status: 'True' },
              ],
            },
          },
        },
      ]),
    ],
  },
  {
    name: 'plugins that are off by default',
    plugins:
      'AlwaysPullImages,LimitPodHardAntiAffinityTopology,ExtendedResourceToleration,NamespaceAutoProvision,OwnerReferencesPermissionEnforcement,PodNodeSelector,PodTolerationRestriction,DenyServiceExternalIPs',
    steps: [
      ...namespace('o'),
      {
        method: 'POST',
        path: pods('o'),
        body: pod('a', {
          volumes: [{ name: 'v', image: { reference: 'r', pullPolicy: 'Never' } }],
          initContainers: [{ name: 'i', image: 'z', imagePullPolicy: 'Never' }],
        }),
        pick: ['spec.containers.0.imagePullPolicy', 'spec.initContainers.0.imagePullPolicy', 'spec.volumes.0.image'],
      },
      {
        method: 'POST',
        path: pods('o'),
        body: pod('b', {
          affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone', labelSelector: {} }] } },
        }),
      },
      {
        method: 'POST',
        path: pods('o'),
        body: pod('c', {}, { resources: { requests: { 'x.io/b': '1', 'x.io/a': '1' }, limits: { 'x.io/b': '1', 'x.io/a': '1' } } }),
        pick: ['spec.tolerations'],
      },
      {
        method: 'POST',
        path: pods('o'),
        body: pod(
          'd',
          { tolerations: [{ key: 'x.io/a', operator: 'Exists' }] },
          { resources: { requests: { 'x.io/a': '1', cpu: '1' }, limits: { 'x.io/a': '1' } } },
        ),
        pick: ['spec.tolerations'],
      },
      { method: 'POST', path: '/api/v1/namespaces/made/configmaps', body: { metadata: { name: 'c' } } },
      { method: 'GET', path: '/api/v1/namespaces/made', pick: ['metadata.name', 'metadata.labels', 'spec'] },
      { method: 'POST', path: '/api/v1/namespaces/dry/configmaps?dryRun=All', body: { metadata: { name: 'c' } } },
      { method: 'GET', path: '/api/v1/namespaces/dry' },
      { method: 'POST', path: '/api/v1/namespaces/Bad_Name/configmaps', body: { metadata: { name: 'c' } } },
      {
        method: 'POST',
        path: '/api/v1/namespaces/o/services',
        body: { metadata: { name: 's' }, spec: { ports: [{ port: 80 }], externalIPs: ['1.2.3.4'] } },
        ignoresWarnings: true,
      },
      ...namespace('n', undefined, { 'scheduler.alpha.kubernetes.io/node-selector': 'a=b, c = d' }),
      { method: 'POST', path: pods('n'), body: pod('a', { nodeSelector: { x: 'y' } }), pick: ['spec.nodeSelector'] },
      { method: 'POST', path: pods('n'), body: pod('b', { nodeSelector: { a: 'y' } }) },
      { method: 'POST', path: pods('n'), body: pod('', { nodeSelector: { a: 'y' } }, {}, { generateName: 'gen-' }), isSetup: true },
      ...namespace('n2', undefined, { 'scheduler.alpha.kubernetes.io/node-selector': 'a==b' }),
      { method: 'POST', path: pods('n2'), body: pod('a') },
      ...namespace('n3', undefined, { 'scheduler.alpha.kubernetes.io/node-selector': 'a b=c' }),
      { method: 'POST', path: pods('n3'), body: pod('a') },
      ...namespace('t', undefined, {
        'scheduler.alpha.kubernetes.io/defaultTolerations': '[{"key":"k","operator":"Exists"}]',
        'scheduler.alpha.kubernetes.io/tolerationsWhitelist':
          '[{"operator":"Exists","effect":"NoExecute"},{"key":"k","operator":"Exists"},{"key":"node.kubernetes.io/memory-pressure","operator":"Exists"}]',
      }),
      { method: 'POST', path: pods('t'), body: pod('a'), pick: ['spec.tolerations'] },
      {
        method: 'POST',
        path: pods('t'),
        body: pod('b', { tolerations: [{ key: 'k', operator: 'Equal', value: 'v', effect: 'NoSchedule' }] }),
        pick: ['spec.tolerations'],
      },
      { method: 'POST', path: pods('t'), body: pod('c', {}, { resources: { requests: { cpu: '1' } } }), pick: ['spec.tolerations'] },
      { method: 'POST', path: pods('t'), body: pod('d', { tolerations: [{ key: 'z', operator: 'Exists', effect: 'NoSchedule' }] }) },
      setup('/apis/rbac.authorization.k8s.io/v1/clusterroles', {
        metadata: { name: 'maps' },
        rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'update', 'patch', 'get'] }],
      }),
      setup('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
        metadata: { name: 'maps' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'maps' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' }],
      }),
      ...[
        {},
        { blockOwnerDeletion: true },
        { apiVersion: 'no.such/v1', kind: 'Thing', blockOwnerDeletion: true },
        { apiVersion: 'v1', kind: 'Node', blockOwnerDeletion: true },
      ].map(
        (more, index): Step => ({
          method: 'POST',
          as: 'jane',
          path: '/api/v1/namespaces/o/configmaps',
          body: {
            metadata: { name: `owned-${index}`, ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'd', uid: 'u', ...more }] },
          },
        }),
      ),
      {
        method: 'PATCH',
        as: 'jane',
        path: '/api/v1/namespaces/o/configmaps/owned-0',
        contentType: merge,
        body: { metadata: { ownerReferences: null } },
      },
    ],
  },
  {
    name: 'NodeDeclaredFeatureValidator',
    plugins: '',
    steps: [
      ...namespace('declared'),
      ...node('says-nothing', []),
      ...node('says-all', ['InPlacePodLevelResourcesVerticalScaling', 'InPlacePodVerticalScalingInitContainers']),
      ...placed('a', 'says-nothing'),
      ...placed('b', 'says-all'),
      setup(pods('declared'), pod('c', { nodeName: 'nowhere', ...one }, one)),
      resize('c', resized),
    ],
  },
  {
    name: 'JobValidation',
    plugins: '',
    options: { 'runtime-config': 'scheduling.k8s.io/v1alpha2=true', 'feature-gates': 'GenericWorkload=true' },
    steps: [
      ...namespace('gangs'),
      gang('all', { gang: { minCount: 2 } }),
      gang('any', { basic: {} }),
      job('a', 'all'),
      job('b', 'any'),
      job('c'),
      job('d', 'missing'),
      parallel('a', { parallelism: 3 }),
      parallel('a', { parallelism: 2, suspend: true }),
      parallel('b', { parallelism: 3 }),
      parallel('c', { parallelism: 3 }),
      parallel('d', { parallelism: 3 }),
    ],
  },
];
