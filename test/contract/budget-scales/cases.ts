/** Budgets over pods whose owner is known by its scale alone: custom resources and kinds that have none. Requests before any server. */

export interface OwnerCase {
  readonly name: string;
  readonly owners: readonly Owner[];
  readonly budget: object;
}

/** `uid`: not that of the object, which is not there either where `absent` says so. */
interface Owner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly replicas?: number;
  readonly uid?: string;
  readonly absent?: true;
  /** Of `pods` pods each. */
  readonly pods?: number;
}

export interface Step {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

const strange = '22222222-2222-2222-2222-222222222222';
const widget = (name: string, more: Partial<Owner> = {}): Owner => ({ apiVersion: 'example.com/v1', kind: 'Widget', name, replicas: 3, ...more });
const one = { maxUnavailable: 1 };

export const ownerCases: readonly OwnerCase[] = [
  { name: 'scaled', owners: [widget('a', { pods: 3 })], budget: one },
  { name: 'share', owners: [widget('a', { pods: 2 })], budget: { minAvailable: '50%' } },
  { name: 'number', owners: [widget('a')], budget: { minAvailable: 1 } },
  { name: 'two', owners: [widget('a', { pods: 2 }), widget('b', { replicas: 5 })], budget: one },
  { name: 'none-wanted', owners: [widget('a', { replicas: 0, pods: 2 })], budget: one },
  { name: 'other-version', owners: [widget('a', { apiVersion: 'example.com/v1beta1', pods: 2 })], budget: one },
  { name: 'unserved-version', owners: [widget('a', { apiVersion: 'example.com/v3' })], budget: one },
  { name: 'gone', owners: [widget('a', { absent: true, uid: strange })], budget: one },
  { name: 'another', owners: [widget('a', { uid: strange })], budget: one },
  { name: 'without-scale', owners: [{ apiVersion: 'example.com/v1', kind: 'Gadget', name: 'a' }], budget: one },
  { name: 'without-scale-gone', owners: [{ apiVersion: 'example.com/v1', kind: 'Gadget', name: 'a', absent: true, uid: strange }], budget: one },
  { name: 'unknown', owners: [{ apiVersion: 'example.com/v1', kind: 'Nothing', name: 'a', absent: true, uid: strange }], budget: one },
  { name: 'job', owners: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'a', absent: true, uid: strange }], budget: one },
  { name: 'node', owners: [{ apiVersion: 'v1', kind: 'Node', name: 'a', absent: true, uid: strange }], budget: one },
  { name: 'replica-set-gone', owners: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'a', absent: true, uid: strange }], budget: one },
  {
    name: 'deployment-gone',
    owners: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'a', absent: true, uid: strange }],
    budget: { minAvailable: '10%' },
  },
];

const group = '/apis/example.com/v1';
const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };

function definition(plural: string, kind: string, subresources: object): Step {
  const version = (name: string, storage: boolean): object => ({ name, served: true, storage, schema, subresources });
  const names = { plural, singular: kind.toLowerCase(), kind };
  const spec = { group: 'example.com', scope: 'Namespaced', names, versions: [version('v1', true), version('v1beta1', false)] };
  const body = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: `${plural}.example.com` }, spec };
  return { method: 'POST', path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', body };
}

export const definitions: readonly Step[] = [
  definition('widgets', 'Widget', { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } }),
  definition('gadgets', 'Gadget', {}),
];

export const namespaceOf = ({ name }: OwnerCase): string => `o-${name}`;

/** Owners and pods of a case; `send` gives what was answered. */
export async function bringAbout(each: OwnerCase, send: (step: Step) => Promise<{ readonly metadata: { readonly uid?: string } }>): Promise<void> {
  const namespace = namespaceOf(each);
  for (const { apiVersion, kind, name, replicas, uid, absent, pods = 1 } of each.owners) {
    const body = { apiVersion: 'example.com/v1', kind, metadata: { name }, ...(replicas === undefined ? {} : { spec: { replicas } }) };
    const plural = `${kind.toLowerCase()}s`;
    const made = absent === true ? undefined : await send({ method: 'POST', path: `${group}/namespaces/${namespace}/${plural}`, body });
    const ownerReferences = [{ apiVersion, kind, name, uid: uid ?? made?.metadata.uid, controller: true }];
    for (let at = 0; at < pods; at++) await bringPod(namespace, `${name}-${at}`, ownerReferences, send);
  }
}

export function budgetStep(each: OwnerCase): Step {
  const spec = { selector: { matchLabels: { app: 'w' } }, ...each.budget };
  const path = `/apis/policy/v1/namespaces/${namespaceOf(each)}/poddisruptionbudgets`;
  return { method: 'POST', path, body: { metadata: { name: 'pdb' }, spec } };
}

async function bringPod(namespace: string, name: string, ownerReferences: readonly object[], send: (step: Step) => Promise<unknown>): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/pods`;
  const finalizers = ['example.com/stay'];
  const body = { metadata: { name, labels: { app: 'w' }, ownerReferences, finalizers }, spec: { containers: [{ name: 'c', image: 'c' }] } };
  await send({ method: 'POST', path, body });
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  await send({ method: 'PATCH', path: `${path}/${name}/status`, body: { status } });
}

export const reads = (each: OwnerCase): readonly [budget: string, events: string] => [
  `/apis/policy/v1/namespaces/${namespaceOf(each)}/poddisruptionbudgets/pdb`,
  `/api/v1/namespaces/${namespaceOf(each)}/events`,
];

/** What is compared: the status without times, and the events. */
export function factsOf(budget: object, events: object): object {
  const { status = {} } = budget as { status?: { conditions?: readonly Record<string, unknown>[] } };
  const conditions = (status.conditions ?? []).map(({ type, status: is, reason, message }) => `${type}=${is} ${reason}: ${message}`);
  const { items } = events as { items: { reason: string; message: string; type: string; involvedObject: { kind: string } }[] };
  const own = items.filter(({ involvedObject }) => involvedObject.kind === 'PodDisruptionBudget');
  return { ...status, conditions, events: [...new Set(own.map(({ type, reason, message }) => `${type} ${reason}: ${message}`))].sort() };
}
