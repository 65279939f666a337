/** How many pods a budget counts on: the scales of all controllers of its pods. Mirrors the finders of pkg/controller/disruption/disruption.go. */
import type { Deployment, ReplicaSet, StatefulSet } from '../../api/apps/v1/types.gen.ts';
import type { Pod, ReplicationController } from '../../api/core/v1/types.gen.ts';
import type { PodDisruptionBudget } from '../../api/policy/v1/types.gen.ts';
import type { OwnerReference } from '../../apimachinery/object.ts';
import type { Scale } from '../../api/autoscaling/v1/types.gen.ts';
import { isNotFound } from '../../apimachinery/errors.ts';
import type { Client, ResourceType } from '../../client/client.ts';
import type { Lister } from '../../client/informer.ts';
import { scaledValue } from '../lib/int-or-string.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';

export interface Scales {
  readonly deployments: Lister<Deployment>;
  readonly replicaSets: Lister<ReplicaSet>;
  readonly statefulSets: Lister<StatefulSet>;
  readonly replicationControllers: Lister<ReplicationController>;
  resources(): readonly ResourceType[];
  /** See ControllerEnvironment. */
  versionsOf(group: string): Promise<readonly string[] | undefined>;
  /** See ControllerEnvironment. */
  hasSubresource(type: ResourceType, name: string): Promise<boolean>;
  /** Reads scales of other kinds; absent where the release does not follow them. */
  readonly client: Client | undefined;
}

export interface Expectation {
  readonly expected: number;
  readonly desired: number;
  readonly unmanaged: boolean;
}

/** A pod has no controller that is known. */
export class NoController extends RetryError {
  constructor(pod: string) {
    super(`found no controllers for pod ${JSON.stringify(pod)}`);
  }
}

interface Found {
  readonly uid: string;
  readonly scale: number;
}

/** Rejects with a RetryError where it cannot be told; so does, unless `countsUnmanaged`, a pod that nobody controls. */
export async function expectationOf(
  budget: PodDisruptionBudget,
  pods: readonly Pod[],
  scales: Scales,
  countsUnmanaged: boolean,
): Promise<Expectation> {
  const { maxUnavailable, minAvailable } = budget.spec ?? {};
  if (maxUnavailable !== undefined) {
    const { expected, unmanaged } = await sumOfScales(pods, scales, countsUnmanaged);
    return { expected, unmanaged, desired: Math.max(0, expected - scaledValue(maxUnavailable, expected, 'up')) };
  }
  if (typeof minAvailable === 'number') return { expected: pods.length, desired: minAvailable, unmanaged: false };
  if (minAvailable === undefined) return { expected: 0, desired: 0, unmanaged: false };
  const { expected, unmanaged } = await sumOfScales(pods, scales, countsUnmanaged);
  return { expected, unmanaged, desired: scaledValue(minAvailable, expected, 'up') };
}

async function sumOfScales(
  pods: readonly Pod[],
  scales: Scales,
  countsUnmanaged: boolean,
): Promise<{ readonly expected: number; readonly unmanaged: boolean }> {
  const known = new Map<string, number>();
  let unmanaged = false;
  for (const pod of pods) {
    const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller === true);
    if (owner === undefined && !countsUnmanaged) throw new NoController(pod.metadata.name ?? '');
    if (owner === undefined) unmanaged = true;
    else if (!known.has(owner.uid)) {
      const found = await scaleOf(owner, pod, scales);
      if (found === undefined) throw new NoController(pod.metadata.name ?? '');
      known.set(found.uid, found.scale);
      // A ReplicaSet of a deployment is found again for each pod otherwise.
      if (found.uid !== owner.uid) known.set(owner.uid, 0);
    }
  }
  return { expected: [...known.values()].reduce((sum, scale) => sum + scale, 0), unmanaged };
}

async function scaleOf(owner: OwnerReference, pod: Pod, scales: Scales): Promise<Found | undefined> {
  const namespace = pod.metadata.namespace;
  const group = owner.apiVersion.includes('/') ? (owner.apiVersion.split('/')[0] ?? '') : '';
  const kind = `${owner.kind}.${group}`;
  if (kind === 'ReplicaSet.apps') {
    const set = scales.replicaSets.get(namespace, owner.name);
    if (set?.metadata.uid !== owner.uid) return undefined;
    const above = set.metadata.ownerReferences?.find(({ controller }) => controller === true);
    if (above?.kind !== 'Deployment') return { uid: owner.uid, scale: set.spec?.replicas ?? 1 };
    const deployment = scales.deployments.get(namespace, above.name);
    return deployment?.metadata.uid === above.uid ? { uid: above.uid, scale: deployment.spec?.replicas ?? 1 } : undefined;
  }
  if (kind === 'StatefulSet.apps') return found(scales.statefulSets.get(namespace, owner.name), owner);
  if (kind === 'ReplicationController.') return found(scales.replicationControllers.get(namespace, owner.name), owner);
  return scales.client === undefined ? undefined : scaleByName(owner, group, namespace, scales, scales.client);
}

/** Of any other kind that can be scaled, custom ones most of all. */
async function scaleByName(
  { apiVersion, kind, name, uid }: OwnerReference,
  group: string,
  namespace: string | undefined,
  { resources, versionsOf, hasSubresource }: Scales,
  client: Client,
): Promise<Found | undefined> {
  const known = resources().find((each) => each.kind === kind && each.group === group);
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  const type = known?.version === version || (await versionsOf(group))?.includes(version) === true ? known : undefined;
  if (type === undefined) throw new RetryError(`no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}`);
  try {
    const scale = await client.get(type as ResourceType<Scale>, namespace, name, { subresource: 'scale' });
    return scale.metadata.uid === uid ? { uid, scale: scale.spec?.replicas ?? 0 } : undefined;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    // Nothing of the name is one thing, no such subresource another.
    if (await hasSubresource(type, 'scale')) return undefined;
    throw new RetryError(`${group === '' ? type.resource : `${type.resource}.${group}`} does not implement the scale subresource`);
  }
}

function found(object: StatefulSet | ReplicationController | undefined, { uid }: OwnerReference): Found | undefined {
  return object?.metadata.uid === uid ? { uid, scale: object.spec?.replicas ?? 1 } : undefined;
}
