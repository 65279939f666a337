/** How long a job waits before it replaces a failed pod. Mirrors pkg/controller/job/backoff_utils.go. */
import { secondsToMs } from '../../base/int64.ts';
import type { ContainerStatus, Pod } from '../../api/core/v1/types.gen.ts';
import { parseTime } from '../lib/time.ts';

const baseMs = 10_000;

export interface BackoffRecord {
  readonly failures: number;
  readonly lastFailureMs: number | undefined;
}

export const noBackoff: BackoffRecord = { failures: 0, lastFailureMs: undefined };

/** Failures since the last success, with what has newly finished. */
export function nextBackoff(old: BackoffRecord, succeeded: readonly Pod[], failed: readonly Pod[]): BackoffRecord {
  const failures = failed.map(finishedMs).sort((a, b) => a - b);
  if (succeeded.length === 0) return failures.length === 0 ? old : { failures: old.failures + failures.length, lastFailureMs: failures.at(-1) };
  const lastSuccessMs = Math.max(...succeeded.map(finishedMs));
  const later = failures.filter((ms) => ms > lastSuccessMs);
  return later.length === 0 ? noBackoff : { failures: later.length, lastFailureMs: later.at(-1) };
}

export function remainingBackoffMs({ failures, lastFailureMs }: BackoffRecord, nowMs: number, maxMs: number): number {
  if (failures === 0 || lastFailureMs === undefined) return 0;
  const backoffMs = Math.min(maxMs, baseMs * 2 ** Math.min(failures - 1, 30));
  return Math.max(0, backoffMs - (nowMs - lastFailureMs));
}

/** When the pod ended, by the best sign there is. */
export function finishedMs(pod: Pod): number {
  const { metadata, status, spec } = pod;
  const sidecars = (spec?.initContainers ?? []).filter((container) => container.restartPolicy === 'Always').map((container) => container.name);
  const ended = latestEnd([
    ...(status?.containerStatuses ?? []),
    ...(status?.initContainerStatuses ?? []).filter(({ name }) => sidecars.includes(name)),
  ]);
  if (ended !== undefined) return ended;
  const unready = status?.conditions?.find(({ type, status: value }) => type === 'Ready' && value === 'False');
  const deleted = parseTime(metadata.deletionTimestamp);
  return (
    parseTime(unready?.lastTransitionTime) ??
    (deleted === undefined ? undefined : deleted - secondsToMs(metadata.deletionGracePeriodSeconds ?? 0)) ??
    parseTime(metadata.creationTimestamp) ??
    0
  );
}

/** Undefined unless all have ended. */
function latestEnd(statuses: readonly ContainerStatus[]): number | undefined {
  let latest: number | undefined;
  for (const { state } of statuses) {
    const ms = parseTime(state?.terminated?.finishedAt);
    if (ms === undefined) return undefined;
    if (latest === undefined || ms > latest) latest = ms;
  }
  return latest;
}
