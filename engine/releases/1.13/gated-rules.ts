/** What gates of release 1.13 change in its bootstrap policy. Mirrors the conditions of plugin/pkg/auth/authorizer/rbac/bootstrappolicy. */
import type { KubeObject } from '../../apimachinery/object.ts';
import type { JsonObject } from '../../base/json.ts';
import type { GatedPolicy } from '../../contracts/release-policy.ts';

const node = 'system:node';
const attacher = 'system:controller:attachdetach-controller';
const read = ['get', 'list', 'watch'];
const write = ['create', 'delete', 'get', 'patch', 'update'];
const csi = 'csi.storage.k8s.io';
const rule = (group: string, resource: string, verbs: readonly string[]): JsonObject => ({ apiGroups: [group], resources: [resource], verbs });
const events = rule('', 'events', ['create', 'patch', 'update']);

/** A role of a controller and its binding, as upstream makes them. */
function controllerRole(name: string, rules: readonly JsonObject[]): readonly KubeObject[] {
  const metadata = {
    name: `system:controller:${name}`,
    labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' },
    annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
  };
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: metadata.name };
  const subjects = [{ kind: 'ServiceAccount', name, namespace: 'kube-system' }];
  return [
    { apiVersion, kind: 'ClusterRole', metadata, rules } as KubeObject,
    { apiVersion, kind: 'ClusterRoleBinding', metadata, roleRef, subjects } as KubeObject,
  ];
}

const attachments = {
  [node]: [rule('storage.k8s.io', 'volumeattachments', ['get'])],
  [attacher]: [rule('storage.k8s.io', 'volumeattachments', ['create', 'delete', 'get', 'list', 'watch'])],
};

export const gatedRules: readonly GatedPolicy[] = [
  { gates: ['ExpandPersistentVolumes'], was: { [node]: [rule('', 'persistentvolumeclaims/status', ['get', 'patch', 'update'])] } },
  { gates: ['TokenRequest'], was: { [node]: [rule('', 'serviceaccounts/token', ['create'])] } },
  { gates: ['CSIPersistentVolume'], was: attachments },
  {
    gates: ['CSIPersistentVolume', 'CSIDriverRegistry'],
    adds: { [node]: [rule(csi, 'csidrivers', read)], [attacher]: [rule(csi, 'csidrivers', read)] },
  },
  { gates: ['KubeletPluginsWatcher', 'CSINodeInfo'], adds: { [node]: [rule(csi, 'csinodeinfos', write)] } },
  { gates: ['CSINodeInfo'], adds: { 'system:csi-external-provisioner': [rule(csi, 'csinodeinfos', read)] } },
  { gates: ['NodeLease'], adds: { [node]: [rule('coordination.k8s.io', 'leases', write)] } },
  { gates: ['RuntimeClass'], adds: { [node]: [rule('node.k8s.io', 'runtimeclasses', read)] } },
  {
    gates: ['TTLAfterFinished'],
    objects: controllerRole('ttl-after-finished-controller', [rule('batch', 'jobs', ['delete', 'get', 'list', 'watch']), events]),
  },
  {
    gates: ['BoundServiceAccountTokenVolume'],
    objects: controllerRole('root-ca-cert-publisher', [rule('', 'configmaps', ['create', 'update']), events]),
  },
];
