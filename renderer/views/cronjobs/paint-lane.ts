/** One lane: planned ticks above, the runs' bars below them, marks at their true time. */
import type { TimelineRow } from '../../../engine/api/sim/v1alpha1/timeline.ts';
import { paintBar, paintRun } from '../../timeline/paint-bar.ts';
import { paintMark } from '../../timeline/paint-mark.ts';
import type { RowFrame } from '../../timeline/paint-row.ts';
import { xOf } from '../../timeline/viewport.ts';
import type { Plan } from './plan.ts';
import { endOf, resultOf } from './lanes.ts';

const upper = 12;
const lower = 29;

export function paintLane(
  context: CanvasRenderingContext2D,
  row: TimelineRow,
  runs: readonly TimelineRow[],
  plan: Plan | undefined,
  { top, height, width, range, nowMs, knownMs, palette }: RowFrame,
  layer: 'bars' | 'marks',
): void {
  const x = (ms: number) => xOf(ms, range, width);
  if (layer === 'bars') {
    for (const segment of row.segments)
      if (segment.state === 'Suspended')
        paintBar(
          context,
          'Suspended',
          { x: x(segment.fromMs), y: top + 2, width: x(segment.toMs ?? knownMs) - x(segment.fromMs), height: height - 5 },
          palette,
        );
    for (const run of runs) {
      const [from, to] = [x(run.createdMs), x(endOf(run) ?? run.deletedMs ?? knownMs)];
      if (to < 0 || from > width) continue;
      paintRun(context, resultOf(row, run), { x: from, y: top + lower - 7, width: Math.max(2, to - from), height: 14 }, palette);
    }
    return;
  }
  let last = -10;
  context.strokeStyle = palette.muted;
  context.lineWidth = 1;
  for (const due of plan?.due ?? []) {
    const at = x(due);
    if (at - last < 4) continue;
    last = at;
    context.globalAlpha = isSuspendedAt(row, due) || (due > nowMs && !plan?.next.includes(due)) ? 0.4 : 1;
    context.strokeRect(Math.round(at) - 1.5, top + 5, 3, 14);
  }
  context.globalAlpha = 1;
  const lastOf = new Map<string, number>();
  let startedAt = -Infinity;
  for (const mark of row.marks) {
    const at = x(mark.ms);
    if (at < -8 || at > width + 8) continue;
    if (at - (lastOf.get(mark.type) ?? -10) < (mark.type === 'skipped' || mark.type === 'missed' ? 9 : 4)) continue;
    lastOf.set(mark.type, at);
    if (mark.type === 'started') startedAt = at;
    // On a short run the sign of its result says it all.
    if (mark.type === 'finished' && at - startedAt < 24) continue;
    const middle = mark.type === 'started' || mark.type === 'finished' ? top + lower : top + upper;
    if (['scheduled', 'started', 'finished', 'missed', 'skipped', 'replaced'].includes(mark.type)) paintMark(context, mark, at, middle, 18, palette);
  }
}

/** A tick keeps the state that the CronJob was in when it was due; ticks ahead have the present one. */
function isSuspendedAt({ segments }: TimelineRow, ms: number): boolean {
  return segments.some(({ state, fromMs, toMs }) => state === 'Suspended' && fromMs <= ms && (toMs ?? Infinity) > ms);
}
