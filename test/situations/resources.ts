/** The resources whose objects are facts, with the groups that serve them. */
const namespaced: Readonly<Record<string, string>> = {
  pods: 'v1',
  services: 'v1',
  endpoints: 'v1',
  configmaps: 'v1',
  secrets: 'v1',
  serviceaccounts: 'v1',
  replicationcontrollers: 'v1',
  resourcequotas: 'v1',
  persistentvolumeclaims: 'v1',
  events: 'v1',
  deployments: 'apps/v1',
  replicasets: 'apps/v1',
  statefulsets: 'apps/v1',
  daemonsets: 'apps/v1',
  controllerrevisions: 'apps/v1',
  jobs: 'batch/v1',
  cronjobs: 'batch/v1',
  horizontalpodautoscalers: 'autoscaling/v2',
  poddisruptionbudgets: 'policy/v1',
  endpointslices: 'discovery.k8s.io/v1',
  resourceclaims: 'resource.k8s.io/v1',
  resourceclaimtemplates: 'resource.k8s.io/v1',
};

const clusterWide: Readonly<Record<string, string>> = {
  namespaces: 'v1',
  nodes: 'v1',
  persistentvolumes: 'v1',
  storageclasses: 'storage.k8s.io/v1',
  volumeattachments: 'storage.k8s.io/v1',
  csinodes: 'storage.k8s.io/v1',
  csidrivers: 'storage.k8s.io/v1',
  volumeattributesclasses: 'storage.k8s.io/v1',
  certificatesigningrequests: 'certificates.k8s.io/v1',
  clusterroles: 'rbac.authorization.k8s.io/v1',
  servicecidrs: 'networking.k8s.io/v1',
  ipaddresses: 'networking.k8s.io/v1',
  validatingadmissionpolicies: 'admissionregistration.k8s.io/v1',
  priorityclasses: 'scheduling.k8s.io/v1',
  resourceslices: 'resource.k8s.io/v1',
  deviceclasses: 'resource.k8s.io/v1',
};

/** Served and written by situations, and no facts of their own. */
const silent: Readonly<Record<string, string>> = { leases: 'coordination.k8s.io/v1' };

const kinds: Readonly<Record<string, string>> = {
  Endpoints: 'endpoints',
  NetworkPolicy: 'networkpolicies',
  StorageClass: 'storageclasses',
  VolumeAttributesClass: 'volumeattributesclasses',
  IPAddress: 'ipaddresses',
  ValidatingAdmissionPolicy: 'validatingadmissionpolicies',
  PriorityClass: 'priorityclasses',
  DeviceClass: 'deviceclasses',
};

/** Resource → apiVersion; undefined where it is not served. */
export type Places = Readonly<Record<string, string | undefined>>;

/** Where they are served today. */
export const present: Places = { ...namespaced, ...clusterWide, ...silent };

export const namespacedResources = Object.keys(namespaced);
export const clusterResources = Object.keys(clusterWide);

export function isClusterWide(resource: string): boolean {
  return resource in clusterWide;
}

/** `pods` for `Pod`. */
export function resourceOf(kind: string): string {
  return kinds[kind] ?? `${kind.toLowerCase()}s`;
}

/** Where a resource is served: `/apis/apps/v1/namespaces/NS/deployments[/NAME[/SUBRESOURCE]]`. An empty namespace asks about all. */
export function apiPath(version: string, resource: string, namespace: string, ...rest: readonly string[]): string {
  const root = version.includes('/') ? `/apis/${version}` : `/api/${version}`;
  const scope = isClusterWide(resource) || namespace === '' ? '' : `/namespaces/${namespace}`;
  return [`${root}${scope}/${resource}`, ...rest].join('/');
}
