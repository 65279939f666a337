/** What gates of release 1.36 change in its bootstrap policy; controllers bring roles of their own. Mirrors the conditions of plugin/pkg/auth/authorizer/rbac/bootstrappolicy. */
import type { KubeObject } from '../../apimachinery/object.ts';
import type { GatedPolicy } from '../../contracts/release-policy.ts';

const workloads = 'scheduling.k8s.io';
const devices = 'resource.k8s.io';
const certificates = 'certificates.k8s.io';
const read = ['get', 'list', 'watch'];
const discovery = 'system:cluster-trust-bundle-discovery';
const ofBootstrap = {
  labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' },
  annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
};
const binding = { apiGroups: [devices], resources: ['resourceclaims/binding'], verbs: ['patch', 'update'] };
/** Service accounts may read the bundles that they believe. */
const bundleObjects: readonly KubeObject[] = [
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: discovery, ...ofBootstrap },
    rules: [{ apiGroups: [certificates], resources: ['clustertrustbundles'], verbs: read }],
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: discovery, ...ofBootstrap },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: discovery },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:serviceaccounts' }],
  },
].map((object) => object as KubeObject);

export const gatedRules: readonly GatedPolicy[] = [
  {
    gates: ['GenericWorkload'],
    adds: {
      'system:kube-scheduler': [
        { apiGroups: [workloads], resources: ['podgroups'], verbs: read },
        { apiGroups: [workloads], resources: ['podgroups/status'], verbs: ['patch', 'update'] },
      ],
      'system:aggregate-to-view': [{ apiGroups: [workloads], resources: ['podgroups', 'podgroups/status', 'workloads'], verbs: read }],
      'system:aggregate-to-edit': [
        { apiGroups: [workloads], resources: ['podgroups', 'workloads'], verbs: ['create', 'delete', 'deletecollection', 'patch', 'update'] },
      ],
    },
  },
  {
    gates: ['DRADeviceTaintRules'],
    adds: { 'system:kube-scheduler': [{ apiGroups: [devices], resources: ['devicetaintrules'], verbs: read }] },
  },
  {
    gates: ['DRAExtendedResource'],
    was: { 'system:kube-scheduler': [{ apiGroups: [devices], resources: ['resourceclaims'], verbs: ['create', 'delete'] }] },
  },
  {
    gates: ['DRAResourceClaimGranularStatusAuthorization'],
    was: { 'system:kube-scheduler': [binding], 'system:controller:resource-claim-controller': [binding] },
  },
  { gates: ['DRADeviceTaints'], names: ['system:controller:device-taint-eviction-controller'] },
  {
    gates: ['ClusterTrustBundle'],
    adds: { 'system:node': [{ apiGroups: [certificates], resources: ['clustertrustbundles'], verbs: read }] },
    objects: bundleObjects,
  },
  {
    gates: ['PodCertificateRequest'],
    adds: { 'system:node': [{ apiGroups: [certificates], resources: ['podcertificaterequests'], verbs: ['create', ...read] }] },
  },
];
