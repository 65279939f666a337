/** The status of a DaemonSet. Mirrors updateDaemonSetStatus and storeDaemonSetStatus of pkg/controller/daemon. */
import type { DaemonSet, DaemonSetStatus } from '../../api/apps/v1/types.gen.ts';
import { compact, nonZero } from '../lib/json.ts';
import { isPodAvailable, isPodReady } from '../lib/pod.ts';
import { isPodUpdated } from './nodes.ts';
import { oldestFirst, type PlanContext, type PodsByNode } from './plan.ts';

export interface DaemonCounts {
  readonly desired: number;
  readonly current: number;
  readonly misscheduled: number;
  readonly ready: number;
  readonly updated: number;
  readonly available: number;
}

/** Each node counts by its oldest pod. */
export function countNodes({ daemonSet, hash, nodes, nowMs, fitnessOf }: PlanContext, byNode: PodsByNode): DaemonCounts {
  const counts = { desired: 0, current: 0, misscheduled: 0, ready: 0, updated: 0, available: 0 };
  for (const node of nodes) {
    const [pod] = (byNode.get(node.metadata.name ?? '') ?? []).toSorted(oldestFirst);
    if (!fitnessOf(node).shouldRun) {
      if (pod !== undefined) counts.misscheduled++;
      continue;
    }
    counts.desired++;
    if (pod === undefined) continue;
    counts.current++;
    if (isPodReady(pod)) {
      counts.ready++;
      if (isPodAvailable(pod, daemonSet.spec?.minReadySeconds ?? 0, nowMs)) counts.available++;
    }
    if (isPodUpdated(daemonSet, pod, hash)) counts.updated++;
  }
  return counts;
}

/** Whether the set's status says something else. */
export function isNews({ metadata, status }: DaemonSet, counts: DaemonCounts): boolean {
  return (
    (status?.desiredNumberScheduled ?? 0) !== counts.desired ||
    (status?.currentNumberScheduled ?? 0) !== counts.current ||
    (status?.numberMisscheduled ?? 0) !== counts.misscheduled ||
    (status?.numberReady ?? 0) !== counts.ready ||
    (status?.updatedNumberScheduled ?? 0) !== counts.updated ||
    (status?.numberAvailable ?? 0) !== counts.available ||
    (status?.numberUnavailable ?? 0) !== counts.desired - counts.available ||
    Number(status?.observedGeneration ?? 0) < Number(metadata.generation ?? 0)
  );
}

/** The status with these counts; what else it holds stays. */
export function newStatus(old: DaemonSetStatus | undefined, counts: DaemonCounts, observedGeneration: number | undefined): DaemonSetStatus {
  return compact({
    currentNumberScheduled: counts.current,
    numberMisscheduled: counts.misscheduled,
    desiredNumberScheduled: counts.desired,
    numberReady: counts.ready,
    observedGeneration: observedGeneration ?? old?.observedGeneration,
    updatedNumberScheduled: nonZero(counts.updated),
    numberAvailable: nonZero(counts.available),
    numberUnavailable: nonZero(counts.desired - counts.available),
    collisionCount: old?.collisionCount,
    conditions: old?.conditions,
  }) as DaemonSetStatus;
}
