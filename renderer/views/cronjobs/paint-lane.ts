/** One lane: planned instants above, each with the sign of its fate, the runs' bars below them, and starts at their true time. */
import type { TimelineMark, TimelineRow } from '../../../engine/api/sim/v1alpha1/timeline.ts';
import { paintBar, paintRun } from '../../timeline/paint-bar.ts';
import { paintMark } from '../../timeline/paint-mark.ts';
import { paintUnknown, type RowFrame } from '../../timeline/paint-row.ts';
import { type Range, xOf } from '../../timeline/viewport.ts';
import { isOverdue, type Run } from './ledger.ts';
import type { ZoneJump } from './zone-jumps.ts';

const upper = 12;
const lower = 29;
/** Signs nearer than this are one (with some pixels of ground between two, or they read as one shape); the worse fate is shown. */
const apart = { tick: 4, sign: 12, start: 10 };
const weights: Readonly<Record<Run['fate'], number>> = {
  Waiting: 0,
  Ran: 1,
  Suspended: 2,
  Replaced: 3,
  SkippedByForbid: 4,
  DeadlineExceeded: 5,
  Missed: 6,
};

export function paintLane(
  context: CanvasRenderingContext2D,
  row: TimelineRow,
  runs: readonly Run[],
  jumps: readonly ZoneJump[],
  read: Range | undefined,
  frame: RowFrame,
  layer: 'bars' | 'marks',
): void {
  if (layer === 'bars') {
    paintBars(context, row, runs, frame);
    // That nothing stands there says nothing yet.
    for (const [from, to] of unreadOf(read, frame)) paintUnknown(context, from, to, frame.top + frame.height / 2, frame.palette);
  } else {
    for (const jump of jumps) paintJump(context, jump, frame);
    paintPlanned(context, runs, frame);
    paintStarts(context, runs, frame);
  }
}

/** Pixels of the lane of which no runs were read yet. */
export function unreadOf(read: Range | undefined, { range, width }: Pick<RowFrame, 'range' | 'width'>): readonly Span[] {
  if (read === undefined) return [[0, width]];
  const [from, to] = [xOf(read.fromMs, range, width), xOf(read.toMs, range, width)];
  const spans: readonly Span[] = [
    [0, Math.min(width, from)],
    [Math.max(0, to), width],
  ];
  return spans.filter(([left, right]) => right - left >= 1);
}

/** A run that failed at once is seen beside the dot of its start. */
const failedLeast = 10;

function paintBars(
  context: CanvasRenderingContext2D,
  row: TimelineRow,
  runs: readonly Run[],
  { top, height, width, margin, range, knownMs, palette }: RowFrame,
): void {
  const x = (ms: number): number => xOf(ms, range, width);
  const place = (wanted: number, room: number): number => freeLeft(takenBy(runs, x, knownMs), wanted, room);
  for (const { state, fromMs, toMs = knownMs } of row.segments)
    if (state === 'Suspended') paintBar(context, state, { x: x(fromMs), y: top + 2, width: x(toMs) - x(fromMs), height: height - 5 }, palette, place);
  for (const { startMs, finishMs, result } of runs) {
    if (startMs === undefined) continue;
    const [from, to] = [x(startMs), x(finishMs ?? knownMs)];
    if (to >= -margin && from <= width + margin)
      paintRun(
        context,
        result,
        { x: from, y: top + lower - 7, width: Math.max(result === 'Failed' ? failedLeast : 2, to - from), height: 14 },
        palette,
      );
  }
}

/** Pixels of the lane on which runs and signs of planned instants stand, from left to right. */
function takenBy(runs: readonly Run[], x: (ms: number) => number, knownMs: number): readonly Span[] {
  return runs
    .flatMap(({ plannedMs, startMs, finishMs }): Span[] => {
      const sign: Span = [x(plannedMs) - apart.sign, x(plannedMs) + apart.sign];
      return startMs === undefined ? [sign] : [sign, [x(startMs), x(finishMs ?? knownMs)]];
    })
    .toSorted(([a], [b]) => a - b);
}

type Span = readonly [from: number, to: number];
const wordGap = 6;

