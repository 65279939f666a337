/** When a CronJob is due in the shown range, and its next ten runs, from its spec and with the controller's own arithmetic. */
import { CronParseError, parseCronSchedule } from '../../../engine/component-helpers/cron/parse.ts';
import type { AnyObject } from '../../api/objects.ts';
import type { Range } from '../../timeline/viewport.ts';

export interface Plan {
  readonly due: readonly number[];
  readonly next: readonly number[];
  readonly schedule: string;
  readonly zone: string;
  readonly suspended: boolean;
  readonly problem: string;
}

const dueMax = 1500;
const nextMax = 10;

export function planOf(cronJob: AnyObject, range: Range, nowMs: number): Plan {
  const spec = cronJob.spec ?? {};
  const schedule = String(spec['schedule'] ?? '');
  const zone = typeof spec['timeZone'] === 'string' ? spec['timeZone'] : '';
  const suspended = spec['suspend'] === true;
  const base = { schedule, zone, suspended, problem: '' };
  try {
    const { next } = parseCronSchedule(zone === '' || /^(CRON_)?TZ=/.test(schedule) ? schedule : `TZ=${zone} ${schedule}`);
    const times = (fromMs: number, toMs: number, most: number) => {
      const found: number[] = [];
      for (let at = next(fromMs); at !== undefined && at <= toMs && found.length < most; at = next(at)) found.push(at);
      return found;
    };
    const created = Date.parse(cronJob.metadata.creationTimestamp ?? '') || 0;
    return { ...base, due: times(Math.max(created, range.fromMs), range.toMs, dueMax), next: suspended ? [] : times(nowMs, Infinity, nextMax) };
  } catch (error) {
    if (!(error instanceof CronParseError)) throw error;
    return { ...base, due: [], next: [], problem: error.message };
  }
}
