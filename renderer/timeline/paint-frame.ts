/** What stands around the rows: axis, grid, fault bands, now line, pointer and brushed range. */
import type { TimelineFault, TimelineRow } from '../../engine/api/sim/v1alpha1/timeline.ts';
import { formatWhen } from '../lib/format.ts';
import { texts } from '../texts/texts.ts';
import type { Palette } from './palette.ts';
import type { BoxPainter } from './pixel-boxes.ts';
import { ticksOf, xOf, type Range } from './viewport.ts';

export function paintAxis(context: CanvasRenderingContext2D | undefined, range: Range, width: number, nowMs: number, palette: Palette): void {
  if (!context) return;
  context.font = `11px ${palette.font}`;
  context.textBaseline = 'middle';
  let lastRight = -20;
  for (const tick of ticksOf(range, width)) {
    const x = Math.round(xOf(tick.ms, range, width)) + 0.5;
    context.strokeStyle = palette.gridStrong;
    context.beginPath();
    context.moveTo(x, 22);
    context.lineTo(x, 28);
    context.stroke();
    const room = context.measureText(tick.label).width;
    if (x + 4 < lastRight + 8 || x + 4 + room > width) continue;
    context.fillStyle = tick.major ? palette.text : palette.muted;
    context.fillText(tick.label, x + 4, 14);
    lastRight = x + 4 + room;
  }
  const now = xOf(nowMs, range, width);
  if (now >= 0 && now <= width) {
    context.fillStyle = palette.accent;
    context.beginPath();
    context.moveTo(now - 5, 21);
    context.lineTo(now + 5, 21);
    context.lineTo(now, 28);
    context.fill();
  }
}

export interface BackgroundFrame {
  readonly range: Range;
  readonly width: number;
  /** So many pixels are painted beside the window on both sides. */
  readonly margin: number;
  readonly height: number;
  readonly faults: readonly TimelineFault[];
  readonly palette: Palette;
  readonly rowHeight: number;
  readonly scrollTop: number;
  readonly first: number;
  readonly count: number;
  readonly rowAt: (index: number) => TimelineRow | undefined;
  readonly selected: string;
  readonly nowMs: number;
}

/** Boxes alone, so that it is one picture with the boxes of the rows that stand on it. */
export function paintBackground(context: BoxPainter, frame: BackgroundFrame): void {
  const { range, width, margin, height, faults, palette, rowHeight, scrollTop, first, count, rowAt, selected } = frame;
  const whole = width + 2 * margin;
  const selectedRow = selected === '' ? undefined : rowIn(rowAt, first, count, selected);
  for (let index = first; index < first + count; index++) {
    const row = rowAt(index);
    const top = index * rowHeight - scrollTop;
    const related = selectedRow && row && (row.owner === selected || row.id === selectedRow.owner);
    if (row?.id === selected || related) {
      context.globalAlpha = related ? 0.07 : 0.16;
      context.fillStyle = palette.accent;
      context.fillRect(-margin, top, whole, rowHeight);
      context.globalAlpha = 1;
    }
    context.fillStyle = palette.grid;
    context.fillRect(-margin, Math.round(top + rowHeight) - 1, whole, 1);
  }
  context.fillStyle = palette.gridStrong;
  context.globalAlpha = 0.6;
  for (const tick of ticksOf(range, width)) context.fillRect(Math.round(xOf(tick.ms, range, width)), 0, 1, height);
  context.globalAlpha = 1;
  for (const fault of faults) paintFault(context, fault, frame);
}

/** A faint band through all rows, stronger on the rows it hit. */
function paintFault(
  context: BoxPainter,
  fault: TimelineFault,
  { range, width, margin, height, palette, rowHeight, scrollTop, first, count, rowAt, nowMs }: BackgroundFrame,
): void {
  const from = Math.max(-margin, xOf(fault.fromMs, range, width));
  const to = Math.min(width + margin, xOf(fault.toMs ?? nowMs, range, width));
  context.fillStyle = palette.fault;
  paintAhead(context, fault, { range, width, margin, height, nowMs });
  if (to < -margin || from > width + margin || fault.fromMs > nowMs) return;
  context.globalAlpha = 0.07;
  context.fillRect(from, 0, to - from, height);
  context.globalAlpha = 0.2;
  for (let index = first; index < first + count; index++) {
    const row = rowAt(index);
    const hit =
      row !== undefined && fault.affected.some((one) => one === row.id || one === row.name || one === row.node || one === `nodes/${row.node ?? ''}`);
    if (!hit) continue;
    const [left, right] = [Math.max(from, xOf(row.createdMs, range, width)), Math.min(to, xOf(row.deletedMs ?? nowMs, range, width))];
    if (right > left) context.fillRect(left, index * rowHeight - scrollTop, right - left, rowHeight - 1);
  }
  context.globalAlpha = 1;
  context.fillRect(from, 0, 1.5, height);
}

