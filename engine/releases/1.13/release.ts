/**
 * Release 1.13, the one the seeds describe: its groups, resources, fields and roles are what everybody sees. The components of the
 * cluster speak to each other in the present versions all the same, and with the present roles: these are internal here, and answer
 * nobody outside.
 */
import type { Release } from '../../contracts/release.ts';
import { release as present } from '../1.36/release.ts';
import { fields } from './fields.ts';
import { bootstrapPolicy } from './bootstrap-policy.gen.ts';
import { featureGates } from './feature-gates.ts';
import { kinds } from './kinds.ts';
import { words } from './words.ts';
import { podTemplateForms } from './go-forms.gen.ts';

/** Resources of a real 1.13 server, and the clusters of the seeds. What is not built in a version is not there. */
const listed: NonNullable<Release['versions']['listed']> = {
  'admissionregistration.k8s.io/v1beta1': ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'],
  'apiextensions.k8s.io/v1beta1': ['customresourcedefinitions'],
  'apiregistration.k8s.io/v1': ['apiservices'],
  'apiregistration.k8s.io/v1beta1': ['apiservices'],
  'apps/v1': ['controllerrevisions', 'daemonsets', 'deployments', 'replicasets', 'statefulsets'],
  'apps/v1beta1': ['controllerrevisions', 'deployments', 'statefulsets'],
  'apps/v1beta2': ['controllerrevisions', 'daemonsets', 'deployments', 'replicasets', 'statefulsets'],
  'authentication.k8s.io/v1': ['tokenreviews'],
  'authentication.k8s.io/v1beta1': ['tokenreviews'],
  'authorization.k8s.io/v1': ['localsubjectaccessreviews', 'selfsubjectaccessreviews', 'selfsubjectrulesreviews', 'subjectaccessreviews'],
  'authorization.k8s.io/v1beta1': ['localsubjectaccessreviews', 'selfsubjectaccessreviews', 'selfsubjectrulesreviews', 'subjectaccessreviews'],
  'autoscaling/v1': ['horizontalpodautoscalers'],
  'autoscaling/v2beta1': ['horizontalpodautoscalers'],
  'autoscaling/v2beta2': ['horizontalpodautoscalers'],
  'batch/v1': ['jobs'],
  'batch/v1beta1': ['cronjobs'],
  'certificates.k8s.io/v1beta1': ['certificatesigningrequests'],
  'coordination.k8s.io/v1beta1': ['leases'],
  'events.k8s.io/v1beta1': ['events'],
  'extensions/v1beta1': ['daemonsets', 'deployments', 'ingresses', 'networkpolicies', 'podsecuritypolicies', 'replicasets', 'replicationcontrollers'],
  'networking.k8s.io/v1': ['networkpolicies'],
  'policy/v1beta1': ['poddisruptionbudgets', 'podsecuritypolicies'],
  'rbac.authorization.k8s.io/v1': ['clusterrolebindings', 'clusterroles', 'rolebindings', 'roles'],
  'rbac.authorization.k8s.io/v1beta1': ['clusterrolebindings', 'clusterroles', 'rolebindings', 'roles'],
  'scheduling.k8s.io/v1beta1': ['priorityclasses'],
  'storage.k8s.io/v1': ['storageclasses', 'volumeattachments'],
  'storage.k8s.io/v1beta1': ['storageclasses', 'volumeattachments'],
  v1: [
    'bindings',
    'componentstatuses',
    'configmaps',
    'endpoints',
    'events',
    'limitranges',
    'namespaces',
    'nodes',
    'persistentvolumeclaims',
    'persistentvolumes',
    'pods',
    'podtemplates',
    'replicationcontrollers',
    'resourcequotas',
    'secrets',
    'serviceaccounts',
    'services',
  ],
  'federation/v1beta1': ['clusters'],
};

/** Its own first versions; everybody who wants them says `--runtime-config=api/all=true`. */
const off = ['batch/v2alpha1', 'rbac.authorization.k8s.io/v1alpha1', 'scheduling.k8s.io/v1alpha1', 'storage.k8s.io/v1alpha1'];

