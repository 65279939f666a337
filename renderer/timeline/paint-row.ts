/** One row of the timeline: life, state bars, then either its marks or, when there are more of them than pixels, their histogram. */
import { countWhile } from '../lib/bisect.ts';
import type { TimelineMark, TimelineRow } from '../../engine/api/sim/v1alpha1/timeline.ts';
import type { Palette } from './palette.ts';
import { paintArea } from './paint-area.ts';
import { barBox, barState, type Box, paintBar } from './paint-bar.ts';
import { paintMark } from './paint-mark.ts';
import type { BoxPainter } from './pixel-boxes.ts';
import { type MarkCrowd, type PlacedMarks, placeMarks } from './place-marks.ts';
import { isSameScale, msAt, xOf, type Range } from './viewport.ts';

export interface RowFrame {
  readonly top: number;
  readonly height: number;
  readonly width: number;
  /** So many pixels are painted beside the window on both sides. */
  readonly margin: number;
  readonly range: Range;
  readonly nowMs: number;
  /** The last instant that the rows speak of. */
  readonly knownMs: number;
  readonly palette: Palette;
  readonly loaded: Range;
  /** What boxes are painted on, below all else. */
  readonly boxes: BoxPainter;
  /** Gathers where words of rows stand. */
  readonly words?: Box[];
}

export function paintLife(context: CanvasRenderingContext2D, row: TimelineRow, frame: RowFrame): void {
  const { top, height, width, margin, range, nowMs, knownMs, palette, boxes } = frame;
  const x = (ms: number) => Math.max(-20 - margin, Math.min(width + margin + 20, xOf(ms, range, width)));
  const end = row.deletedMs ?? knownMs;
  boxes.fillStyle = palette.gridStrong;
  const [left, right] = [x(row.createdMs), x(end)];
  if (right > left) boxes.fillRect(left, top + height / 2 - 0.5, right - left, 1);
  const place = (wanted: number, room: number): number => besideMarks(row.marks, wanted, room, range, width);
  // A state stands below the area as a strip; that it merely exists is seen by the area.
  const hasStates = row.segments.some(({ state }) => state !== 'Exists');
  const words: Box[] = frame.words ?? [];
  if (row.area) {
    const area = { top: top + 2, height: height - (hasStates ? 8 : 4), width, margin, endMs: end, x, palette, place, boxes };
    words.push(...paintArea(context, row.area, area));
  }
  for (const segment of row.segments) {
    if (row.area && segment.state === 'Exists') continue;
    const [from, to] = [x(segment.fromMs), x(segment.toMs ?? end)];
    if (to < -margin || from > width + margin) continue;
    const room = Math.max(1, to - from);
    const box: Box = row.area ? strip(segment.ready === false, from, room, top + height) : barBox(segment, from, room, top, height);
    const word = paintBar(context, barState(segment), box, palette, place, boxes);
    if (word) words.push(word);
  }
  if (row.deletedMs === undefined && nowMs > knownMs) paintUnknown(boxes, x(knownMs), x(nowMs), top + height / 2, palette);
}

function strip(isBad: boolean, x: number, width: number, bottom: number): Box {
  // Too low for a word: the area has its figures there.
  const height = isBad ? 6 : 4;
  return { x, y: bottom - 1 - height, width, height };
}

/** Dots where nothing has been heard yet: what was true before is not drawn as true now. */
export function paintUnknown(painter: Pick<BoxPainter, 'fillStyle' | 'fillRect'>, from: number, to: number, middle: number, palette: Palette): void {
  painter.fillStyle = palette.muted;
  for (let at = from + 2; at < to - 1; at += 5) painter.fillRect(at, middle - 0.5, 2, 1);
}

/** Pixels that a mark at the edge of the canvas reaches into it. */
const markReach = 6;

export function paintMarks(context: CanvasRenderingContext2D, row: TimelineRow, frame: RowFrame): void {
  const { top, height, width, margin, range, palette, boxes } = frame;
  if (row.density) paintDensity(row, frame);
  const { marks, crowds } = placed(row.marks, width / (range.toMs - range.fromMs));
  const [firstMs, lastMs] = [msAt(-markReach - margin, range, width), msAt(width + markReach + margin, range, width)];
  for (let index = firstFrom(crowds, firstMs); index < crowds.length; index++) {
    const { ms, count, warnings } = crowds[index] as MarkCrowd;
    if (ms > lastMs) break;
    paintCrowd(boxes, Math.round(xOf(ms, range, width)), count, warnings, top + height - 1, palette);
  }
  for (let index = firstFrom(marks, firstMs); index < marks.length; index++) {
    const mark = marks[index] as TimelineMark;
    if (mark.ms > lastMs) break;
    paintMark(context, mark, xOf(mark.ms, range, width), top + height / 2, height, palette, boxes);
  }
}

