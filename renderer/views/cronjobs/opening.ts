/** Which stretch of time the view opens on: one in which the last and the next run of what is there are seen. */
import type { Lead } from '../../timeline/range.ts';
import type { Run } from './ledger.ts';

type Planned = Pick<Run, 'lane' | 'plannedMs' | 'fate'>;

const dayMs = 86_400_000;
/** A schedule that is slower than a week and a day would make dots of all others. */
const gapMostMs = 8 * dayMs;
/** Of the fastest schedule that many runs are seen at least. */
const pastRuns = 3;
/** So that no run stands at the very edge. */
const edge = 1.06;

/** `runs` by planned time, those of each lane that are to come among them; undefined where nothing is planned. */
export function openingOf(runs: readonly Planned[], nowMs: number): Lead | undefined {
  const lanes = Map.groupBy(runs, ({ lane }) => lane);
  const all = [...lanes.values()].map((lane) => gapOf(lane, nowMs)).filter((gap) => gap !== undefined);
  const least = Math.min(...all);
  const gaps = all.filter((gap) => gap <= gapMostMs);
  const most = gaps.length === 0 ? least : Math.max(...gaps);
  if (!Number.isFinite(most)) return undefined;
  return { pastMs: Math.max(most, least * pastRuns) * edge, aheadMs: most * edge };
}

/** From the last run until the next; of what is suspended, since the last. */
function gapOf(lane: readonly Planned[], nowMs: number): number | undefined {
  const last = lane.findLast(({ plannedMs }) => plannedMs <= nowMs)?.plannedMs;
  const [next, after] = lane.filter(({ plannedMs, fate }) => fate === 'Waiting' && plannedMs > nowMs).map(({ plannedMs }) => plannedMs);
  if (next === undefined) return last === undefined ? undefined : nowMs - last;
  const step = after === undefined ? next - nowMs : after - next;
  return Math.max(next - (last ?? nowMs), last === undefined ? step : 0);
}