/** Where a word of this width stands on nothing, at `wanted` or as little to the right of it as can be; `taken` from left to right. */
export function freeLeft(taken: readonly Span[], wanted: number, room: number): number {
  let left = wanted;
  for (const [from, to] of taken) if (to > left - wordGap && from < left + room + wordGap) left = to + wordGap;
  return left;
}

/** Where many would touch, the worst is what is seen. */
function paintPlanned(context: CanvasRenderingContext2D, runs: readonly Run[], { top, width, margin, range, nowMs, palette }: RowFrame): void {
  let shown: { readonly at: number; readonly run: Run } | undefined;
  const paint = (): void => {
    if (!shown) return;
    const { at, run } = shown;
    const type = signOf(run);
    context.lineWidth = 1;
    context.globalAlpha = run.plannedMs > nowMs || run.fate === 'Suspended' ? 0.5 : 1;
    if (type === undefined) {
      const isLate = isOverdue(run, nowMs);
      context.strokeStyle = isLate ? palette.warning : palette.muted;
      context.lineWidth = isLate ? 2 : 1;
      context.strokeRect(Math.round(at) - 1.5, top + 5, 3, 14);
    } else paintMark(context, { ms: run.plannedMs, type, text: '' }, at, top + upper, 18, palette);
    context.globalAlpha = 1;
  };
  for (const run of runs) {
    const at = xOf(run.plannedMs, range, width);
    if (at < -margin - 8 || at > width + margin + 8) continue;
    const room = shown && (weights[shown.run.fate] > 1 || weights[run.fate] > 1) ? apart.sign : apart.tick;
    if (shown && at - shown.at < room) {
      if (weights[run.fate] > weights[shown.run.fate]) shown = { at: shown.at, run };
      continue;
    }
    paint();
    shown = { at, run };
  }
  paint();
}

/** Undefined: the open tick of an instant that ran, is to come, or waits though it is due. */
function signOf(run: Run): TimelineMark['type'] | undefined {
  if (run.fate === 'Ran' || run.fate === 'Waiting') return undefined;
  if (run.fate === 'Replaced') return 'replaced';
  return run.fate === 'SkippedByForbid' || run.fate === 'Suspended' ? 'skipped' : 'missed';
}

/** The dot of a start beside the one before it: dots that touch read as one. */
export function standsApart(at: number, before: number): boolean {
  return at - before >= apart.start;
}

/** A late start is a line from where it should have been. */
function paintStarts(context: CanvasRenderingContext2D, runs: readonly Run[], { top, width, margin, range, palette }: RowFrame): void {
  let last = Number.NEGATIVE_INFINITY;
  for (const { startMs, plannedMs } of runs) {
    if (startMs === undefined) continue;
    const [from, at] = [xOf(plannedMs, range, width), xOf(startMs, range, width)];
    if (at < -margin - 8 || from > width + margin + 8) continue;
    if (at - from > 6) {
      context.strokeStyle = palette.warning;
      context.lineWidth = 1.5;
      context.beginPath();
      context.moveTo(from, top + upper + 7);
      context.lineTo(at, top + lower - 4);
      context.stroke();
    }
    if (!standsApart(at, last)) continue;
    last = at;
    paintMark(context, { ms: startMs, type: 'started', text: '' }, at, top + lower, 18, palette);
  }
}

/** Hours that are missing or come twice. */
function paintJump(context: CanvasRenderingContext2D, { ms, minutes }: ZoneJump, { top, height, width, margin, range, palette }: RowFrame): void {
  const at = xOf(ms, range, width);
  if (at < -margin || at > width + margin) return;
  context.strokeStyle = context.fillStyle = palette.accent;
  context.lineWidth = 1;
  context.setLineDash([2, 2]);
  context.beginPath();
  context.moveTo(at, top);
  context.lineTo(at, top + height);
  context.stroke();
  context.setLineDash([]);
  context.font = `600 10px ${palette.font}`;
  context.textBaseline = 'middle';
  const told = minutes > 0 ? `−${minutes} min` : `+${-minutes} min`;
  // Runs and suspended spans go on beneath it.
  context.fillStyle = palette.background;
  context.fillRect(at + 1, top + height - 13, context.measureText(told).width + 4, 12);
  context.fillStyle = palette.accent;
  context.fillText(told, at + 3, top + height - 7);
}
