/** Which of a CronJob's jobs is the oldest, and how its times are told. */
import type { Job } from '../../api/batch/v1/types.gen.ts';
import { parseTime } from '../lib/time.ts';

export function byStartTime(a: Job, b: Job): number {
  const left = parseTime(a.status?.startTime) ?? Infinity;
  const right = parseTime(b.status?.startTime) ?? Infinity;
  if (left !== right) return left - right;
  return String(a.metadata.name) < String(b.metadata.name) ? -1 : 1;
}

/** Go's time.RFC1123Z in UTC. */
export function formatRfc1123(ms: number): string {
  return new Date(ms).toUTCString().replace('GMT', '+0000');
}