/** What came later and is off now: not even components ask for it. */
const absent: Release['versions']['absent'] = {
  'admissionregistration.k8s.io/v1alpha1': ['mutatingadmissionpolicies', 'mutatingadmissionpolicybindings'],
  'admissionregistration.k8s.io/v1beta1': ['mutatingadmissionpolicies', 'mutatingadmissionpolicybindings'],
  'certificates.k8s.io/v1alpha1': ['clustertrustbundles'],
  'certificates.k8s.io/v1beta1': ['clustertrustbundles', 'podcertificaterequests'],
  'coordination.k8s.io/v1alpha2': ['leasecandidates'],
  'coordination.k8s.io/v1beta1': ['leasecandidates'],
  'internal.apiserver.k8s.io/v1alpha1': ['storageversions'],
  'networking.k8s.io/v1beta1': ['ipaddresses', 'servicecidrs'],
  'resource.k8s.io/v1alpha3': ['devicetaintrules', 'resourcepoolstatusrequests'],
  'resource.k8s.io/v1beta1': ['deviceclasses', 'resourceclaims', 'resourceclaimtemplates', 'resourceslices'],
  'resource.k8s.io/v1beta2': ['deviceclasses', 'devicetaintrules', 'resourceclaims', 'resourceclaimtemplates', 'resourceslices'],
  'scheduling.k8s.io/v1alpha2': ['podgroups', 'workloads'],
  'storage.k8s.io/v1beta1': ['volumeattributesclasses'],
  'storagemigration.k8s.io/v1beta1': ['storageversionmigrations'],
};

export const release: Release = {
  name: '1.13',
  gitVersion: 'v1.13.12',
  version: { major: '1', minor: '13' },
  versions: { listed, hidden: [], off, absent },
  groupPriorities: { 'apiregistration.k8s.io': 18_000, extensions: 17_900 },
  versionPriorities: { 'autoscaling/v1': 3, 'autoscaling/v2beta1': 2, 'autoscaling/v2beta2': 1 },
  discovers: { singularNames: false, coreVersions: false, storageVersionHashes: false },
  fields,
  kinds,
  judgesUnknownFields: false,
  servesApply: false,
  schedulesByPolicy: true,
  words,
  ratchets: {
    JobLabelPrefix: false,
    MutableDisruptionBudgets: false,
    NamespaceNameLabel: false,
    BareFinalizers: false,
    BoundTokens: false,
    StrictWebhooks: false,
    ScaleTargetGroups: false,
    NamedSigners: false,
    StructuralSchemas: false,
    LenientEvictions: false,
    EventReporters: false,
  },
  selfLinks: true,
  // Warnings came with 1.19.
  warnsOfDeprecation: false,
  featureGates,
  admissionOrder: [
    'NamespaceLifecycle',
    'LimitRanger',
    'ServiceAccount',
    'NodeRestriction',
    'TaintNodesByCondition',
    'Priority',
    'DefaultTolerationSeconds',
    'DefaultStorageClass',
    'PersistentVolumeClaimResize',
    'Webhooks',
    'ResourceQuota',
  ],
  bootstrapPolicy,
  componentPolicy: present.bootstrapPolicy,
  // Without leases the status is the only sign of life.
  podTemplateForms,
  controllers: {
    orphanQuarantineMs: 0,
    taintsWithNextPass: true,
    taintsOnce: true,
    tellsPodsOfNodes: false,
    heedsOutOfService: false,
    tracksJobs: false,
    timesCronJobs: false,
    tellsOldSizes: false,
    marksDisruptions: false,
    signsEndpoints: false,
    labelsOrdinals: false,
    daemonsTolerateFewPids: false,
    writesNullCreation: true,
    countsUnmanagedPods: false,
    explainsBudgets: false,
    capitalizesDeeds: false,
    tellsFailedPods: true,
    emptiesPodsFirst: false,
    dropsEndedPods: false,
    heedsDeletionCost: false,
    tellsOfSlices: false,
    publishesRootCa: false,
    kubeletConditions: ['Ready', 'OutOfDisk', 'MemoryPressure', 'DiskPressure', 'PIDPressure'],
    leavesVolumesToDrivers: false,
    deletesEmptiedNamespaces: true,
    taintEventSource: 'taint-controller',
  },
  timing: { jobBackoffMaxMs: 360_000, nodeStatusReportMs: 10_000 },
  restartCountMax: 5,
  nodeLeaseGate: 'NodeLease',
  flagDefaults: {
    'authorization-always-allow-paths': '/healthz',
    'leader-elect-resource-lock': 'endpoints',
    'node-monitor-grace-period': '40s',
    'pod-max-backoff-seconds': '60',
  },
};
