/**
 * What gates of release 1.13 change in what its API server answers beyond single fields (those stand in gates.ts): put before a real 1.13.12 with all of these
 * gates on and with all of them off by record-gate-cases.ts, before ours by gate-cases.test.ts. What `before` makes is made in either state.
 */
import type { GateCase, Step } from '../gates/cases.ts';

const core = '/api/v1/namespaces/default';
const pods = `${core}/pods`;
const definitions = '/apis/apiextensions.k8s.io/v1beta1/customresourcedefinitions';
const asNode = { 'impersonate-user': 'system:node:n', 'impersonate-group': 'system:nodes' };

const post = (path: string, body: object, ...shown: readonly string[]): Step => ({ method: 'POST', path, body, shown });
const put = (path: string, body: object, ...shown: readonly string[]): Step => ({ method: 'PUT', path, body, shown });
const get = (path: string, ...shown: readonly string[]): Step => ({ method: 'GET', path, shown });
const merge = (path: string, body: object, ...shown: readonly string[]): Step => ({
  ...{ method: 'PATCH', path, body, shown },
  type: 'application/merge-patch+json',
});

const container = { name: 'c', image: 'i' };
const pod = (name: string, spec: object = {}, metadata: object = {}): object => ({
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, ...metadata } },
  spec: { automountServiceAccountToken: false, containers: [container], ...spec },
});
const podWith = (name: string, of: object, spec: object = {}): object => pod(name, { containers: [{ ...container, ...of }], ...spec });
const configMap = (name: string): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { chunk: 'y' } } });
const definition = (plural: string, spec: object): object => ({
  apiVersion: 'apiextensions.k8s.io/v1beta1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.example.com` },
  spec: {
    group: 'example.com',
    version: 'v1',
    scope: 'Namespaced',
    names: { plural, kind: `${plural[0]?.toUpperCase()}${plural.slice(1, -1)}` },
    ...spec,
  },
});
const node = (name: string, spec: object = {}, status: object = {}): object => ({ apiVersion: 'v1', kind: 'Node', metadata: { name }, spec, status });
const source = { configMap: { namespace: 'kube-system', name: 'k', kubeletConfigKey: 'kubelet' } };
const chunk = `${core}/configmaps?labelSelector=chunk&limit=1`;
const onNode = { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }] };
const critical = { namespace: 'kube-system', annotations: { 'scheduler.alpha.kubernetes.io/critical-pod': '' } };
const hooked = (name: string): object => ({ strategy: 'Webhook', webhookClientConfig: { url: `https://example.com/${name}`, caBundle: '' } });
const versionWith = (more: object): readonly object[] => [
  { name: 'v1', served: true, storage: true, ...more },
  { name: 'v2', served: true, storage: false },
];
const versions = versionWith({ additionalPrinterColumns: [{ name: 'A', type: 'string', JSONPath: '.a' }] });
const rolesOf = (name: string): Step => get(`/apis/rbac.authorization.k8s.io/v1/clusterroles/${name}`, 'rules');

const writes: readonly Step[] = [
  post(`${core}/configmaps?dryRun=All`, configMap('dry')),
  put(`${core}/configmaps/kept?dryRun=All`, configMap('kept')),
  merge(`${core}/configmaps/kept?dryRun=All`, { data: { a: 'b' } }),
  { method: 'DELETE', path: `${core}/configmaps/kept?dryRun=All` },
  { method: 'DELETE', path: `${core}/configmaps/kept`, body: { apiVersion: 'v1', kind: 'DeleteOptions', dryRun: ['All'] } },
  { method: 'DELETE', path: `${core}/configmaps?dryRun=All&labelSelector=none` },
  post(`${core}/configmaps?dryRun=Some`, configMap('dry')),
  post(`${core}/configmaps?dryRun=`, configMap('dry')),
  post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews?dryRun=All', {
    ...{ apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview' },
    spec: { nonResourceAttributes: { path: '/', verb: 'get' } },
  }),
  post(`${pods}/none/eviction?dryRun=All`, { apiVersion: 'policy/v1beta1', kind: 'Eviction', metadata: { name: 'none', namespace: 'default' } }),
];

