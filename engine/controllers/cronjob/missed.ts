/** Which start times of a CronJob have been missed, and when the next is. Mirrors pkg/controller/cronjob/utils.go. */
import { secondsToMs } from '../../base/int64.ts';
import type { CronJob } from '../../api/batch/v1/types.gen.ts';
import type { CronSchedule } from '../../component-helpers/cron/schedule.ts';
import { parseTime } from '../lib/time.ts';

const nextDelayMs = 100;
const manyMissed = 100;

interface Missed {
  readonly earliestMs: number;
  readonly mostRecentMs: number | undefined;
  readonly count: number;
  readonly error?: string;
}

function findMissed(cronJob: CronJob, schedule: CronSchedule, nowMs: number, heedsDeadline: boolean): Missed {
  let earliestMs = parseTime(cronJob.status?.lastScheduleTime) ?? parseTime(cronJob.metadata.creationTimestamp) ?? 0;
  const deadline = cronJob.spec?.startingDeadlineSeconds;
  if (heedsDeadline && deadline !== undefined) earliestMs = Math.max(earliestMs, nowMs - secondsToMs(deadline));
  const first = schedule.next(earliestMs);
  if (first !== undefined && nowMs < first) return { earliestMs, mostRecentMs: undefined, count: 0 };
  const second = first === undefined ? undefined : schedule.next(first);
  if (first !== undefined && second !== undefined && nowMs < second) return { earliestMs, mostRecentMs: first, count: 0 };
  const between = first === undefined || second === undefined ? 0 : Math.round((second - first) / 1000);
  if (first === undefined || between < 1) {
    return { earliestMs, mostRecentMs: undefined, count: 0, error: 'time difference between two schedules is less than 1 second' };
  }
  const count = Math.floor(Math.floor((nowMs - first) / 1000) / between) + 1;
  // Schedules are uneven (weekends, months): go back one round by the clock and walk from there.
  let mostRecentMs: number | undefined;
  for (let at = schedule.next(first + (count - 2) * between * 1000); at !== undefined && at <= nowMs; at = schedule.next(at)) mostRecentMs = at;
  return { earliestMs, mostRecentMs, count };
}

/** From now until just after the next start time. */
export function nextDelay(cronJob: CronJob, schedule: CronSchedule, nowMs: number): number | undefined {
  const { earliestMs, mostRecentMs, count, error } = findMissed(cronJob, schedule, nowMs, false);
  const from = mostRecentMs ?? (error === undefined && count === 0 ? earliestMs : nowMs);
  const next = schedule.next(from);
  return next === undefined ? undefined : next + nextDelayMs - nowMs;
}

export interface DueTime {
  /** The start time to act on; older ones are lost. */
  readonly atMs: number | undefined;
  readonly tooMany: boolean;
  readonly error: string | undefined;
}

export function dueTime(cronJob: CronJob, schedule: CronSchedule, nowMs: number): DueTime {
  const { mostRecentMs, count, error } = findMissed(cronJob, schedule, nowMs, true);
  if (mostRecentMs === undefined || mostRecentMs > nowMs) return { atMs: undefined, tooMany: false, error };
  return { atMs: mostRecentMs, tooMany: count > manyMissed, error };
}
