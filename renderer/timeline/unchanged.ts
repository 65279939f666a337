/** Parts of an answer that say what they said before are the very parts that are shown: nothing is painted again for them. */
import type { Timeline } from '../../engine/api/sim/v1alpha1/timeline.ts';

export function keepUnchanged(next: Timeline, before: Timeline | undefined): Timeline {
  if (before === undefined) return next;
  const { cluster, faults } = before;
  const isSameCluster = isSameArea(next.cluster.pods, cluster.pods) && isSameArea(next.cluster.nodes, cluster.nodes);
  // There are a few of them.
  const areSameFaults = JSON.stringify(next.faults) === JSON.stringify(faults);
  return { ...next, ...(isSameCluster ? { cluster } : {}), ...(areSameFaults ? { faults } : {}) };
}

function isSameArea(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((part, at) => part === b[at]);
}
