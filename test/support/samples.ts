/**
 * A small valid body for every kind, by group, version and kind; a version without one of its own takes its group's other version.
 */
import { janesRequest, trustAnchor } from './certificate-requests.ts';
import type { FieldSchema, MessageSchema, ScalarType, SchemaRegistry } from '../../engine/apimachinery/schema.ts';
import type { JsonObject, JsonValue } from '../../engine/base/json.ts';
import type { KindDefinition } from '../../engine/contracts/kind.ts';

const selector = { matchLabels: { app: 'a' } };
const podSpec = { containers: [{ name: 'c', image: 'nginx' }] };
const template = { metadata: { labels: { app: 'a' } }, spec: podSpec };
const jobTemplate = { spec: { template: { spec: { ...podSpec, restartPolicy: 'Never' } } } };
const clientConfig = { url: 'https://example.com/hook' };
const webhook = { name: 'a.example.com', clientConfig, admissionReviewVersions: ['v1'], sideEffects: 'None' };
const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' };
const roleVersion = 'rbac.authorization.k8s.io/v1alpha1';
const matchConstraints = { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }] };
const mutation = { patchType: 'JSONPatch', jsonPatch: { expression: '[JSONPatch{op: "test", path: "/kind", value: "Pod"}]' } };
const crdSchema = { openAPIV3Schema: { type: 'object' } };
const anything = { rule: 'RunAsAny' };
const securityPolicy = { seLinux: anything, runAsUser: anything, supplementalGroups: anything, fsGroup: anything };
const crdNames = { plural: 'samples', singular: 'sample', kind: 'Sample', listKind: 'SampleList' };

