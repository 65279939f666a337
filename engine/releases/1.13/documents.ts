/** What OpenAPI and the paths beside it are in release 1.13. Mirrors its pkg/apis OpenAPI names and apiserver pkg/server/routes. */
import type { JsonObject } from '../../base/json.ts';
import type { ReleaseOpenApi, ReleasePaths } from '../../contracts/release.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const extensions = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions';
const text: JsonObject = { type: 'string' };

/** Where types lay before 1.8; old clients look for them there. By the package of those years: that of now, and what it had not yet. */
const formerPackages: { readonly [former: string]: { readonly package: string; readonly later: readonly string[] } } = {
  'api.v1': {
    package: 'core.v1',
    later: [
      'AzureFilePersistentVolumeSource',
      'CSIPersistentVolumeSource',
      'CephFSPersistentVolumeSource',
      'CinderPersistentVolumeSource',
      'ClientIPConfig',
      'ConfigMapNodeConfigSource',
      'EventSeries',
      'FlexPersistentVolumeSource',
      'GlusterfsPersistentVolumeSource',
      'ISCSIPersistentVolumeSource',
      'NodeConfigSource',
      'NodeConfigStatus',
      'PersistentVolumeClaimCondition',
      'PodDNSConfig',
      'PodDNSConfigOption',
      'PodReadinessGate',
      'RBDPersistentVolumeSource',
      'ScaleIOPersistentVolumeSource',
      'ScopeSelector',
      'ScopedResourceSelectorRequirement',
      'SecretReference',
      'ServiceAccountTokenProjection',
      'SessionAffinityConfig',
      'Sysctl',
      'TopologySelectorLabelRequirement',
      'TopologySelectorTerm',
      'TypedLocalObjectReference',
      'VolumeDevice',
      'VolumeNodeAffinity',
    ],
  },
  'apis.apps.v1beta1': { package: 'apps.v1beta1', later: ['StatefulSetCondition'] },
  'apis.authentication.v1': { package: 'authentication.v1', later: [] },
  'apis.authentication.v1beta1': { package: 'authentication.v1beta1', later: [] },
  'apis.authorization.v1': {
    package: 'authorization.v1',
    later: ['NonResourceRule', 'ResourceRule', 'SelfSubjectRulesReview', 'SelfSubjectRulesReviewSpec', 'SubjectRulesReviewStatus'],
  },
  'apis.authorization.v1beta1': {
    package: 'authorization.v1beta1',
    later: ['NonResourceRule', 'ResourceRule', 'SelfSubjectRulesReview', 'SelfSubjectRulesReviewSpec', 'SubjectRulesReviewStatus'],
  },
  'apis.autoscaling.v1': { package: 'autoscaling.v1', later: [] },
  'apis.batch.v1': { package: 'batch.v1', later: [] },
  'apis.certificates.v1beta1': { package: 'certificates.v1beta1', later: [] },
  'apis.extensions.v1beta1': {
    package: 'extensions.v1beta1',
    later: ['AllowedFlexVolume', 'AllowedHostPath', 'DaemonSetCondition', 'IPBlock', 'NetworkPolicyEgressRule', 'RunAsGroupStrategyOptions'],
  },
  'apis.networking.v1': { package: 'networking.v1', later: ['IPBlock', 'NetworkPolicyEgressRule'] },
  'apis.policy.v1beta1': {
    package: 'policy.v1beta1',
    later: [
      'AllowedFlexVolume',
      'AllowedHostPath',
      'FSGroupStrategyOptions',
      'HostPortRange',
      'IDRange',
      'PodSecurityPolicy',
      'PodSecurityPolicyList',
      'PodSecurityPolicySpec',
      'RunAsGroupStrategyOptions',
      'RunAsUserStrategyOptions',
      'SELinuxStrategyOptions',
      'SupplementalGroupsStrategyOptions',
    ],
  },
  'apis.rbac.v1beta1': { package: 'rbac.v1beta1', later: ['AggregationRule'] },
  'apis.storage.v1': {
    package: 'storage.v1',
    later: ['VolumeAttachment', 'VolumeAttachmentList', 'VolumeAttachmentSource', 'VolumeAttachmentSpec', 'VolumeAttachmentStatus', 'VolumeError'],
  },
  'apis.storage.v1beta1': {
    package: 'storage.v1beta1',
    later: ['VolumeAttachment', 'VolumeAttachmentList', 'VolumeAttachmentSource', 'VolumeAttachmentSpec', 'VolumeAttachmentStatus', 'VolumeError'],
  },
};

function series(required: readonly string[]): JsonObject {
  return {
    properties: {
      count: { format: 'int32', type: 'integer' },
      lastObservedTime: { $ref: `#/definitions/${meta}.MicroTime` },
      state: text,
    },
    ...(required.length === 0 ? undefined : { required }),
    type: 'object',
  };
}

