/** What a CronJob's row tells of its runs: planned, started, finished, replaced; missed and skipped ones come from its Events. */
import type { CronJob, Job } from '../api/batch/v1/types.gen.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { parseTime } from '../apimachinery/time.ts';
import { type CronGrammar, CronParseError, parseCronSchedule } from '../component-helpers/cron/parse.ts';
import { scheduleTextOf } from '../component-helpers/cron/schedule-text.ts';
import { scheduledAnnotation } from '../component-helpers/job.ts';
import type { Change } from '../store/store.ts';
import { type Mark, markCount, markTime, markType, type MarkType, replaceMark } from './marks.ts';
import { addMark, type Row } from './row.ts';
import { jobResult } from './states.ts';

/** Event reasons that mean that a planned run did not happen. */
const reasons: ReadonlyMap<string, MarkType> = new Map([
  ['MissSchedule', 'missed'],
  ['TooManyMissedTimes', 'missed'],
  ['JobAlreadyActive', 'skipped'],
]);

export function cronEventType(reason: string): MarkType | undefined {
  return reasons.get(reason);
}

/** By the name that it writes under. */
export function isCronJobController(identity: string): boolean {
  return identity.endsWith(':cronjob-controller');
}

const walkMax = 10_000;

/**
 * The planned time that an Event of a missed or skipped run speaks of: the latest due time since the last start. Undefined where the
 * schedule cannot be read or has been due too often to be walked.
 */
export function plannedTime(cronJob: CronJob, eventMs: number, grammar: CronGrammar): number | undefined {
  const fromMs = parseTime(cronJob.status?.lastScheduleTime ?? cronJob.metadata.creationTimestamp ?? '');
  if (fromMs === undefined) return undefined;
  try {
    const { next } = parseCronSchedule(scheduleTextOf(cronJob), grammar);
    let latestMs: number | undefined;
    let steps = 0;
    for (let at = next(fromMs); at !== undefined && at <= eventMs; at = next(at)) {
      if (++steps > walkMax) return undefined;
      latestMs = at;
    }
    return latestMs;
  } catch (error) {
    if (error instanceof CronParseError) return undefined;
    throw error;
  }
}

/** Marks a run that did not happen at its planned time, once: the controller speaks of one instant as often as it looks at it. */
export function markLost(row: Row, mark: Mark, cronJob: CronJob | undefined, grammar: CronGrammar): void {
  const ms = (cronJob === undefined ? undefined : plannedTime(cronJob, mark.ms, grammar)) ?? mark.ms;
  for (let known = markCount(row.marks) - 1; known >= 0; known--) {
    if (markType(row.marks, known) !== mark.type || markTime(row.marks, known) !== ms) continue;
    replaceMark(row.marks, known, { ...mark, ms });
    return;
  }
  addMark(row, { ...mark, ms });
}

/** `row` is the CronJob's; the change is one of a Job that it controls. */
export function markRun(row: Row, { current, previous, revision, meta }: Change<KubeObject>): void {
  const next = current?.value as Job | undefined;
  const old = previous?.value as Job | undefined;
  const job = next ?? old;
  if (job === undefined) return;
  const name = job.metadata.name ?? '';
  const mark = (type: MarkType, text: string, ms = meta.virtualMs): void => addMark(row, { ms, type, revision, text, level: '', by: meta.identity });
  if (old === undefined) {
    const plannedMs = parseTime(job.metadata.annotations?.[scheduledAnnotation] ?? '');
    if (plannedMs !== undefined) mark('scheduled', name, plannedMs);
    mark('started', name);
    return;
  }
  const wasOver = jobResult(old) !== undefined;
  const result = next === undefined ? undefined : jobResult(next);
  if (result !== undefined && !wasOver) mark('finished', `${name}: ${result}`);
  const isLeaving = next === undefined || next.metadata.deletionTimestamp !== undefined;
  if (isLeaving && old.metadata.deletionTimestamp === undefined && !wasOver && isCronJobController(meta.identity)) mark('replaced', name);
}