/** Without kind, apiVersion and metadata, which the suite writes; `name` overrides the suite's name. */
export const samples: { readonly [kind: string]: JsonObject } = {
  'admissionregistration.k8s.io MutatingAdmissionPolicy': {
    spec: { matchConstraints, mutations: [mutation], failurePolicy: 'Fail', reinvocationPolicy: 'Never' },
  },
  'admissionregistration.k8s.io MutatingAdmissionPolicyBinding': { spec: { policyName: 'p.example.com' } },
  'admissionregistration.k8s.io MutatingWebhookConfiguration': { webhooks: [webhook] },
  'admissionregistration.k8s.io ValidatingAdmissionPolicy': { spec: { matchConstraints, validations: [{ expression: 'true' }] } },
  'admissionregistration.k8s.io ValidatingAdmissionPolicyBinding': { spec: { policyName: 'p.example.com', validationActions: ['Deny'] } },
  'admissionregistration.k8s.io ValidatingWebhookConfiguration': { webhooks: [webhook] },
  'apiextensions.k8s.io/v1beta1 CustomResourceDefinition': {
    name: 'samples.example.com',
    spec: {
      group: 'example.com',
      names: crdNames,
      scope: 'Namespaced',
      preserveUnknownFields: false,
      versions: [{ name: 'v1', served: true, storage: true, schema: crdSchema }],
    },
  },
  'apiextensions.k8s.io CustomResourceDefinition': {
    name: 'samples.example.com',
    spec: { group: 'example.com', names: crdNames, scope: 'Namespaced', versions: [{ name: 'v1', served: true, storage: true, schema: crdSchema }] },
  },
  'apiregistration.k8s.io APIService': {
    name: 'v1.example.com',
    spec: { group: 'example.com', version: 'v1', groupPriorityMinimum: 100, versionPriority: 10 },
  },
  'internal.apiserver.k8s.io StorageVersion': { name: 'apps.deployments', spec: {} },
  'apps ControllerRevision': { revision: 1, data: { a: 'b' } },
  'apps DaemonSet': { spec: { selector, template } },
  'apps Deployment': { spec: { selector, template } },
  'apps ReplicaSet': { spec: { selector, template } },
  'apps StatefulSet': { spec: { selector, template, serviceName: 's' } },
  'autoscaling HorizontalPodAutoscaler': { spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }, maxReplicas: 3 } },
  'batch CronJob': { spec: { schedule: '*/5 * * * *', jobTemplate } },
  'batch Job': { spec: { template: { ...template, spec: jobTemplate.spec.template.spec } } },
  'certificates.k8s.io CertificateSigningRequest': {
    spec: { request: btoa(janesRequest), signerName: 'example.com/signer', usages: ['client auth'] },
  },
  'certificates.k8s.io ClusterTrustBundle': { spec: { trustBundle: trustAnchor } },
  'certificates.k8s.io PodCertificateRequest': {
    spec: {
      signerName: 'example.com/signer',
      podName: 'p',
      podUID: 'a9f8c0de-0000-4000-8000-000000000001',
      serviceAccountName: 'default',
      serviceAccountUID: 'a9f8c0de-0000-4000-8000-000000000002',
      nodeName: 'n',
      nodeUID: 'a9f8c0de-0000-4000-8000-000000000003',
      pkixPublicKey: 'AA==',
      proofOfPossession: 'AA==',
    },
  },
  'coordination.k8s.io Lease': { spec: { holderIdentity: 'me', leaseDurationSeconds: 15 } },
  'coordination.k8s.io LeaseCandidate': {
    spec: {
      leaseName: 'l',
      binaryVersion: '1.36.0',
      emulationVersion: '1.36.0',
      strategy: 'OldestEmulationVersion',
      pingTime: '2026-01-01T00:00:00.000000Z',
    },
  },
  'auditregistration.k8s.io AuditSink': {
    spec: { policy: { level: 'Metadata', stages: ['ResponseComplete'] }, webhook: { clientConfig: { url: 'https://a.example.com' } } },
  },
  'settings.k8s.io PodPreset': { spec: { selector: {}, env: [{ name: 'A', value: 'b' }] } },
  'extensions PodSecurityPolicy': { spec: securityPolicy },
  'policy PodSecurityPolicy': { spec: securityPolicy },
  ' ConfigMap': { data: { a: 'b' } },
  ' Endpoints': { subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80, protocol: 'TCP' }] }] },
  ' Event': { involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' }, reason: 'R', message: 'm', type: 'Normal' },
  ' LimitRange': { spec: { limits: [{ type: 'Container', default: { cpu: '1' } }] } },
  ' Namespace': {},
  ' Node': {},
  ' PersistentVolume': { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/data' }, storageClassName: 's' } },
  ' PersistentVolumeClaim': { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
  ' Pod': { spec: podSpec },
  ' PodTemplate': { template },
  ' ReplicationController': { spec: { selector: { app: 'a' }, template } },
  ' ResourceQuota': { spec: { hard: { pods: '3' } } },
  ' Secret': { data: { a: 'Yg==' } },
  ' Service': { spec: { selector: { app: 'a' }, ports: [{ port: 80 }], clusterIP: 'None' } },
  ' ServiceAccount': {},
  'discovery.k8s.io EndpointSlice': { addressType: 'IPv4', endpoints: [{ addresses: ['10.0.0.1'] }], ports: [{ name: '', port: 80 }] },
  'events.k8s.io Event': {
    eventTime: '2026-01-01T00:00:00.000000Z',
    reportingController: 'c.example.com/x',
    reportingInstance: 'i',
    action: 'A',
    reason: 'R',
    type: 'Normal',
    regarding: { kind: 'Pod', namespace: 'default', name: 'p' },
  },
  'extensions DaemonSet': { spec: { selector, template } },
  'extensions Deployment': { spec: { selector, template } },
  'extensions Ingress': { spec: { backend: { serviceName: 's', servicePort: 80 } } },
  'extensions ReplicaSet': { spec: { selector, template } },
  'flowcontrol.apiserver.k8s.io FlowSchema': { spec: { priorityLevelConfiguration: { name: 'global-default' }, matchingPrecedence: 5000 } },
  'flowcontrol.apiserver.k8s.io PriorityLevelConfiguration': {
    spec: { type: 'Limited', limited: { nominalConcurrencyShares: 5, limitResponse: { type: 'Reject' } } },
  },
  'networking.k8s.io Ingress': { spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } } },
  'networking.k8s.io IngressClass': { spec: { controller: 'example.com/c' } },
  'networking.k8s.io IPAddress': { name: '10.0.0.7', spec: { parentRef: { resource: 'services', namespace: 'default', name: 's' } } },
  'networking.k8s.io NetworkPolicy': { spec: { podSelector: {} } },
  'networking.k8s.io ServiceCIDR': { spec: { cidrs: ['10.1.0.0/16'] } },
  'node.k8s.io RuntimeClass': { handler: 'h' },
  'policy PodDisruptionBudget': { spec: { minAvailable: 1, selector } },
  'rbac.authorization.k8s.io ClusterRole': { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
  'rbac.authorization.k8s.io/v1alpha1 ClusterRoleBinding': { roleRef, subjects: [{ kind: 'User', apiVersion: roleVersion, name: 'u' }] },
  'rbac.authorization.k8s.io/v1alpha1 RoleBinding': { roleRef, subjects: [{ kind: 'User', apiVersion: roleVersion, name: 'u' }] },
  'rbac.authorization.k8s.io ClusterRoleBinding': { roleRef, subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'u' }] },
  'rbac.authorization.k8s.io Role': { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
  'rbac.authorization.k8s.io RoleBinding': { roleRef, subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'u' }] },
  'resource.k8s.io DeviceClass': { spec: {} },
  'resource.k8s.io ResourceClaim': { spec: { devices: {} } },
  'resource.k8s.io ResourceClaimTemplate': { spec: { spec: { devices: {} } } },
  'resource.k8s.io ResourceSlice': { spec: { driver: 'd.example.com', nodeName: 'n', pool: { name: 'p', resourceSliceCount: 1, generation: 1 } } },
  'resource.k8s.io DeviceTaintRule': {
    spec: { taint: { key: 'example.com/k', value: 'v', effect: 'NoSchedule' }, deviceSelector: { driver: 'd.example.com' } },
  },
  'resource.k8s.io ResourcePoolStatusRequest': { spec: { driver: 'd.example.com' } },
  'snapshot.storage.k8s.io VolumeSnapshot': { spec: { source: { persistentVolumeClaimName: 'c' } } },
  'snapshot.storage.k8s.io VolumeSnapshotClass': { driver: 'd', deletionPolicy: 'Delete' },
  'snapshot.storage.k8s.io VolumeSnapshotContent': {
    spec: { driver: 'd', deletionPolicy: 'Retain', source: { snapshotHandle: 'h' }, volumeSnapshotRef: { namespace: 'default', name: 's' } },
  },
  'kwok.x-k8s.io Stage': { spec: { resourceRef: { kind: 'Pod' } } },
  'kwok.x-k8s.io Metric': { spec: { path: '/metrics/x', metrics: [{ name: 'm', kind: 'gauge', value: '1' }] } },
  'sim.wavetank.dev Fault': { spec: { type: 'node-power-loss', target: { node: 'node-1' }, duration: '10s' } },
  'sim.wavetank.dev Scenario': { spec: { title: 'A day', steps: [{ name: 'wait', wait: '1m' }] } },
  'scheduling.k8s.io PriorityClass': { value: 10 },
  'scheduling.k8s.io PodGroup': { spec: { schedulingPolicy: { basic: {} } } },
  'scheduling.k8s.io Workload': { spec: { podGroupTemplates: [{ name: 'a', schedulingPolicy: { basic: {} } }] } },
  'storage.k8s.io CSIDriver': { spec: { attachRequired: true } },
  'storage.k8s.io CSINode': { spec: { drivers: [{ name: 'd.example.com', nodeID: 'n' }] } },
  'storage.k8s.io CSIStorageCapacity': { storageClassName: 's', capacity: '1Gi' },
  'storage.k8s.io StorageClass': { provisioner: 'example.com/p' },
  'storage.k8s.io VolumeAttachment': { spec: { attacher: 'a.example.com', nodeName: 'n', source: { persistentVolumeName: 'v' } } },
  'storage.k8s.io VolumeAttributesClass': { driverName: 'd.example.com', parameters: { a: 'b' } },
  'storagemigration.k8s.io StorageVersionMigration': { spec: { resource: { group: 'apps', resource: 'deployments' } } },
};

