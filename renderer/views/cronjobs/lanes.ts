/** CronJob rows with the Jobs they own, and the runs as a list: planned, started, finished, or why not. */
import type { TimelineRow } from '../../../engine/api/sim/v1alpha1/timeline.ts';

export interface Lane {
  readonly row: TimelineRow;
  readonly runs: readonly TimelineRow[];
}
export interface Run {
  readonly plannedMs: number | undefined;
  readonly startedMs: number | undefined;
  readonly finishedMs: number | undefined;
  readonly result: string;
  readonly job: TimelineRow | undefined;
  readonly cronJob: string;
  readonly note: string;
}

export function lanesOf(rows: readonly TimelineRow[]): readonly Lane[] {
  const runs = new Map<string, TimelineRow[]>();
  for (const row of rows)
    if (row.kind === 'Job' && row.owner) {
      const list = runs.get(row.owner);
      if (list) list.push(row);
      else runs.set(row.owner, [row]);
    }
  return rows.filter(({ kind }) => kind === 'CronJob').map((row) => ({ row, runs: runs.get(row.id) ?? [] }));
}

/** When a Job's last running segment ended. */
export function endOf(job: TimelineRow): number | undefined {
  return job.segments.find(({ state }) => state === 'Complete' || state === 'Failed')?.fromMs;
}

/** How a run ended: its own result, else that its CronJob put another in its place or that somebody deleted it; `Running` while it does. */
export function resultOf(lane: TimelineRow, job: TimelineRow): string {
  const own = job.segments.findLast(({ state }) => state === 'Complete' || state === 'Failed')?.state;
  if (own !== undefined) return own;
  if (job.deletedMs !== undefined) return lane.marks.some(({ type, text }) => type === 'replaced' && text === job.name) ? 'Replaced' : 'Deleted';
  return job.segments.at(-1)?.state ?? 'Running';
}

export function runsOf({ row, runs }: Lane): readonly Run[] {
  const planned = new Map(row.marks.filter(({ type }) => type === 'scheduled').map(({ ms, text }) => [text, ms]));
  const started = runs.map(
    (job): Run => ({
      plannedMs: planned.get(job.name),
      startedMs: job.createdMs,
      finishedMs: endOf(job) ?? job.deletedMs,
      result: resultOf(row, job),
      job,
      cronJob: row.name,
      note: '',
    }),
  );
  const failed = row.marks
    .filter(({ type }) => type === 'missed' || type === 'skipped')
    .map(
      ({ ms, type, text }): Run => ({
        plannedMs: ms,
        startedMs: undefined,
        finishedMs: undefined,
        result: type,
        job: undefined,
        cronJob: row.name,
        note: text,
      }),
    );
  return [...started, ...failed];
}
