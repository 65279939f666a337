/** Short ways to write the steps of a case. */
import type { Step } from './cases.ts';

const groups: { readonly [plural: string]: string } = {
  pods: '/api/v1/namespaces/default/pods',
  podtemplates: '/api/v1/namespaces/default/podtemplates',
  persistentvolumeclaims: '/api/v1/namespaces/default/persistentvolumeclaims',
  persistentvolumes: '/api/v1/persistentvolumes',
  services: '/api/v1/namespaces/default/services',
  serviceaccounts: '/api/v1/namespaces/default/serviceaccounts',
  nodes: '/api/v1/nodes',
  namespaces: '/api/v1/namespaces',
  configmaps: '/api/v1/namespaces/default/configmaps',
  endpoints: '/api/v1/namespaces/default/endpoints',
  deployments: '/apis/apps/v1/namespaces/default/deployments',
  replicasets: '/apis/apps/v1/namespaces/default/replicasets',
  statefulsets: '/apis/apps/v1/namespaces/default/statefulsets',
  jobs: '/apis/batch/v1/namespaces/default/jobs',
  horizontalpodautoscalers: '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
  leases: '/apis/coordination.k8s.io/v1/namespaces/default/leases',
  csidrivers: '/apis/storage.k8s.io/v1/csidrivers',
  servicecidrs: '/apis/networking.k8s.io/v1/servicecidrs',
  ingresses: '/apis/networking.k8s.io/v1/namespaces/default/ingresses',
  resourceclaims: '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims',
  resourceclaimtemplates: '/apis/resource.k8s.io/v1/namespaces/default/resourceclaimtemplates',
  deviceclasses: '/apis/resource.k8s.io/v1/deviceclasses',
  resourceslices: '/apis/resource.k8s.io/v1/resourceslices',
  priorityclasses: '/apis/scheduling.k8s.io/v1/priorityclasses',
  podgroups: '/apis/scheduling.k8s.io/v1alpha2/namespaces/default/podgroups',
  workloads: '/apis/scheduling.k8s.io/v1alpha2/namespaces/default/workloads',
  customresourcedefinitions: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  clusterroles: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  clusterrolebindings: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
  validatingadmissionpolicies: '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
  validatingadmissionpolicybindings: '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings',
  mutatingadmissionpolicies: '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies',
  mutatingadmissionpolicybindings: '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings',
  validatingwebhookconfigurations: '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
  mutatingwebhookconfigurations: '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations',
};

/** `pods` and `pods/p/status` as paths. */
export function pathOf(short: string): string {
  const [plural = '', ...rest] = short.split('/');
  const base = groups[plural];
  if (base === undefined) throw new Error(`no such kind: ${plural}`);
  return [base, ...rest].join('/');
}

export interface Named {
  readonly metadata: { readonly name: string };
}

export function post(plural: string, body: Named, ...shown: readonly string[]): Step {
  return { method: 'POST', path: pathOf(plural), body, shown };
}

/** Puts over what is there, whichever its version. */
export function put(short: string, body: object, ...shown: readonly string[]): Step {
  return { method: 'PUT', path: pathOf(short), body, shown };
}

export function merge(short: string, body: object, ...shown: readonly string[]): Step {
  return { method: 'PATCH', path: pathOf(short), body, type: 'application/merge-patch+json', shown };
}

export function get(path: string, ...shown: readonly string[]): Step {
  return { method: 'GET', path, shown };
}

export const named = (name: string, more: object): Named => ({ metadata: { name }, ...more });

export const container = { name: 'c', image: 'i' };

export const pod = (name: string, spec: object = {}, metadata: object = {}): Named => ({
  metadata: { name, ...metadata },
  ...{ spec: { automountServiceAccountToken: false, containers: [container], ...spec } },
});

/** One that says all of this of its container. */
export const podWith = (name: string, of: object, spec: object = {}): Named => pod(name, { containers: [{ ...container, ...of }], ...spec });
