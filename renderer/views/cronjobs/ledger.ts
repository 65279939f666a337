/** What became of planned instants, as the engine decided it, made ready to be drawn, counted and listed: each instant once. */
import { type CronJobRun, type CronJobRunFate, cutAnnotation, latePatienceMs } from '../../../engine/api/sim/v1alpha1/cron-job-run.ts';
import type { TimelineMark } from '../../../engine/api/sim/v1alpha1/timeline.ts';
import { formatDuration } from '../../lib/format.ts';
import { texts } from '../../texts/texts.ts';
import type { Range } from '../../timeline/viewport.ts';

export interface Run {
  readonly key: string;
  /** Row id of its CronJob. */
  readonly lane: string;
  readonly cronJob: string;
  readonly plannedMs: number;
  readonly fate: CronJobRunFate;
  readonly reason: string;
  readonly startMs: number | undefined;
  readonly finishMs: number | undefined;
  /** Of the Job, '' without one. */
  readonly result: string;
  readonly job: string;
  /** Row id of the Job. */
  readonly jobRow: string | undefined;
  /** There were more before it than were told. */
  readonly isCut: boolean;
}

export const runFilters = ['', 'ran', 'failed', 'missed', 'skipped', 'waiting'] as const;
export type RunFilter = (typeof runFilters)[number];

const filterOfFate: Readonly<Record<CronJobRunFate, RunFilter>> = {
  Ran: 'ran',
  Replaced: 'ran',
  Missed: 'missed',
  DeadlineExceeded: 'missed',
  SkippedByForbid: 'skipped',
  Suspended: 'skipped',
  Waiting: 'waiting',
};

export function readRun({ metadata: { namespace = '', name = '', annotations }, status }: CronJobRun): Run {
  const { cronJob, plannedTime, fate, reason = '', startTime, finishTime, result = '', job = '' } = status;
  return {
    key: `${namespace}/${name}`,
    lane: `cronjobs.batch/${namespace}/${cronJob}`,
    ...{ cronJob, fate, reason, result, job },
    plannedMs: Date.parse(plannedTime),
    startMs: startTime === undefined ? undefined : Date.parse(startTime),
    finishMs: finishTime === undefined ? undefined : Date.parse(finishTime),
    jobRow: job === '' ? undefined : `jobs.batch/${namespace}/${job}`,
    isCut: annotations?.[cutAnnotation] !== undefined,
  };
}

export function passes({ fate, result }: Run, filter: RunFilter): boolean {
  if (filter === '') return true;
  return filter === 'failed' ? result === 'Failed' : filterOfFate[fate] === filter;
}

export function isPlannedIn({ plannedMs }: Pick<Run, 'plannedMs'>, { fromMs, toMs }: Range): boolean {
  return plannedMs >= fromMs && plannedMs <= toMs;
}

/** Planned there, or going on there. */
export function isSeenIn(run: Pick<Run, 'plannedMs' | 'startMs' | 'finishMs'>, range: Range, nowMs: number): boolean {
  const { startMs, finishMs = nowMs } = run;
  return isPlannedIn(run, range) || (startMs !== undefined && startMs <= range.toMs && finishMs >= range.fromMs);
}

/** As people read them: what was due, from now backwards, and then what is to come, from now on. */
export function fromNowOn<R extends Pick<Run, 'plannedMs'>>(runs: readonly R[], nowMs: number): readonly R[] {
  const due = runs.filter(({ plannedMs }) => plannedMs <= nowMs).sort((a, b) => b.plannedMs - a.plannedMs);
  return [...due, ...runs.filter(({ plannedMs }) => plannedMs > nowMs).sort((a, b) => a.plannedMs - b.plannedMs)];
}

export function byLane(runs: readonly Run[]): ReadonlyMap<string, readonly Run[]> {
  const lanes = new Map<string, Run[]>();
  for (const run of runs) {
    const lane = lanes.get(run.lane);
    if (lane) lane.push(run);
    else lanes.set(run.lane, [run]);
  }
  return lanes;
}

