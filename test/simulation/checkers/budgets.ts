/** Disruption budgets count what is healthy, and evictions keep to them. */
import type { Deployment, ReplicaSet } from '../../../engine/api/apps/v1/types.gen.ts';
import type { Pod } from '../../../engine/api/core/v1/types.gen.ts';
import type { PodDisruptionBudget } from '../../../engine/api/policy/v1/types.gen.ts';
import { controllerUid, prefixOf, selects, type World } from '../world.ts';
import type { Checker } from './checker.ts';
import { compare } from './status.ts';

const calmMs = 3_000;
const scalable: ReadonlySet<string> = new Set(['deployments', 'replicasets']);

export function budgetsCountTheHealthy(): Checker {
  /** When the replicas that a controller is to have last changed, or a pod left a budget by its labels, by the UID of either. */
  const unheardMs = new Map<string, number>();
  const look = (world: World): readonly string[] =>
    world.all<PodDisruptionBudget>('poddisruptionbudgets').flatMap((budget) => wrongBudget(budget, world, unheardMs));
  return {
    name: 'budgets count the healthy',
    onChange({ key, current, previous }, world) {
      if (current === undefined || previous === undefined) return [];
      if (prefixOf(key) === 'pods') {
        for (const { metadata } of leftBy(previous.value as Pod, current.value as Pod, world)) unheardMs.set(metadata.uid ?? '', world.nowMs);
        return [];
      }
      if (!scalable.has(prefixOf(key))) return [];
      const [before, now] = [previous.value as Deployment, current.value as Deployment];
      if (before.spec?.replicas !== now.spec?.replicas) unheardMs.set(now.metadata.uid ?? '', world.nowMs);
      return [];
    },
    inspect: look,
    atRest: look,
  };
}

function wrongBudget(budget: PodDisruptionBudget, world: World, unheardMs: ReadonlyMap<string, number>): readonly string[] {
  const { namespace, generation, deletionTimestamp, uid: budgetUid = '' } = budget.metadata;
  const pods = podsOf(budget, world);
  const owners = ['deployments', 'replicasets', 'poddisruptionbudgets'].every((prefix) => world.calmMs(prefix, namespace) >= calmMs);
  if (!owners || pods.some((pod) => world.ageMs('pods', pod) < calmMs) || deletionTimestamp !== undefined) return [];
  if (world.calmMs('pods', namespace) < calmMs || budget.status?.conditions?.some(({ reason }) => reason === 'SyncFailed') === true) return [];
  // Nobody looks at the budget of a pod that another budget has taken.
  if (pods.some((pod) => budgetsOf(pod, world).length > 1)) return [];
  // Upstream's controller hears of budgets and of pods that they select: a scale that moves no pod, and a pod whose labels lead out of the
  // budget, are counted with the next pod that moves.
  const lastMs = world.nowMs - Math.min(...pods.map((pod) => world.ageMs('pods', pod)));
  const unheard = [budgetUid, ...pods.flatMap((pod) => scalesOf(pod, world).map(({ uid }) => uid))];
  if (unheard.some((uid) => (unheardMs.get(uid) ?? Number.NEGATIVE_INFINITY) > lastMs)) return [];
  const healthy = healthyOf(budget, pods);
  const { expected, desired } = wishOf(budget, pods, world);
  const wanted = { currentHealthy: healthy, expectedPods: expected, desiredHealthy: desired, observedGeneration: generation };
  return compare(budget, { ...wanted, disruptionsAllowed: expected === 0 ? 0 : Math.max(0, healthy - desired) }, budget.status);
}

/** Budgets that selected a pod and do so no more. */
function leftBy(before: Pod, now: Pod, world: World): readonly PodDisruptionBudget[] {
  if (before.metadata.labels === now.metadata.labels) return [];
  const kept = new Set(budgetsOf(now, world));
  return budgetsOf(before, world).filter((budget) => !kept.has(budget));
}

