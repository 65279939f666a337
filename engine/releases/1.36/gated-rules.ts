/** What gates of release 1.36 change in its bootstrap policy; controllers bring roles of their own. Mirrors the conditions of plugin/pkg/auth/authorizer/rbac/bootstrappolicy. */
import type { GatedPolicy } from '../../contracts/release.ts';

const workloads = 'scheduling.k8s.io';
const read = ['get', 'list', 'watch'];

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
    adds: { 'system:kube-scheduler': [{ apiGroups: ['resource.k8s.io'], resources: ['devicetaintrules'], verbs: read }] },
  },
];
