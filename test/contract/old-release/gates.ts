/** What a gate of release 1.13 changes in an object: put before a real 1.13.12 with all of them off and with all of them on by record-gates.ts, before ours by the test. */
export interface GatedObject {
  readonly name: string;
  readonly gate: string;
  readonly path: string;
  readonly body: { readonly kind: string; readonly apiVersion: string; readonly metadata: { readonly name: string } } & {
    readonly [key: string]: unknown;
  };
  /** Where in the answer to look, when it is no refusal. */
  readonly shown: string;
}

const core = '/api/v1/namespaces/default';
const pod = (spec: object): GatedObject['body'] => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  spec: { automountServiceAccountToken: false, containers: [{ name: 'c', image: 'i' }], ...spec },
});
const volume = (spec: object): GatedObject['body'] => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'v' },
  spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...spec },
});
const storageClass = (more: object): GatedObject['body'] => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 's' },
  provisioner: 'a.b/c',
  ...more,
});
const definition = (plural: string, spec: object): GatedObject['body'] => ({
  apiVersion: 'apiextensions.k8s.io/v1beta1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.example.com` },
  spec: { group: 'example.com', version: 'v1', names: { plural, kind: plural.slice(0, -1) }, ...spec },
});
const any = { rule: 'RunAsAny' };
const policy = (more: object): GatedObject['body'] => ({
  apiVersion: 'policy/v1beta1',
  kind: 'PodSecurityPolicy',
  metadata: { name: 'x' },
  spec: { seLinux: any, runAsUser: any, supplementalGroups: any, fsGroup: any, ...more },
});
const affinity = { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }] } };
const pods = `${core}/pods`;
const volumes = '/api/v1/persistentvolumes';
const classes = '/apis/storage.k8s.io/v1/storageclasses';
const definitions = '/apis/apiextensions.k8s.io/v1beta1/customresourcedefinitions';

export const gated: readonly GatedObject[] = [
  { name: 'resolver of its own', gate: 'CustomPodDNS', path: pods, body: pod({ dnsConfig: { nameservers: ['1.2.3.4'] } }), shown: 'spec.dnsConfig' },
  {
    name: 'gates of readiness',
    gate: 'PodReadinessGates',
    path: pods,
    body: pod({ readinessGates: [{ conditionType: 'a/b' }] }),
    shown: 'spec.readinessGates',
  },
  {
    name: 'one process namespace',
    gate: 'PodShareProcessNamespace',
    path: pods,
    body: pod({ shareProcessNamespace: true }),
    shown: 'spec.shareProcessNamespace',
  },
  {
    name: 'sysctls',
    gate: 'Sysctls',
    path: pods,
    body: pod({ securityContext: { sysctls: [{ name: 'kernel.shm_rmid_forced', value: '1' }] } }),
    shown: 'spec.securityContext',
  },
  { name: 'group of a pod', gate: 'RunAsGroup', path: pods, body: pod({ securityContext: { runAsGroup: 5 } }), shown: 'spec.securityContext' },
  { name: 'runtime class', gate: 'RuntimeClass', path: pods, body: pod({ runtimeClassName: 'x' }), shown: 'spec.runtimeClassName' },
  {
    name: 'size of an empty directory',
    gate: 'LocalStorageCapacityIsolation',
    path: pods,
    body: pod({ volumes: [{ name: 'e', emptyDir: { sizeLimit: '1Gi' } }] }),
    shown: 'spec.volumes',
  },
  {
    name: 'projected token',
    gate: 'TokenRequestProjection',
    path: pods,
    body: pod({ serviceAccountName: 'default', volumes: [{ name: 't', projected: { sources: [{ serviceAccountToken: { path: 'x' } }] } }] }),
    shown: 'spec.volumes',
  },
  {
    name: 'time to live',
    gate: 'TTLAfterFinished',
    path: '/apis/batch/v1/namespaces/default/jobs',
    body: {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'j' },
      spec: { ttlSecondsAfterFinished: 5, template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
    },
    shown: 'spec.ttlSecondsAfterFinished',
  },
  {
    name: 'data source',
    gate: 'VolumeSnapshotDataSource',
    path: `${core}/persistentvolumeclaims`,
    body: {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'c' },
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
        dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 's' },
      },
    },
    shown: 'spec.dataSource',
  },
  {
    name: 'nodes of a volume',
    gate: 'VolumeScheduling',
    path: volumes,
    body: volume({ hostPath: { path: '/x' }, nodeAffinity: affinity }),
    shown: 'spec.nodeAffinity',
  },
  {
    name: 'scopes of a quota',
    gate: 'ResourceQuotaScopeSelectors',
    path: `${core}/resourcequotas`,
    body: {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'q' },
      spec: { hard: { pods: '1' }, scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'Exists' }] } },
    },
    shown: 'spec.scopeSelector',
  },
  {
    name: 'class that grows',
    gate: 'ExpandPersistentVolumes',
    path: classes,
    body: storageClass({ allowVolumeExpansion: true }),
    shown: 'allowVolumeExpansion',
  },
  {
    name: 'class that waits',
    gate: 'VolumeScheduling',
    path: classes,
    body: storageClass({ volumeBindingMode: 'WaitForFirstConsumer' }),
    shown: 'volumeBindingMode',
  },
  {
    name: 'subresources of a definition',
    gate: 'CustomResourceSubresources',
    path: definitions,
    body: definition('things', { subresources: { status: {} } }),
    shown: 'spec.subresources',
  },
  {
    name: 'schema of a definition',
    gate: 'CustomResourceValidation',
    path: definitions,
    body: definition('others', { validation: { openAPIV3Schema: { required: ['spec'] } } }),
    shown: 'spec.validation',
  },
  {
    name: 'group of a policy',
    gate: 'RunAsGroup',
    path: '/apis/policy/v1beta1/podsecuritypolicies',
    body: policy({ runAsGroup: any }),
    shown: 'spec.runAsGroup',
  },
  {
    name: 'mounts of a policy',
    gate: 'ProcMountType',
    path: '/apis/policy/v1beta1/podsecuritypolicies',
    body: policy({ allowedProcMountTypes: ['Unmasked'] }),
    shown: 'spec.allowedProcMountTypes',
  },
];

/** `RunAsGroup=true,…` for all of them. */
export function allGates(isOn: boolean): string {
  return [...new Set(gated.map(({ gate }) => gate))].map((gate) => `${gate}=${isOn}`).join(',');
}

export function at(object: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (value as { readonly [name: string]: unknown } | undefined)?.[key], object) ?? null;
}