/** The written sample, or else the least that the schema asks for. */
export function sampleOf(kind: Pick<KindDefinition, 'group' | 'version' | 'kind' | 'schema'>, schemas: SchemaRegistry): JsonObject {
  return (
    samples[`${kind.group}/${kind.version} ${kind.kind}`] ??
    samples[`${kind.group} ${kind.kind}`] ??
    derivedSample(typeof kind.schema === 'string' ? schemas.mustGet(kind.schema) : kind.schema, schemas)
  );
}

/** Every required field with a small value of its type, and the spec, whatever it asks for. */
function derivedSample(schema: MessageSchema, schemas: SchemaRegistry): JsonObject {
  const fields = schema.fields.filter(({ name, required, omitEmpty }) => name === 'spec' || (required === true && !omitEmpty && !typeMeta.has(name)));
  return Object.fromEntries(fields.map((field) => [field.name, derivedValue(field, schemas)]));
}

const typeMeta: ReadonlySet<string> = new Set(['kind', 'apiVersion', 'metadata', 'status']);

function derivedValue({ card, type }: FieldSchema, schemas: SchemaRegistry): JsonValue {
  const one = typeof type === 'string' ? scalars[type] : derivedSample(schemas.mustGet(type.message), schemas);
  if (card === 'one') return one;
  if (card === 'list') return [one];
  return { a: card === 'map' ? one : [one] };
}

const scalars: { readonly [type in ScalarType]: JsonValue } = {
  string: 'a',
  bool: true,
  int32: 1,
  int64: 1,
  uint32: 1,
  uint64: 1,
  double: 1,
  bytes: 'YQ==',
  quantity: '1',
  intOrString: 1,
  time: '2026-01-01T00:00:00Z',
  microTime: '2026-01-01T00:00:00.000000Z',
  duration: '1s',
  fieldsV1: {},
  rawExtension: {},
  json: {},
  jsonSchemaOrBool: true,
  jsonSchemaOrArray: {},
  jsonSchemaOrStrings: ['a'],
};
