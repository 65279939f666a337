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

export function runsOf({ row, runs }: Lane): readonly Run[] {
  const planned = row.marks.filter(({ type }) => type === 'scheduled').map(({ ms }) => ms);
  const started = runs.map(
    (job): Run => ({
      plannedMs: planned.findLast((ms) => ms <= job.createdMs),
      startedMs: job.createdMs,
      finishedMs: endOf(job),
      result: job.segments.at(-1)?.state ?? 'Running',
      job,
      cronJob: row.name,
      note: '',
    }),
  );
  const failed = row.marks
    .filter(({ type }) => type === 'missed' || type === 'skipped')
    .map(
      ({ ms, type, text }): Run => ({
        plannedMs: planned.findLast((at) => at <= ms) ?? ms,
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