const lastPlaced = new WeakMap<readonly TimelineMark[], PlacedMarks & { readonly pixelsPerMs: number }>();

/** Rows are painted again by each scroll, each selection and each step along time: which marks stand changes with how much time is shown alone. */
function placed(marks: readonly TimelineMark[], pixelsPerMs: number): PlacedMarks {
  const last = lastPlaced.get(marks);
  if (last !== undefined && isSameScale(last.pixelsPerMs, pixelsPerMs)) return last;
  const next = { ...placeMarks(marks, pixelsPerMs), pixelsPerMs };
  lastPlaced.set(marks, next);
  return next;
}

/** Stands on the row's foot; its warnings lowest, in their colour. */
function paintCrowd(boxes: BoxPainter, x: number, count: number, warnings: number, bottom: number, palette: Palette): void {
  const tall = Math.min(7, 1.5 + 1.5 * Math.log2(count + 1));
  const warned = (tall * warnings) / count;
  boxes.fillStyle = palette.mark;
  boxes.globalAlpha = 0.6;
  boxes.fillRect(x, bottom - tall, 2, tall - warned);
  boxes.globalAlpha = 1;
  if (warned === 0) return;
  boxes.fillStyle = palette.warning;
  boxes.fillRect(x, bottom - warned, 2, warned);
}

/** Warnings stand lowest, in their colour, then changes, then Events more faintly. */
function paintDensity(row: TimelineRow, { top, height, width, margin, range, loaded, palette, boxes }: RowFrame): void {
  const { density = [], densityEvents = [], densityWarnings = [] } = row;
  const step = (loaded.toMs - loaded.fromMs) / density.length;
  const most = Math.max(1, ...density);
  for (let i = 0; i < density.length; i++) {
    const count = density[i] ?? 0;
    if (count === 0) continue;
    const [from, to] = [xOf(loaded.fromMs + i * step, range, width), xOf(loaded.fromMs + (i + 1) * step, range, width)];
    if (to < -margin || from > width + margin) continue;
    const tall = Math.max(2, (Math.log2(count + 1) / Math.log2(most + 1)) * (height / 2 - 2));
    let bottom = top + height - 1;
    const stack = (share: number, colour: string, alpha: number): void => {
      boxes.fillStyle = colour;
      boxes.globalAlpha = alpha;
      boxes.fillRect(from, bottom - tall * share, Math.max(1, to - from - 0.5), tall * share);
      bottom -= tall * share;
    };
    const [warnings, events] = [densityWarnings[i] ?? 0, densityEvents[i] ?? 0];
    if (warnings > 0) stack(warnings / count, palette.warning, 1);
    stack((count - warnings - events) / count, palette.mark, 0.65);
    if (events > 0) stack(events / count, palette.mark, 0.3);
  }
  boxes.globalAlpha = 1;
}

const besideMark = 7;

/** Where a word of `room` pixels that would stand at `wanted` lies over no mark; there, or to its right. */
export function besideMarks(marks: readonly TimelineMark[], wanted: number, room: number, range: Range, width: number): number {
  let left = wanted;
  for (let index = firstFrom(marks, msAt(wanted - besideMark, range, width)); index < marks.length; index++) {
    const at = xOf(marks[index]?.ms ?? 0, range, width);
    if (at >= left + room + besideMark) break;
    if (at > left - besideMark) left = at + besideMark + 3;
  }
  return left;
}

/** Index of the first at or after an instant: they are sorted by time. */
function firstFrom(marks: readonly { readonly ms: number }[], ms: number): number {
  return countWhile(marks.length, (index) => (marks[index]?.ms ?? 0) < ms);
}

/** Marks around the pointer in order of time. */
export function marksNear(marks: readonly TimelineMark[], ms: number, reach: number): readonly TimelineMark[] {
  let at = firstFrom(marks, ms - reach);
  const found: TimelineMark[] = [];
  for (let mark = marks[at]; mark && mark.ms <= ms + reach; mark = marks[++at]) found.push(mark);
  return found;
}

/** The mark nearest to the pointer within `reach` milliseconds. */
export function nearestMark(marks: readonly TimelineMark[], ms: number, reach: number): TimelineMark | undefined {
  const at = firstFrom(marks, ms);
  const [before, after] = [marks[at - 1], marks[at]];
  const near = before && (!after || ms - before.ms < after.ms - ms) ? before : after;
  return near && Math.abs(near.ms - ms) <= reach ? near : undefined;
}
