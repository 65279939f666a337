/**
 * Which pods make room when a node admits one that the system needs. Mirrors pkg/kubelet/preemption/preemption.go: those of the lowest
 * class of service first, and of a class those that come closest to what is missing.
 */
import { assert } from '../../base/assert.ts';
import { getOwn } from '../../base/dictionary.ts';
import { podQosClass } from '../../component-helpers/pod-qos.ts';
import { isCritical, type PodWorker } from './worker.ts';

/** What a node lacks of a resource, in the units of component-helpers. */
export interface Shortage {
  readonly resource: string;
  readonly amount: number;
}

export const preemptingReason = 'Preempting';
export const preemptingMessage = 'Preempted in order to admit critical pod';
export const preemptingDisruption = 'Pod was preempted by Kubelet to accommodate a critical pod.';
export const notKilledInTime = 'Container runtime did not kill the pod within specified grace period.';

/** Who goes, in the order in which they go; a text where no pods have enough. */
export function chooseVictims(worker: PodWorker, others: readonly PodWorker[], shortages: readonly Shortage[]): readonly PodWorker[] | string {
  assert(shortages.length > 0, 'room is made for what is missing');
  const classed = (wanted: string): readonly PodWorker[] =>
    others.filter((other) => isPreemptable(worker, other) && (other.pod.status?.qosClass || podQosClass(other.pod)) === wanted);
  const [bestEffort, burstable, guaranteed] = [classed('BestEffort'), classed('Burstable'), classed('Guaranteed')];
  const unmet = without(shortages, [...bestEffort, ...burstable, ...guaranteed]);
  if (unmet.length > 0) return unavailable(unmet);
  // Of each class only what those below it, taken whole, and those already chosen above it leave missing.
  const ofGuaranteed = closest(guaranteed, without(shortages, [...burstable, ...bestEffort]));
  const ofBurstable = closest(burstable, without(shortages, [...bestEffort, ...ofGuaranteed]));
  const ofBestEffort = closest(bestEffort, without(shortages, [...ofBurstable, ...ofGuaranteed]));
  return [...ofBestEffort, ...ofBurstable, ...ofGuaranteed];
}

/** How long a kubelet waits for a victim to end before it goes on. */
export function patienceMs({ pod }: PodWorker): number {
  const graceSeconds = graceSecondsOf(pod);
  assert(graceSeconds >= 0, 'a grace period is not negative');
  return Math.max(10, graceSeconds + Math.floor(graceSeconds / 2)) * 1000;
}

export function graceSecondsOf(pod: PodWorker['pod']): number {
  return Number(pod.spec?.terminationGracePeriodSeconds ?? 0);
}

function isPreemptable(worker: PodWorker, other: PodWorker): boolean {
  if (isCritical(worker) && !isCritical(other)) return true;
  const [own, its] = [worker.pod.spec?.priority, other.pod.spec?.priority];
  return own !== undefined && its !== undefined && own > its;
}

/** What each has of a resource: a pod is one pod. */
function amountOf({ requests }: PodWorker, resource: string): number {
  return resource === 'pods' ? 1 : (getOwn(requests, resource) ?? 0);
}

function without(shortages: readonly Shortage[], gone: readonly PodWorker[]): readonly Shortage[] {
  return shortages.flatMap(({ resource, amount }) => {
    const left = gone.reduce((sum, worker) => sum - amountOf(worker, resource), amount);
    return left > 0 ? [{ resource, amount: left }] : [];
  });
}

/** One after the other whoever leaves least missing, of equals the smaller one. */
function closest(candidates: readonly PodWorker[], shortages: readonly Shortage[]): readonly PodWorker[] {
  const left = [...candidates];
  const chosen: PodWorker[] = [];
  for (let missing = shortages; missing.length > 0; missing = without(missing, chosen.slice(-1))) {
    assert(left.length > 0, 'the candidates together have enough');
    let best = 0;
    for (const [i, candidate] of left.entries()) {
      const [its, bests] = [distance(candidate, missing), distance(left[best] as PodWorker, missing)];
      if (its < bests || (its === bests && isSmaller(candidate, left[best] as PodWorker))) best = i;
    }
    chosen.push(left[best] as PodWorker);
    // The last takes its place, as upstream's slice: among equals that decides who is next.
    const last = left.pop() as PodWorker;
    if (best < left.length) left[best] = last;
  }
  return chosen;
}

/** Squares of the parts that it would leave missing: each resource counts the same. */
function distance(worker: PodWorker, shortages: readonly Shortage[]): number {
  let sum = 0;
  for (const { resource, amount } of shortages) {
    const left = amount - amountOf(worker, resource);
    if (left > 0) sum += (left / amount) ** 2;
  }
  return sum;
}

function isSmaller(a: PodWorker, b: PodWorker): boolean {
  for (const resource of ['memory', 'cpu']) {
    const [of, other] = [amountOf(a, resource), amountOf(b, resource)];
    if (of !== other) return of < other;
  }
  return true;
}

function unavailable(unmet: readonly Shortage[]): string {
  const list = unmet.map(({ resource, amount }) => `(res: ${resource}, q: ${amount}), `).join('');
  return `no set of running pods found to reclaim resources: [${list}]`;
}
