/** The schedule of a CronJob with its zone in front, as the parser takes it. Mirrors formatSchedule of pkg/controller/cronjob/utils.go. */
import type { CronJob } from '../../api/batch/v1/types.gen.ts';
import { type LoadZone, loadTimeZone } from './time-zone.ts';

export function scheduleTextOf({ spec }: CronJob, loadZone: LoadZone = loadTimeZone): string {
  const schedule = spec?.schedule ?? '';
  if (schedule.includes('TZ') || spec?.timeZone === undefined || loadZone(spec.timeZone) === undefined) return schedule;
  return `TZ=${spec.timeZone} ${schedule}`;
}