export const oldGateCases: readonly GateCase[] = [
  { gate: 'DryRun', name: 'writes that are tried', before: [post(`${core}/configmaps`, configMap('kept'))], steps: writes },
  {
    gate: 'APIListChunking',
    name: 'a list in chunks',
    before: ['c1', 'c2', 'c3'].map((name) => post(`${core}/configmaps`, configMap(name))),
    steps: [
      get(`${chunk}&fieldSelector=metadata.namespace%3Ddefault`, 'items/*/metadata/name'),
      get(`${chunk}&continue=e30`, 'items/*/metadata/name'),
      get(`${chunk}&resourceVersion=0`, 'metadata/continue'),
    ],
  },
  {
    gate: 'AppArmor',
    name: 'profiles of containers',
    steps: [
      post(pods, pod('armed', {}, { annotations: { 'container.apparmor.security.beta.kubernetes.io/c': 'runtime/default' } })),
      post(pods, pod('armed-badly', {}, { annotations: { 'container.apparmor.security.beta.kubernetes.io/d': 'what' } })),
    ],
  },
  {
    gate: 'HugePages',
    name: 'huge pages',
    steps: [
      post(pods, podWith('huge', { resources: { limits: { 'hugepages-2Mi': '4Mi', cpu: '1' } } }), 'spec/containers/0/resources'),
      post(pods, pod('huge-medium', { volumes: [{ name: 'e', emptyDir: { medium: 'HugePages' } }] }), 'spec/volumes'),
      post('/apis/apps/v1/namespaces/default/deployments', {
        ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'huge' } },
        spec: {
          selector: { matchLabels: { a: 'b' } },
          template: {
            metadata: { labels: { a: 'b' } },
            spec: { containers: [{ ...container, resources: { limits: { 'hugepages-2Mi': '4Mi', memory: '1Gi' } } }] },
          },
        },
      }),
    ],
  },
  {
    gate: 'LocalStorageCapacityIsolation',
    name: 'storage of a container',
    steps: [
      post(pods, podWith('stored', { resources: { limits: { 'ephemeral-storage': '1Gi' } } }), 'spec/containers/0/resources'),
      post(pods, podWith('stored-asked', { resources: { requests: { 'ephemeral-storage': '1Gi' } } }), 'spec/containers/0/resources'),
      post(`${core}/limitranges`, {
        ...{ apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'l' } },
        spec: { limits: [{ type: 'Container', max: { 'ephemeral-storage': '100Gi' } }] },
      }),
      { method: 'DELETE', path: `${core}/limitranges/l` },
    ],
  },
  {
    gate: 'VolumeSubpath',
    name: 'a path below a volume',
    steps: [
      post(
        pods,
        podWith('below', { volumeMounts: [{ name: 'e', mountPath: '/e', subPath: 'a' }] }, { volumes: [{ name: 'e', emptyDir: {} }] }),
        'spec/containers/0/volumeMounts',
      ),
      post(pods, podWith('below-none', { volumeMounts: [{ name: 'e', mountPath: '/e', subPath: '' }] }, { volumes: [{ name: 'e', emptyDir: {} }] })),
    ],
  },
  {
    gate: 'VolumeSubpathEnvExpansion',
    name: 'a path with a variable',
    steps: [
      post(
        pods,
        podWith('spoken', { volumeMounts: [{ name: 'e', mountPath: '/e', subPath: '$(A)' }] }, { volumes: [{ name: 'e', emptyDir: {} }] }),
        'spec/containers/0/volumeMounts',
      ),
    ],
  },
  {
    gate: 'BlockVolume',
    name: 'devices of a container',
    steps: [
      post(
        pods,
        podWith(
          'blocks',
          { volumeDevices: [{ name: 'v', devicePath: '/dev/x' }] },
          { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }] },
        ),
        'spec/containers/0/volumeDevices',
      ),
      post(
        `${core}/persistentvolumeclaims`,
        {
          ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'blocks' } },
          spec: { volumeMode: 'Block', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
        'spec/volumeMode',
        'metadata/finalizers',
      ),
    ],
  },
  {
    gate: 'StorageObjectInUseProtection',
    name: 'finalizers of storage',
    steps: [
      post(
        `${core}/persistentvolumeclaims`,
        {
          ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'guarded' } },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
        'metadata/finalizers',
      ),
      post(
        '/api/v1/persistentvolumes',
        {
          ...{ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'guarded' } },
          spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/x' } },
        },
        'metadata/finalizers',
      ),
    ],
  },
  {
    gate: 'DynamicKubeletConfig',
    name: 'where a kubelet finds its configuration',
    before: [post('/api/v1/nodes', node('plain'))],
    steps: [
      post('/api/v1/nodes', node('told', { configSource: source }), 'spec/configSource'),
      merge('/api/v1/nodes/plain', { spec: { configSource: source } }, 'spec/configSource'),
      merge('/api/v1/nodes/plain', { spec: { configSource: { configMap: null } } }, 'spec/configSource'),
      merge(
        '/api/v1/nodes/plain',
        { spec: { configSource: { configMap: { namespace: 'A', name: '', kubeletConfigKey: '..', uid: 'u' } } } },
        'spec/configSource',
      ),
      merge('/api/v1/nodes/plain/status', { status: { config: { active: source } } }, 'status/config'),
      merge('/api/v1/nodes/plain/status', { status: { config: { error: 'x' } } }, 'status/config'),
    ],
  },
  {
    gate: 'TaintNodesByCondition',
    name: 'taints of a new node',
    steps: [post('/api/v1/nodes', node('tainted'), 'spec/taints')],
  },
  {
    gate: 'PodPriority',
    name: 'priorities of pods',
    steps: [
      post(pods, pod('first', { priorityClassName: 'system-node-critical' }), 'spec/priority', 'spec/priorityClassName'),
      post(pods, pod('second', { priorityClassName: 'none' }), 'spec/priority', 'spec/priorityClassName'),
      post(pods, pod('third'), 'spec/priority', 'spec/priorityClassName'),
      post(pods, pod('fourth', { priority: 7 }), 'spec/priority', 'spec/priorityClassName'),
    ],
  },
  {
    gate: 'ExperimentalCriticalPodAnnotation',
    name: 'a pod that says it is critical',
    steps: [
      post('/api/v1/namespaces/kube-system/pods', pod('critical', {}, critical), 'spec/priority', 'spec/priorityClassName'),
      post(pods, pod('critical', {}, { annotations: critical.annotations }), 'spec/priority', 'spec/priorityClassName'),
    ],
  },
  {
    gate: 'CustomResourceWebhookConversion',
    name: 'definitions that are converted by a webhook',
    steps: [
      post(definitions, definition('hooks', { conversion: hooked('a') }), 'spec/conversion'),
      post(definitions, definition('bares', { conversion: { strategy: 'Webhook' } }), 'spec/conversion'),
      post(definitions, definition('nones', { conversion: { strategy: 'None', webhookClientConfig: { url: 'https://a.b' } } }), 'spec/conversion'),
      post(definitions, definition('columns', { versions }), 'spec/versions', 'spec/additionalPrinterColumns'),
    ],
  },
  {
    gate: 'CustomResourceSubresources',
    name: 'subresources of a version',
    steps: [
      post(definitions, definition('parts', { versions: versionWith({ subresources: { status: {} } }) }), 'spec/versions', 'spec/subresources'),
      post(
        definitions,
        definition('schemas', { versions: versionWith({ schema: { openAPIV3Schema: { required: ['spec'] } } }) }),
        'spec/versions',
        'spec/validation',
      ),
    ],
  },
  { gate: 'CSIDriverRegistry', name: 'roles about drivers', steps: [rolesOf('system:node'), rolesOf('system:controller:attachdetach-controller')] },
  {
    gate: 'CSINodeInfo',
    name: 'what drivers say of nodes',
    steps: [
      rolesOf('system:csi-external-provisioner'),
      {
        ...post('/apis/csi.storage.k8s.io/v1alpha1/csinodeinfos', {
          apiVersion: 'csi.storage.k8s.io/v1alpha1',
          kind: 'CSINodeInfo',
          metadata: { name: 'n' },
        }),
        headers: asNode,
      },
    ],
  },
  {
    gate: 'NodeLease',
    name: 'leases of nodes',
    steps: [
      {
        ...post('/apis/coordination.k8s.io/v1beta1/namespaces/kube-node-lease/leases', {
          ...{ apiVersion: 'coordination.k8s.io/v1beta1', kind: 'Lease', metadata: { name: 'n', namespace: 'kube-node-lease' } },
        }),
        headers: asNode,
      },
    ],
  },
  {
    gate: 'CSIPersistentVolume',
    name: 'attachments of a node',
    steps: [{ ...get('/apis/storage.k8s.io/v1/volumeattachments/a'), headers: asNode }],
  },
  {
    gate: 'ExpandPersistentVolumes',
    name: 'a node and the status of a claim',
    steps: [{ ...merge(`${core}/persistentvolumeclaims/none/status`, { status: {} }), headers: asNode }],
  },
  {
    gate: 'TokenRequest',
    name: 'tokens that are asked for',
    steps: [
      {
        ...post(`${core}/serviceaccounts/default/token`, { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }),
        headers: asNode,
      },
    ],
  },
  {
    gate: 'TTLAfterFinished',
    name: 'role of the controller',
    steps: [rolesOf('system:controller:ttl-after-finished-controller')],
  },
  {
    gate: 'RuntimeClass',
    name: 'role of nodes',
    steps: [post(pods, pod('classed', { runtimeClassName: 'a_b' }), 'spec/runtimeClassName')],
  },
  {
    gate: 'SCTPSupport',
    name: 'ports of another protocol',
    steps: [
      post(pods, podWith('sctp', { ports: [{ containerPort: 1, protocol: 'SCTP' }] }), 'spec/containers/0/ports'),
      post(
        `${core}/services`,
        { apiVersion: 'v1', kind: 'Service', metadata: { name: 'sctp' }, spec: { ports: [{ port: 1, protocol: 'SCTP' }] } },
        'spec/ports',
      ),
      post('/apis/networking.k8s.io/v1/namespaces/default/networkpolicies', {
        ...{ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { name: 'sctp' } },
        spec: { podSelector: {}, ingress: [{ ports: [{ port: 1, protocol: 'SCTP' }] }] },
      }),
    ],
  },
  {
    gate: 'ProcMountType',
    name: 'how /proc is mounted',
    steps: [
      post(pods, podWith('proc', { securityContext: { procMount: 'Unmasked' } })),
      post(pods, podWith('proc-default', { securityContext: {} }), 'spec/containers/0/securityContext'),
    ],
  },
  {
    gate: 'PersistentLocalVolumes',
    name: 'local volumes',
    steps: [
      post('/api/v1/persistentvolumes', {
        ...{ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'local' } },
        spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, local: { path: '/x' }, nodeAffinity: { required: onNode } },
      }),
    ],
  },
  {
    gate: 'APIResponseCompression',
    name: 'an answer for whom takes it as it is',
    steps: [{ ...get(`${core}/configmaps/kept`, 'metadata/name'), headers: { 'accept-encoding': 'identity' } }],
  },
];

/** Gates that are switched for all of the cases together. */
const switched: readonly string[] = [
  ...new Set([...oldGateCases.map(({ gate }) => gate), 'KubeletPluginsWatcher', 'CustomResourceValidation']),
].sort();

export const oldStates = ['on', 'off'] as const;
export type OldState = (typeof oldStates)[number];

export const oldGatesOf = (state: OldState): string => switched.map((gate) => `${gate}=${state === 'on'}`).join(',');

/** As the server is started for them, ours and the real one. */
export const oldOptions = {
  'runtime-config': 'api/all=true',
  'disable-admission-plugins': 'ServiceAccount',
  'enable-admission-plugins': 'NodeRestriction,StorageObjectInUseProtection,Priority,TaintNodesByCondition',
} as const;
