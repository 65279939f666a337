/** What OpenAPI is in release 1.13. Mirrors its pkg/apis OpenAPI names. */
import type { JsonObject } from '../../base/json.ts';
import type { ReleaseOpenApi } from '../../contracts/release-documents.ts';
import { rewords, silent } from './openapi-words.ts';

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
  'apis.admissionregistration.v1alpha1': { package: 'admissionregistration.v1alpha1', later: [] },
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
  'apis.batch.v2alpha1': { package: 'batch.v2alpha1', later: [] },
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
  'apis.rbac.v1alpha1': { package: 'rbac.v1alpha1', later: ['AggregationRule'] },
  'apis.rbac.v1beta1': { package: 'rbac.v1beta1', later: ['AggregationRule'] },
  'apis.settings.v1alpha1': { package: 'settings.v1alpha1', later: [] },
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
    'io.k8s.api.admissionregistration.v1.Rule': 'io.k8s.api.admissionregistration.v1alpha1.Rule',
    'io.k8s.api.admissionregistration.v1.RuleWithOperations': 'io.k8s.api.admissionregistration.v1beta1.RuleWithOperations',
    'io.k8s.api.admissionregistration.v1beta1.ValidatingWebhook': 'io.k8s.api.admissionregistration.v1beta1.Webhook',
    'io.k8s.api.admissionregistration.v1beta1.MutatingWebhook': 'io.k8s.api.admissionregistration.v1beta1.Webhook',
    'io.k8s.api.core.v1.VolumeResourceRequirements': 'io.k8s.api.core.v1.ResourceRequirements',
    'io.k8s.api.extensions.v1beta1.IngressLoadBalancerIngress': 'io.k8s.api.core.v1.LoadBalancerIngress',
    'io.k8s.api.extensions.v1beta1.IngressLoadBalancerStatus': 'io.k8s.api.core.v1.LoadBalancerStatus',
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
  required: {
    'io.k8s.api.apps.v1.StatefulSetSpec': ['selector', 'template', 'serviceName'],
    'io.k8s.api.apps.v1beta1.StatefulSetSpec': ['template', 'serviceName'],
    'io.k8s.api.apps.v1beta2.StatefulSetSpec': ['selector', 'template', 'serviceName'],
    'io.k8s.api.authentication.v1.TokenReviewSpec': [],
    'io.k8s.api.authentication.v1beta1.TokenReviewSpec': [],
    'io.k8s.api.autoscaling.v1.HorizontalPodAutoscaler': [],
    'io.k8s.api.batch.v1beta1.CronJob': [],
    'io.k8s.api.certificates.v1beta1.CertificateSigningRequest': [],
    'io.k8s.api.core.v1.ContainerImage': ['names'],
    'io.k8s.api.core.v1.HostAlias': [],
    'io.k8s.api.core.v1.LimitRangeItem': [],
    'io.k8s.api.core.v1.ProjectedVolumeSource': ['sources'],
    'io.k8s.api.extensions.v1beta1.IngressBackend': ['serviceName', 'servicePort'],
    'io.k8s.api.networking.v1.NetworkPolicySpec': ['podSelector'],
    'io.k8s.api.policy.v1beta1.PodDisruptionBudgetStatus': ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'],
    'io.k8s.api.rbac.v1.ClusterRole': ['rules'],
    'io.k8s.api.rbac.v1.Role': ['rules'],
    'io.k8s.api.rbac.v1.RoleRef': ['apiGroup', 'kind', 'name'],
    'io.k8s.api.rbac.v1alpha1.ClusterRole': ['rules'],
    'io.k8s.api.rbac.v1beta1.ClusterRole': ['rules'],
    'io.k8s.api.rbac.v1alpha1.Role': ['rules'],
    'io.k8s.api.rbac.v1beta1.Role': ['rules'],
    'io.k8s.api.rbac.v1alpha1.RoleRef': ['apiGroup', 'kind', 'name'],
    'io.k8s.api.rbac.v1beta1.RoleRef': ['apiGroup', 'kind', 'name'],
    'io.k8s.api.scheduling.v1beta1.PriorityClass': ['value'],
    [`${extensions}.v1beta1.CustomResourceDefinitionStatus`]: ['conditions', 'acceptedNames', 'storedVersions'],
    'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIServiceSpec': ['service', 'groupPriorityMinimum', 'versionPriority'],
    'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1beta1.APIServiceSpec': ['service', 'groupPriorityMinimum', 'versionPriority'],
  },
  marks: { [`${meta}.LabelSelectorRequirement`]: { key: { 'x-kubernetes-patch-merge-key': 'key', 'x-kubernetes-patch-strategy': 'merge' } } },
  merges: { 'io.k8s.api.core.v1.Container': ['ports'] },
  silent,
  rewords,
  requests: {
    endsBefore: { pretty: ' Defaults to', tailLines: '. Note that' },
    listQuery: ['includeUninitialized'],
    createQuery: ['includeUninitialized'],
    readQuery: ['exact', 'export'],
    withoutReadQuery: [
      'componentstatuses',
      'clusterrolebindings.rbac.authorization.k8s.io',
      'clusterroles.rbac.authorization.k8s.io',
      'rolebindings.rbac.authorization.k8s.io',
      'roles.rbac.authorization.k8s.io',
    ],
    deletesAsListed: true,
    patchesWhatIs: true,
    keepsDeleted: true,
    answersStatus: ['io.k8s.api.apps.v1beta1.DeploymentRollback', 'io.k8s.api.extensions.v1beta1.DeploymentRollback'],
  },
  ofVersion: 'the code version',
  omitsCustom: true,
  isIndented: true,
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
