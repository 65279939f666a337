/** A job's status while it is being worked out, and its conditions. */
import type { Job, JobCondition, JobStatus } from '../../api/batch/v1/types.gen.ts';
import type { Pod } from '../../api/core/v1/types.gen.ts';
import { formatTime } from '../../apimachinery/time.ts';
import { compact, nonEmpty, nonZero } from '../lib/json.ts';

export const trackingFinalizer = 'batch.kubernetes.io/job-tracking';

export interface StatusDraft {
  conditions: readonly JobCondition[];
  startTime: string | undefined;
  completionTime: string | undefined;
  active: number;
  succeeded: number;
  failed: number;
  terminating: number | undefined;
  completedIndexes: string;
  failedIndexes: string | undefined;
  uncountedSucceeded: readonly string[];
  uncountedFailed: readonly string[];
  ready: number | undefined;
}

export function createDraft({ status }: Job): StatusDraft {
  return {
    conditions: status?.conditions ?? [],
    startTime: status?.startTime,
    completionTime: status?.completionTime,
    active: status?.active ?? 0,
    succeeded: status?.succeeded ?? 0,
    failed: status?.failed ?? 0,
    terminating: status?.terminating,
    completedIndexes: status?.completedIndexes ?? '',
    failedIndexes: status?.failedIndexes,
    uncountedSucceeded: status?.uncountedTerminatedPods?.succeeded ?? [],
    uncountedFailed: status?.uncountedTerminatedPods?.failed ?? [],
    ready: status?.ready,
  };
}

export function statusOf(draft: StatusDraft): JobStatus {
  return compact({
    conditions: nonEmpty(draft.conditions),
    startTime: draft.startTime,
    completionTime: draft.completionTime,
    active: nonZero(draft.active),
    succeeded: nonZero(draft.succeeded),
    failed: nonZero(draft.failed),
    terminating: draft.terminating,
    completedIndexes: draft.completedIndexes === '' ? undefined : draft.completedIndexes,
    failedIndexes: draft.failedIndexes,
    uncountedTerminatedPods: compact({ succeeded: nonEmpty(draft.uncountedSucceeded), failed: nonEmpty(draft.uncountedFailed) }),
    ready: draft.ready,
  }) as JobStatus;
}

export function newCondition(type: string, reason: string, message: string, nowMs: number, status: 'True' | 'False' = 'True'): JobCondition {
  const now = formatTime(nowMs);
  return { type, status, lastProbeTime: now, lastTransitionTime: now, reason, message } as JobCondition;
}

export function conditionOf(conditions: readonly JobCondition[], type: string): JobCondition | undefined {
  return conditions.find((condition) => condition.type === type);
}

/** The same list when the condition stands there already. One that is False is not added. */
export function ensureCondition(
  conditions: readonly JobCondition[],
  type: string,
  status: 'True' | 'False',
  reason: string,
  message: string,
  nowMs: number,
): readonly JobCondition[] {
  const old = conditionOf(conditions, type);
  if (old === undefined) return status === 'False' ? conditions : [...conditions, newCondition(type, reason, message, nowMs, status)];
  if (old.status === status && old.reason === reason && old.message === message) return conditions;
  return conditions.map((condition) => (condition === old ? newCondition(type, reason, message, nowMs, status) : condition));
}

export function hasFinalizer(pod: Pod): boolean {
  return pod.metadata.finalizers?.includes(trackingFinalizer) === true;
}