/** Due for longer than a controller takes, and nothing is known yet: the strip and Problems count it as late. */
export function isOverdue({ fate, plannedMs }: Run, nowMs: number): boolean {
  return fate === 'Waiting' && nowMs - plannedMs > latePatienceMs;
}

/** Of no CronJob more than `most` runs to come are told: until when those of all are, where some have more. */
export function toldUntil(runs: readonly Pick<Run, 'lane' | 'plannedMs' | 'fate'>[], nowMs: number, most: number): number {
  const lanes = new Map<string, { count: number; lastMs: number }>();
  for (const { lane, plannedMs, fate } of runs) {
    if (fate !== 'Waiting' || plannedMs <= nowMs) continue;
    const { count, lastMs } = lanes.get(lane) ?? { count: 0, lastMs: 0 };
    lanes.set(lane, { count: count + 1, lastMs: Math.max(lastMs, plannedMs) });
  }
  return Math.min(...[...lanes.values()].filter(({ count }) => count >= most).map(({ lastMs }) => lastMs));
}

export interface Summary {
  readonly ran: number;
  readonly complete: number;
  readonly failed: number;
  /** Ended by the run that took their place. */
  readonly replaced: number;
  readonly deleted: number;
  readonly running: number;
  readonly missed: number;
  readonly skipped: number;
  /** Medians, undefined without a run. */
  readonly tookMs: number | undefined;
  readonly lateMs: number | undefined;
}

export function summaryOf(runs: readonly Run[]): Summary {
  const count = (test: (run: Run) => boolean): number => runs.filter(test).length;
  return {
    ran: count((run) => passes(run, 'ran')),
    complete: count(({ result }) => result === 'Complete'),
    failed: count((run) => passes(run, 'failed')),
    replaced: count(({ result }) => result === 'Replaced'),
    deleted: count(({ result }) => result === 'Deleted'),
    running: count(({ result }) => result === 'Running'),
    missed: count((run) => passes(run, 'missed')),
    skipped: count((run) => passes(run, 'skipped')),
    tookMs: median(
      runs.flatMap(({ startMs, finishMs, result }) =>
        startMs === undefined || finishMs === undefined || result !== 'Complete' ? [] : [finishMs - startMs],
      ),
    ),
    lateMs: median(runs.flatMap(({ startMs, plannedMs }) => (startMs === undefined ? [] : [startMs - plannedMs]))),
  };
}

function median(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

const markTypes: Readonly<Record<CronJobRunFate, TimelineMark['type']>> = {
  Ran: 'scheduled',
  Replaced: 'replaced',
  Missed: 'missed',
  DeadlineExceeded: 'missed',
  SkippedByForbid: 'skipped',
  Suspended: 'skipped',
  Waiting: 'scheduled',
};

/** For the card under the pointer and the table of entries, by time. */
export function marksOf(runs: readonly Run[], nowMs: number): readonly TimelineMark[] {
  const words = texts.cronJobs;
  return runs
    .flatMap((run): TimelineMark[] => {
      const { plannedMs, startMs, finishMs, fate, reason, job, result } = run;
      const why = reason === '' || plannedMs > nowMs ? '' : `: ${reason}`;
      const planned: TimelineMark = { ms: plannedMs, type: markTypes[fate], text: `${words.fates[fate]}${why}${job === '' ? '' : ` · ${job}`}` };
      return [
        planned,
        ...(startMs === undefined
          ? []
          : [{ ms: startMs, type: 'started' as const, text: `${words.startedLate(formatDuration(startMs - plannedMs))} · ${job}` }]),
        ...(finishMs === undefined
          ? []
          : [{ ms: finishMs, type: 'finished' as const, text: `${result} · ${job}`, ...(result === 'Complete' ? {} : { level: 'Warning' }) }]),
      ];
    })
    .sort((a, b) => a.ms - b.ms);
}
