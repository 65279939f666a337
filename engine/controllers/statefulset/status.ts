/** The status of a StatefulSet. Mirrors computeReplicaStatus, completeRollingUpdate and inconsistentStatus of pkg/controller/statefulset. */
import type { ControllerRevision, StatefulSet, StatefulSetStatus } from '../../api/apps/v1/types.gen.ts';
import type { Pod } from '../../api/core/v1/types.gen.ts';
import { compact, nonZero } from '../lib/json.ts';
import { isPodAvailable, isPodReady } from '../lib/pod.ts';
import { podRevision, replicasOf } from './identity.ts';

/** What a set stands between: equal when nothing rolls. */
export interface Revisions {
  readonly current: ControllerRevision;
  readonly update: ControllerRevision;
  readonly collisionCount: number;
}

export interface Counts {
  replicas: number;
  ready: number;
  available: number;
  current: number;
  updated: number;
}

export function isRunningAndReady(pod: Pod): boolean {
  return pod.status?.phase === 'Running' && isPodReady(pod);
}

/** Not available, or on its way out. */
export function isUnavailable(set: StatefulSet, pod: Pod, nowMs: number): boolean {
  return pod.metadata.deletionTimestamp !== undefined || !isPodAvailable(pod, set.spec?.minReadySeconds ?? 0, nowMs);
}

export function countPods(set: StatefulSet, pods: Iterable<Pod>, { current, update }: Revisions, nowMs: number): Counts {
  const counts: Counts = { replicas: 0, ready: 0, available: 0, current: 0, updated: 0 };
  for (const pod of pods) {
    const isCreated = Boolean(pod.status?.phase);
    if (isCreated) counts.replicas++;
    if (isRunningAndReady(pod)) {
      counts.ready++;
      if (isPodAvailable(pod, set.spec?.minReadySeconds ?? 0, nowMs)) counts.available++;
    }
    if (!isCreated || pod.metadata.deletionTimestamp !== undefined) continue;
    if (podRevision(pod) === current.metadata.name) counts.current++;
    if (podRevision(pod) === update.metadata.name) counts.updated++;
  }
  return counts;
}

/** The status of these counts; when all pods are up to date the update is over. Upstream drops conditions, and so does this. */
export function newStatus(set: StatefulSet, counts: Counts, { current, update, collisionCount }: Revisions): StatefulSetStatus {
  const desired = replicasOf(set);
  const isComplete =
    set.spec?.updateStrategy?.type === 'RollingUpdate' && [counts.updated, counts.ready, counts.replicas].every((n) => n === desired);
  return compact({
    observedGeneration: nonZero(Number(set.metadata.generation ?? 0)),
    replicas: counts.replicas,
    readyReplicas: nonZero(counts.ready),
    currentReplicas: nonZero(isComplete ? counts.updated : counts.current),
    updatedReplicas: nonZero(counts.updated),
    currentRevision: (isComplete ? update : current).metadata.name,
    updateRevision: update.metadata.name,
    collisionCount,
    availableReplicas: counts.available,
  });
}

/** Whether the set's status says something else. */
export function isNews(set: StatefulSet, next: StatefulSetStatus): boolean {
  const old = set.status;
  const counts = ['replicas', 'currentReplicas', 'readyReplicas', 'updatedReplicas', 'availableReplicas'] as const;
  return (
    Number(next.observedGeneration ?? 0) > Number(old?.observedGeneration ?? 0) ||
    counts.some((name) => (next[name] ?? 0) !== (old?.[name] ?? 0)) ||
    (next.currentRevision ?? '') !== (old?.currentRevision ?? '') ||
    (next.updateRevision ?? '') !== (old?.updateRevision ?? '')
  );
}