export type Verdict =
  /** No budget is asked. */
  | { readonly type: 'free' }
  | { readonly type: 'refused' }
  /** Let through, and charged to this budget. */
  | { readonly type: 'charged'; readonly budget: PodDisruptionBudget };

/** What becomes of an eviction of this pod, judged by the budget's status as the API server sees it and by the pod itself. */
export function verdictOf(pod: Pod, world: World): Verdict {
  const free: Verdict = { type: 'free' };
  if (pod.metadata.deletionTimestamp !== undefined || pod.status?.phase !== 'Running') return free;
  const [budget, other] = budgetsOf(pod, world);
  if (budget === undefined || other !== undefined) return free;
  const { status, metadata, spec } = budget;
  const guarded = status !== undefined && status.currentHealthy >= status.desiredHealthy && status.desiredHealthy > 0;
  if (!isReady(pod) && (spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow' || guarded)) return free;
  const isBehind = (status?.observedGeneration ?? 0) < (metadata.generation ?? 0);
  return isBehind || (status?.disruptionsAllowed ?? 0) === 0 ? { type: 'refused' } : { type: 'charged', budget };
}

export function budgetsOf(pod: Pod, world: World): readonly PodDisruptionBudget[] {
  return world
    .all<PodDisruptionBudget>('poddisruptionbudgets', pod.metadata.namespace)
    .filter((budget) => selects(budget.spec?.selector?.matchLabels, pod.metadata.labels));
}

function podsOf({ metadata, spec }: PodDisruptionBudget, world: World): readonly Pod[] {
  return world.all<Pod>('pods', metadata.namespace).filter((pod) => selects(spec?.selector?.matchLabels, pod.metadata.labels));
}

function healthyOf({ status }: PodDisruptionBudget, pods: readonly Pod[]): number {
  return pods.filter(
    (pod) => pod.metadata.deletionTimestamp === undefined && isReady(pod) && status?.disruptedPods?.[pod.metadata.name ?? ''] === undefined,
  ).length;
}

function wishOf({ spec }: PodDisruptionBudget, pods: readonly Pod[], world: World): { readonly expected: number; readonly desired: number } {
  if (typeof spec?.minAvailable === 'number') return { expected: pods.length, desired: spec.minAvailable };
  const expected = scaleOf(pods, world);
  const { maxUnavailable, minAvailable } = spec ?? {};
  if (maxUnavailable !== undefined) return { expected, desired: Math.max(0, expected - scaled(maxUnavailable, expected)) };
  return { expected, desired: scaled(minAvailable ?? 0, expected) };
}

/** Both sides are rounded up. */
function scaled(value: number | string, whole: number): number {
  return typeof value === 'number' ? value : Math.ceil((Number.parseInt(value, 10) * whole) / 100);
}

/** The replicas of every deployment, or set without one, that controls some of the pods. */
function scaleOf(pods: readonly Pod[], world: World): number {
  const scales = new Map<string, number>();
  for (const pod of pods) {
    const scale = scalesOf(pod, world).at(-1);
    if (scale !== undefined) scales.set(scale.uid, scale.replicas);
  }
  return [...scales.values()].reduce((sum, count) => sum + count, 0);
}

/** The set that controls a pod, and the deployment that controls the set. */
function scalesOf(pod: Pod, world: World): readonly { readonly uid: string; readonly replicas: number }[] {
  const { namespace } = pod.metadata;
  const set = world.all<ReplicaSet>('replicasets', namespace).find(({ metadata }) => metadata.uid === controllerUid(pod));
  const above = world.all<Deployment>('deployments', namespace).find(({ metadata }) => metadata.uid === controllerUid(set));
  return [set, above].flatMap((one) => (one === undefined ? [] : [{ uid: one.metadata.uid ?? '', replicas: one.spec?.replicas ?? 1 }]));
}

function isReady({ status }: Pod): boolean {
  return status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') === true;
}