/** What is still to come of it: hatched, as long as it will last, or to the edge where nothing ends it. */
function paintAhead(
  context: BoxPainter,
  { fromMs, toMs, healsMs }: TimelineFault,
  { range, width, margin, height, nowMs }: Pick<BackgroundFrame, 'range' | 'width' | 'margin' | 'height' | 'nowMs'>,
): void {
  const isPlanned = fromMs > nowMs;
  if (toMs !== undefined || (healsMs === undefined && !isPlanned)) return;
  const from = Math.max(-margin, xOf(Math.max(fromMs, nowMs), range, width));
  const right = width + margin;
  const to = Math.min(right, healsMs === undefined ? right : xOf(healsMs, range, width));
  if (to <= from) return;
  context.globalAlpha = 0.06;
  context.fillRect(from, 0, to - from, height);
  context.globalAlpha = 0.16;
  for (let x = from - (from % hatchPx); x < to; x += hatchPx) if (x >= from) context.fillRect(x, 0, 1, height);
  context.globalAlpha = 1;
  if (isPlanned) for (let y = 0; y < height; y += 2 * dashPx) context.fillRect(from, y, 1.5, dashPx);
}

const hatchPx = 6;
const dashPx = 4;

function rowIn(rowAt: (index: number) => TimelineRow | undefined, first: number, count: number, id: string): TimelineRow | undefined {
  for (let index = first; index < first + count; index++) if (rowAt(index)?.id === id) return rowAt(index);
  return undefined;
}

export interface OverlayFrame {
  readonly range: Range;
  readonly width: number;
  readonly height: number;
  readonly nowMs: number;
  readonly palette: Palette;
  readonly cursorMs: number | undefined;
  readonly brush: readonly [number, number] | undefined;
  /** The engine is not heard: nothing is known of what came after this instant. */
  readonly unknownFromMs: number | undefined;
  readonly compared: readonly [number, number] | undefined;
  /** What stands over the rows beside this. */
  readonly paintOver: (context: CanvasRenderingContext2D) => void;
}

export function paintOverlay(context: CanvasRenderingContext2D | undefined, frame: OverlayFrame): void {
  if (!context) return;
  const { range, width, height, palette, cursorMs, brush } = frame;
  if (cursorMs !== undefined) {
    const x = xOf(cursorMs, range, width);
    context.strokeStyle = palette.accent;
    context.setLineDash([4, 3]);
    context.beginPath();
    context.moveTo(x, 0);
    context.lineTo(x, height);
    context.stroke();
    context.setLineDash([]);
  }
  if (brush) {
    const [a, b] = [Math.min(...brush), Math.max(...brush)];
    context.fillStyle = palette.accent;
    context.globalAlpha = 0.18;
    context.fillRect(a, 0, b - a, height);
    context.globalAlpha = 1;
  }
  if (frame.compared) paintCompared(context, frame.compared, frame);
  frame.paintOver(context);
  if (frame.unknownFromMs !== undefined) paintUnknown(context, frame.unknownFromMs, frame);
}

/** Both instants as lines, and between them faintly. */
function paintCompared(
  context: CanvasRenderingContext2D,
  compared: readonly [number, number],
  { range, width, height, palette }: OverlayFrame,
): void {
  const [from, to] = compared.map((ms) => Math.max(-4, Math.min(width + 4, xOf(ms, range, width)))) as [number, number];
  context.fillStyle = palette.accent;
  context.globalAlpha = 0.1;
  context.fillRect(from, 0, to - from, height);
  context.globalAlpha = 1;
  for (const x of [from, to]) context.fillRect(Math.round(x) - 1, 0, 2, height);
}

/** Where rows may be missing; those that are known stand clear on it. */
export function paintForgotten(
  context: CanvasRenderingContext2D,
  untilMs: number,
  { range, width, height, palette }: Pick<BackgroundFrame, 'range' | 'width' | 'height' | 'palette'>,
): void {
  const right = Math.min(width, xOf(untilMs, range, width));
  if (right < 0) return;
  hatch(context, 0, right, height, palette);
  context.fillStyle = palette.muted;
  context.fillRect(Math.round(right) - 1, 0, 1.5, height);
}

/** Hatched to the right end, so that no row seems to go on. */
export function paintUnknown(
  context: CanvasRenderingContext2D,
  fromMs: number,
  { range, width, height, nowMs, palette }: Pick<OverlayFrame, 'range' | 'width' | 'height' | 'nowMs' | 'palette'>,
): void {
  const left = Math.max(0, xOf(fromMs, range, width));
  if (left > width) return;
  hatch(context, left, width, height, palette);
  context.fillStyle = palette.muted;
  context.fillRect(Math.round(left), 0, 1.5, height);
  note(context, texts.engine.unknownSince(formatWhen(fromMs, nowMs)), left + 4, width, height, palette);
}

function hatch(context: CanvasRenderingContext2D, left: number, right: number, height: number, palette: Palette): void {
  context.save();
  context.beginPath();
  context.rect(left, 0, right - left, height);
  context.clip();
  context.strokeStyle = palette.muted;
  context.globalAlpha = 0.45;
  context.beginPath();
  for (let x = left - height; x < right; x += 9) {
    context.moveTo(x, height);
    context.lineTo(x + height, 0);
  }
  context.stroke();
  context.restore();
}

/** What it is a note of is a line, which no letter stands on. */
const lineRoom = 8;

function note(context: CanvasRenderingContext2D, text: string, left: number, width: number, height: number, palette: Palette): void {
  context.font = `600 11px ${palette.font}`;
  context.textBaseline = 'middle';
  const room = context.measureText(text).width + 12;
  const at = left + room <= width ? left : Math.max(0, left - room - lineRoom);
  context.fillStyle = palette.muted;
  context.fillRect(at, height - 22, room, 17);
  context.fillStyle = palette.onState;
  context.fillText(text, at + 6, height - 13);
}
