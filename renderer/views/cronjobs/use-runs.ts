/** The ledger of a stretch of time, with the next ten runs of each CronJob. */
import { useMemo } from 'react';
import type { CronJobRun } from '../../../engine/api/sim/v1alpha1/cron-job-run.ts';
import { useComputed } from '../../api/computed.ts';
import type { Range } from '../../timeline/viewport.ts';
import { readRun, type Run } from './ledger.ts';

export const ahead = 10;
const most = 500;
/** The stretch is asked for in so many steps, so that a range that follows now is another only now and then. */
const steps = 20;

export function useRuns(key: string, range: Range | undefined): { readonly runs: readonly Run[] | undefined; readonly error: string } {
  const { items, error } = useComputed<CronJobRun>(key, range && pathOf(range));
  const runs = useMemo(() => items?.map(readRun).sort((a, b) => a.plannedMs - b.plannedMs), [items]);
  return { runs, error };
}

/** With a quarter more on both sides, so that panning shows something at once. */
function pathOf({ fromMs, toMs }: Range): string {
  const step = Math.max(1, (toMs - fromMs) / steps);
  const margin = (steps / 4) * step;
  const from = Math.max(0, Math.floor((fromMs - margin) / step) * step);
  const query = new URLSearchParams({
    from: String(Math.round(from)),
    to: String(Math.round(Math.ceil((toMs + margin) / step) * step)),
    limit: String(most),
    ahead: String(ahead),
  });
  return `/apis/sim.wavetank.dev/v1alpha1/cronjobruns?${query.toString()}`;
}