const ofLogs = (operationId: string): JsonObject => ({
  get: { schemes: ['https'], tags: ['logs'], operationId, responses: { 401: { description: 'Unauthorized' } } },
});
const logPaths: JsonObject = {
  '/logs/': ofLogs('logFileListHandler'),
  '/logs/{logpath}': {
    ...ofLogs('logFileHandler'),
    parameters: [{ uniqueItems: true, type: 'string', description: 'path to the log', name: 'logpath', in: 'path', required: true }],
  },
};

export const openApi: ReleaseOpenApi = {
  renamed: {
    'io.k8s.api.core.v1.LifecycleHandler': 'io.k8s.api.core.v1.Handler',
    'io.k8s.api.admissionregistration.v1.RuleWithOperations': 'io.k8s.api.admissionregistration.v1beta1.RuleWithOperations',
    'io.k8s.api.admissionregistration.v1beta1.ValidatingWebhook': 'io.k8s.api.admissionregistration.v1beta1.Webhook',
    'io.k8s.api.admissionregistration.v1beta1.MutatingWebhook': 'io.k8s.api.admissionregistration.v1beta1.Webhook',
    [`${extensions}.v1.JSON`]: `${extensions}.v1beta1.JSON`,
    [`${extensions}.v1.JSONSchemaPropsOrArray`]: `${extensions}.v1beta1.JSONSchemaPropsOrArray`,
    [`${extensions}.v1.JSONSchemaPropsOrBool`]: `${extensions}.v1beta1.JSONSchemaPropsOrBool`,
    [`${extensions}.v1.JSONSchemaPropsOrStringArray`]: `${extensions}.v1beta1.JSONSchemaPropsOrStringArray`,
  },
  written: {
    'io.k8s.api.core.v1.EventSeries': series([]),
    'io.k8s.api.events.v1beta1.EventSeries': series(['count', 'lastObservedTime', 'state']),
    'io.k8s.apimachinery.pkg.runtime.RawExtension': { properties: { Raw: { format: 'byte', type: 'string' } }, required: ['Raw'], type: 'object' },
    [`${meta}.Initializer`]: { properties: { name: text }, required: ['name'], type: 'object' },
    [`${meta}.Initializers`]: {
      properties: {
        pending: {
          items: { $ref: `#/definitions/${meta}.Initializer` },
          type: 'array',
          'x-kubernetes-patch-merge-key': 'name',
          'x-kubernetes-patch-strategy': 'merge',
        },
        result: { $ref: `#/definitions/${meta}.Status` },
      },
      required: ['pending'],
      type: 'object',
    },
  },
  repeatsParameters: true,
  morePaths: logPaths,
  moreProperties: { [`${meta}.ObjectMeta`]: { clusterName: text, initializers: { $ref: `#/definitions/${meta}.Initializers` } } },
  fewerProperties: { 'io.k8s.apimachinery.pkg.version.Info': ['emulationMajor', 'emulationMinor', 'minCompatibilityMajor', 'minCompatibilityMinor'] },
  aliases: Object.fromEntries(
    Object.entries(formerPackages).map(([former, { package: present, later }]) => [
      `io.k8s.kubernetes.pkg.${former}.`,
      { prefix: `io.k8s.api.${present}.`, later },
    ]),
  ),
};

export const paths: ReleasePaths = {
  later: ['/livez', '/readyz', '/openapi/v3', '/.well-known', '/openid', '/debug/api_priority_and_fairness', '/metrics/slis', '/flagz', '/statusz'],
  openApi: { '/swagger.json': 'json', '/swagger-2.0.0.json': 'json', '/swagger-2.0.0.pb-v1': 'protobuf', '/swagger-2.0.0.pb-v1.gz': 'gzip' },
  describesAsText: true,
  logs: true,
  indexOfNothing: [
    '/apis',
    '/apis/',
    '/apis/apiextensions.k8s.io',
    '/apis/apiextensions.k8s.io/v1beta1',
    '/healthz',
    '/healthz/etcd',
    '/healthz/log',
    '/healthz/ping',
    '/healthz/poststarthook/generic-apiserver-start-informers',
    '/healthz/poststarthook/start-apiextensions-controllers',
    '/healthz/poststarthook/start-apiextensions-informers',
    '/metrics',
    '/openapi/v2',
    '/swagger-2.0.0.json',
    '/swagger-2.0.0.pb-v1',
    '/swagger-2.0.0.pb-v1.gz',
    '/swagger.json',
    '/swaggerapi',
    '/version',
  ],
  healthChecks: [
    'ping',
    'log',
    'etcd',
    'poststarthook/generic-apiserver-start-informers',
    'poststarthook/start-apiextensions-informers',
    'poststarthook/start-apiextensions-controllers',
    'poststarthook/bootstrap-controller',
    'poststarthook/rbac/bootstrap-roles',
    'poststarthook/scheduling/bootstrap-system-priority-classes',
    'poststarthook/ca-registration',
    'poststarthook/start-kube-apiserver-admission-initializer',
    'poststarthook/start-kube-aggregator-informers',
    'poststarthook/apiservice-registration-controller',
    'poststarthook/apiservice-status-available-controller',
    'poststarthook/apiservice-openapi-controller',
    'poststarthook/kube-apiserver-autoregistration',
    'autoregister-completion',
  ],
};
