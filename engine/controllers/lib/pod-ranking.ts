/**
 * Which pods go first when some must go: not yet assigned, pending, not ready, cheap, crowded, recently ready, restarted, young.
 * Mirrors ActivePods and ActivePodsWithRanks of pkg/controller/controller_utils.go.
 */
import type { ContainerStatus, Pod } from '../../api/core/v1/types.gen.ts';
import { isPodReady, readySinceMs } from './pod.ts';
import { parseTime } from './time.ts';

const deletionCostAnnotation = 'controller.kubernetes.io/pod-deletion-cost';

/** Negative when `a` is to be deleted before `b`. Jobs use this order. */
export function compareActivePods(a: Pod, b: Pod): number {
  return (
    standingOf(a) - standingOf(b) ||
    compareLater(readySinceMs(a), readySinceMs(b), isPodReady(a) && isPodReady(b)) ||
    compareRestarts(a, b) ||
    compareLater(createdMs(a), createdMs(b), true)
  );
}

/** The pods to delete, of `pods`; `familyOn` says how many of the owner's family a node has, for spreading over nodes. */
export function podsToDelete(
  pods: readonly Pod[],
  familyOn: (node: string) => number,
  count: number,
  nowMs: number,
  costOf: (pod: Pod) => number = deletionCost,
): readonly Pod[] {
  if (count >= pods.length) return pods;
  const onNode = new Map<string, number>();
  const rankOf = ({ spec }: Pod): number => {
    const node = spec?.nodeName ?? '';
    let rank = onNode.get(node);
    if (rank === undefined) onNode.set(node, (rank = familyOn(node)));
    return rank;
  };
  const compare = (a: Candidate, b: Candidate): number =>
    a.standing - b.standing || a.cost - b.cost || b.rank - a.rank || compareFurther(a.pod, b.pod, nowMs);
  const candidates = pods.map((pod): Candidate => ({ pod, standing: standingOf(pod), cost: costOf(pod), rank: rankOf(pod) }));
  return firstOf(candidates, count, compare).map(({ pod }) => pod);
}

/** A pod with what mostly decides. */
interface Candidate {
  readonly pod: Pod;
  readonly standing: number;
  readonly cost: number;
  /** Pods of its family on its node. */
  readonly rank: number;
}

/**
 * The first of the sorted list, without sorting the rest: mostly one pod goes of a thousand. Upstream's comparison is no total order
 * (pods that are ready since different times of one age go by their UID, those since the same time do not), so which sort it is shows.
 */
function firstOf<T>(items: readonly T[], count: number, compare: (a: T, b: T) => number): readonly T[] {
  const first: T[] = [];
  for (const item of items) {
    if (first.length === count && (count === 0 || compare(item, first[count - 1] as T) >= 0)) continue;
    let at = first.length;
    while (at > 0 && compare(item, first[at - 1] as T) < 0) at--;
    first.splice(at, 0, item);
    if (first.length > count) first.pop();
  }
  return first;
}

function compareFurther(a: Pod, b: Pod, nowMs: number): number {
  return (
    (isPodReady(a) && isPodReady(b) ? compareAges(readySinceMs(a), readySinceMs(b), a, b, nowMs) : 0) ||
    compareRestarts(a, b) ||
    compareAges(createdMs(a), createdMs(b), a, b, nowMs)
  );
}

/** Not assigned, then pending, then not ready comes first. */
function standingOf(pod: Pod): number {
  return (pod.spec?.nodeName ? 6 : 0) + 2 * phaseOrdinal(pod) + (isPodReady(pod) ? 1 : 0);
}

function phaseOrdinal(pod: Pod): number {
  const phase = pod.status?.phase;
  return phase === 'Unknown' ? 1 : phase === 'Running' ? 2 : 0;
}

/** The later time first; an absent time before all. */
function compareLater(a: number | undefined, b: number | undefined, both: boolean): number {
  if (!both || a === b) return 0;
  if (a === undefined) return -1;
  if (b === undefined) return 1;
  return b - a;
}

/** Ages of the same power of two count as equal, and the UID decides, so that not always the youngest generation goes. */
function compareAges(a: number | undefined, b: number | undefined, podA: Pod, podB: Pod, nowMs: number): number {
  if (a === b) return 0;
  if (a === undefined || b === undefined) return compareLater(a, b, true);
  const difference = ageRank(nowMs - a) - ageRank(nowMs - b);
  if (difference !== 0) return difference;
  const { uid: uidA = '' } = podA.metadata;
  const { uid: uidB = '' } = podB.metadata;
  return uidA < uidB ? -1 : uidA > uidB ? 1 : 0;
}

function ageRank(ageMs: number): number {
  return ageMs > 0 ? floorLog2(ageMs * 1e6) : -1;
}

function compareRestarts(a: Pod, b: Pod): number {
  return mostRestarts(b.status?.containerStatuses) - mostRestarts(a.status?.containerStatuses) || sidecarRestarts(b) - sidecarRestarts(a);
}

function mostRestarts(statuses: readonly ContainerStatus[] = []): number {
  let most = 0;
  for (const { restartCount } of statuses) if (restartCount > most) most = restartCount;
  return most;
}

function sidecarRestarts(pod: Pod): number {
  const sidecars = (pod.spec?.initContainers ?? []).filter((container) => container.restartPolicy === 'Always').map((container) => container.name);
  return mostRestarts((pod.status?.initContainerStatuses ?? []).filter((status) => sidecars.includes(status.name)));
}

function createdMs(pod: Pod): number | undefined {
  return parseTime(pod.metadata.creationTimestamp);
}

/** Text that is no canonical number counts as zero, as upstream's parser refuses it. */
function deletionCost(pod: Pod): number {
  const text = pod.metadata.annotations?.[deletionCostAnnotation];
  if (text === undefined) return 0;
  const cost = Number(text);
  return Number.isInteger(cost) && String(cost) === text && Math.abs(cost) <= 0x7fff_ffff ? cost : 0;
}

/** Whole binary logarithm by halving: results of Math.log2 differ between engines. */
function floorLog2(value: number): number {
  let exponent = 0;
  for (let rest = value; rest >= 2; rest /= 2) exponent++;
  return exponent;
}
