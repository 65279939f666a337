/** The ledger of a stretch of time, with the next ten runs of each CronJob. */
import { useMemo } from 'react';
import type { CronJobRun } from '../../../engine/api/sim/v1alpha1/cron-job-run.ts';
import { computeAhead, useComputed } from '../../api/computed.ts';
import { goesAlong, useRange } from '../../timeline/range.ts';
import { instant, type Range } from '../../timeline/viewport.ts';
import { readRun, type Run } from './ledger.ts';

export const ahead = 10;
const mostDefault = 500;
/** As many as the engine gives. */
export const mostOfMonth = 2_000;
/** The stretch is asked for in so many steps, so that one that moves or grows is another only now and then. */
const steps = 20;
/** More than is shown, so that panning shows something at once. */
const marginShare = 0.25;

export interface RunsRead {
  readonly runs: readonly Run[] | undefined;
  /** Virtual milliseconds that they are true of. */
  readonly atMs: number;
  /** There were more than are told of some CronJob: all are there from this instant on. */
  readonly cutBeforeMs: number | undefined;
  /** The stretch that they are all of; undefined until any were read. */
  readonly read: Range | undefined;
  readonly error: string;
}

/** `isFixed`: the range stays where it is, whatever is followed elsewhere. */
export function useRuns(key: string, range: Range | undefined, isFixed: boolean, most = mostDefault): RunsRead {
  const { items, atMs, path, error } = useComputed<CronJobRun>(key, range && pathOf(range, isFixed, most));
  const runs = useMemo(() => items?.map(readRun).sort((a, b) => a.plannedMs - b.plannedMs), [items]);
  const cutBeforeMs = useMemo(() => runs && cutBefore(runs), [runs]);
  const read = useMemo(() => rangeOf(path, atMs), [path, atMs]);
  return { runs, atMs, cutBeforeMs, read, error };
}

/** For who will look at them at once. */
export function askForRuns(key: string, range: Range, most: number): void {
  computeAhead(key, pathOf(range, false, most));
}

/** From when on all are there of every CronJob. */
export function cutBefore(runs: readonly Pick<Run, 'plannedMs' | 'isCut'>[]): number | undefined {
  const cut = runs.filter(({ isCut }) => isCut).map(({ plannedMs }) => plannedMs);
  return cut.length === 0 ? undefined : Math.max(...cut);
}

/** Whether all runs of a stretch are told: that there is none says so of what was read, and not left out. */
export function isWhole({ fromMs, toMs }: Range, read: Range | undefined, cutBeforeMs: number | undefined): boolean {
  return read !== undefined && read.fromMs <= fromMs && read.toMs >= toMs && (cutBeforeMs ?? fromMs) <= fromMs;
}

function rangeOf(path: string, atMs: number): Range | undefined {
  if (path === '') return undefined;
  const query = new URLSearchParams(path.split('?')[1]);
  const span = query.get('span');
  const fromMs = span === null ? Number(query.get('from')) : atMs - Number(span);
  // Before 1970 there is nothing to be read; of what goes along with now the next runs are told, wherever they are.
  return { fromMs: fromMs <= 0 ? Number.NEGATIVE_INFINITY : fromMs, toMs: span === null ? Number(query.get('to')) : Number.POSITIVE_INFINITY };
}

/** One that goes along with now is asked for once: however far the clock has gone, what is told is of the stretch before the instant that it is told of. */
function pathOf(range: Range, isFixed: boolean, most: number): string {
  const along = isFixed ? undefined : goesAlong(useRange.getState());
  const stretch = along ? { span: spanOf(along.spanMs - along.aheadMs) } : endsOf(range);
  const query = new URLSearchParams({ ...stretch, limit: String(most), ahead: String(ahead) });
  return `/apis/sim.wavetank.dev/v1alpha1/cronjobruns?${query.toString()}`;
}

function spanOf(pastMs: number): string {
  const step = 10 ** Math.floor(Math.log10(Math.max(1, pastMs))) / steps;
  return instant(Math.round(Math.ceil((pastMs * (1 + marginShare)) / step) * step));
}

function endsOf({ fromMs, toMs }: Range): { readonly from: string; readonly to: string } {
  const step = Math.max(1, (toMs - fromMs) / steps);
  const margin = steps * marginShare * step;
  return {
    from: instant(Math.round(Math.floor((fromMs - margin) / step) * step)),
    to: instant(Math.round(Math.ceil((toMs + margin) / step) * step)),
  };
}
