/** How many pods a budget counts on: the scales of all controllers of its pods. Mirrors the finders of pkg/controller/disruption/disruption.go. */
import type { Deployment, ReplicaSet, StatefulSet } from '../../api/apps/v1/types.gen.ts';
import type { Pod, ReplicationController } from '../../api/core/v1/types.gen.ts';
import type { PodDisruptionBudget } from '../../api/policy/v1/types.gen.ts';
import type { OwnerReference } from '../../apimachinery/object.ts';
import type { ResourceType } from '../../client/client.ts';
import type { Lister } from '../../client/informer.ts';
import { scaledValue } from '../lib/int-or-string.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';

export interface Scales {
  readonly deployments: Lister<Deployment>;
  readonly replicaSets: Lister<ReplicaSet>;
  readonly statefulSets: Lister<StatefulSet>;
  readonly replicationControllers: Lister<ReplicationController>;
  resources(): readonly ResourceType[];
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

/** Throws a RetryError where it cannot be told; so does, unless `countsUnmanaged`, a pod that nobody controls. */
export function expectationOf(budget: PodDisruptionBudget, pods: readonly Pod[], scales: Scales, countsUnmanaged: boolean): Expectation {
  const { maxUnavailable, minAvailable } = budget.spec ?? {};
  if (maxUnavailable !== undefined) {
    const { expected, unmanaged } = sumOfScales(pods, scales, countsUnmanaged);
    return { expected, unmanaged, desired: Math.max(0, expected - scaledValue(maxUnavailable, expected, 'up')) };
  }
  if (typeof minAvailable === 'number') return { expected: pods.length, desired: minAvailable, unmanaged: false };
  if (minAvailable === undefined) return { expected: 0, desired: 0, unmanaged: false };
  const { expected, unmanaged } = sumOfScales(pods, scales, countsUnmanaged);
  return { expected, unmanaged, desired: scaledValue(minAvailable, expected, 'up') };
}

function sumOfScales(pods: readonly Pod[], scales: Scales, countsUnmanaged: boolean): { readonly expected: number; readonly unmanaged: boolean } {
  const known = new Map<string, number>();
  let unmanaged = false;
  for (const pod of pods) {
    const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller === true);
    if (owner === undefined && !countsUnmanaged) throw new NoController(pod.metadata.name ?? '');
    if (owner === undefined) unmanaged = true;
    else if (!known.has(owner.uid)) {
      const found = scaleOf(owner, pod, scales);
      if (found === undefined) throw new NoController(pod.metadata.name ?? '');
      known.set(found.uid, found.scale);
      // A ReplicaSet of a deployment is found again for each pod otherwise.
      if (found.uid !== owner.uid) known.set(owner.uid, 0);
    }
  }
  return { expected: [...known.values()].reduce((sum, scale) => sum + scale, 0), unmanaged };
}

function scaleOf(owner: OwnerReference, pod: Pod, scales: Scales): Found | undefined {
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
  const type = scales.resources().find((each) => each.kind === owner.kind && each.group === group);
  if (type === undefined) throw new RetryError(`no matches for kind ${JSON.stringify(owner.kind)} in version ${JSON.stringify(owner.apiVersion)}`);
  throw new RetryError(`${group === '' ? type.resource : `${type.resource}.${group}`} does not implement the scale subresource`);
}

function found(object: StatefulSet | ReplicationController | undefined, { uid }: OwnerReference): Found | undefined {
  return object?.metadata.uid === uid ? { uid, scale: object.spec?.replicas ?? 1 } : undefined;
}
