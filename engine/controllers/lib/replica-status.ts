/**
 * The status that a ReplicaSet or ReplicationController should have. Mirrors calculateStatus and updateReplicaSetStatus of
 * pkg/controller/replicaset/replica_set_utils.go.
 */
import { deepEqual } from '../../base/equal.ts';
import type { ReplicaSetCondition, ReplicaSetStatus } from '../../api/apps/v1/types.gen.ts';
import type { Pod } from '../../api/core/v1/types.gen.ts';
import { formatTime } from '../../apimachinery/time.ts';
import { compact, nonEmpty, nonZero } from './json.ts';
import { mapMatcher } from './label-selector.ts';
import { readyConditionOf } from './pod.ts';
import type { PodGroup } from './pod-tally.ts';
import { parseTime } from './time.ts';

export interface ReplicaCounts {
  readonly replicas: number;
  readonly fullyLabeled: number;
  readonly ready: number;
  readonly available: number;
}

export function countReplicas(
  active: readonly Pod[],
  templateLabels: Readonly<Record<string, string>>,
  minReadySeconds: number,
  nowMs: number,
): ReplicaCounts {
  const isFullyLabeled = mapMatcher(templateLabels);
  let fullyLabeled = 0;
  let ready = 0;
  let available = 0;
  for (const pod of active) {
    if (isFullyLabeled(pod.metadata.labels)) fullyLabeled++;
    const condition = readyConditionOf(pod);
    if (condition?.status !== 'True') continue;
    ready++;
    if (minReadySeconds === 0) available++;
    else {
      const sinceMs = parseTime(condition.lastTransitionTime);
      if (sinceMs !== undefined && sinceMs + minReadySeconds * 1000 <= nowMs) available++;
    }
  }
  return { replicas: active.length, fullyLabeled, ready, available };
}

/** The same from sums, for owners whose pods are available as soon as they are ready. */
export function countGroups(groups: Iterable<Readonly<PodGroup>>, templateLabels: Readonly<Record<string, string>>): ReplicaCounts {
  const isFullyLabeled = mapMatcher(templateLabels);
  let [replicas, fullyLabeled, ready] = [0, 0, 0];
  for (const group of groups) {
    replicas += group.active;
    ready += group.ready;
    if (isFullyLabeled(group.labels)) fullyLabeled += group.active;
  }
  return { replicas, fullyLabeled, ready, available: ready };
}

export interface StatusInput {
  readonly old: ReplicaSetStatus | undefined;
  readonly generation: number;
  readonly desired: number;
  readonly counts: ReplicaCounts;
  /** Undefined where the kind does not tell of them. */
  readonly terminating: number | undefined;
  /** Why creating or deleting failed. */
  readonly failure: string | undefined;
  readonly nowMs: number;
}

/** The new status, or undefined when the old one still says it all. */
export function nextStatus({ old, generation, desired, counts, terminating, failure, nowMs }: StatusInput): ReplicaSetStatus | undefined {
  const oldConditions = old?.conditions ?? [];
  const conditions = nextConditions(oldConditions, counts.replicas - desired, failure, nowMs);
  if (
    old?.replicas === counts.replicas &&
    (old.fullyLabeledReplicas ?? 0) === counts.fullyLabeled &&
    (old.readyReplicas ?? 0) === counts.ready &&
    (old.availableReplicas ?? 0) === counts.available &&
    old.terminatingReplicas === terminating &&
    old.observedGeneration === generation &&
    deepEqual(oldConditions, conditions)
  ) {
    return undefined;
  }
  return compact({
    replicas: counts.replicas,
    fullyLabeledReplicas: nonZero(counts.fullyLabeled),
    readyReplicas: nonZero(counts.ready),
    availableReplicas: nonZero(counts.available),
    terminatingReplicas: terminating,
    observedGeneration: nonZero(generation),
    conditions: nonEmpty(conditions),
  }) as ReplicaSetStatus;
}

function nextConditions(
  old: readonly ReplicaSetCondition[],
  difference: number,
  failure: string | undefined,
  nowMs: number,
): readonly ReplicaSetCondition[] {
  const failed = old.some((condition) => condition.type === 'ReplicaFailure');
  if (failure === undefined) return failed ? old.filter((condition) => condition.type !== 'ReplicaFailure') : old;
  if (failed) return old;
  const reason = difference < 0 ? 'FailedCreate' : difference > 0 ? 'FailedDelete' : undefined;
  const lastTransitionTime = formatTime(nowMs);
  return [...old, compact({ type: 'ReplicaFailure', status: 'True' as const, lastTransitionTime, reason, message: failure }) as ReplicaSetCondition];
}
