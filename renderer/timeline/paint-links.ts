/**
 * Arrows of cause and effect across rows, behind the words of these. What has no row on screen is led to the edge that it lies beyond, and
 * named there.
 */
import type { Box } from './paint-bar.ts';
import type { Palette } from './palette.ts';
import { xOf, type Range } from './viewport.ts';

/** An end of an arrow. `line` is undefined where its row is not loaded. */
export interface LinkEnd {
  readonly ms: number;
  readonly line: number | undefined;
  readonly name: string;
}

/** From a cause to what came of it. */
export interface CausalLink {
  readonly from: LinkEnd;
  readonly to: LinkEnd;
}

export interface LinkFrame {
  readonly range: Range;
  readonly width: number;
  readonly height: number;
  readonly rowHeight: number;
  readonly scrollTop: number;
  readonly palette: Palette;
  /** Where words of rows stand. */
  readonly words: readonly Box[];
}

const namesMax = 6;
const bulge = 26;
/** Ends of one row that are closer are told apart by nobody: who zooms in sees the arrow between them. */
const apartMin = 12;
/** How far the arrow between two marks that stand below one another is bent to the side, so that it is seen beside what stands at that instant. */
const sway = 10;
/** How far the bends of an arrow within a row lie above it, of which its line goes a share. */
const bow = 12;
const bowShare = 0.75;
/** Above the first row it would not be seen. */
const edgeRoom = 2;

export function paintLinks(context: CanvasRenderingContext2D, links: readonly CausalLink[], frame: LinkFrame): void {
  const seen = links.map(({ from, to }) => ({
    from: { ...placeOf(from, frame, -1), name: from.name },
    to: { ...placeOf(to, frame, 1), name: to.name },
  }));
  const known = new Set<string>();
  const shown = seen.filter(({ from, to }) => {
    if ((from.y < 0 && to.y < 0) || (from.y > frame.height && to.y > frame.height) || areOne(from, to)) return false;
    // Of many that are the same to the pixel, one.
    const key = [from.x, from.y, to.x, to.y].map(Math.round).join();
    return !known.has(key) && known.add(key);
  });
  if (shown.length === 0) return;
  context.save();
  context.save();
  leaveOut(context, frame);
  for (const { from, to } of shown) paintLine(context, from, to, frame.palette);
  context.restore();
  for (const { from, to } of shown) paintEnds(context, from, to, frame.palette);
  // Over all arrows, or one would be drawn over the name of another's end.
  const names = new Set<string>();
  for (const place of shown.flatMap(({ from, to }) => [from, to])) if (!place.isHere) nameEnd(context, place.name, place, frame, names);
  context.restore();
}

function paintLine(context: CanvasRenderingContext2D, start: Place, end: Place, palette: Palette): void {
  const draw = (): void => {
    context.beginPath();
    context.moveTo(start.x, start.y);
    if (isSteep(start, end)) steepTo(context, start, end);
    else {
      const side = (end.x - start.x) / 2;
      // Within a row it runs along the row's edge, not over all that the row shows.
      const lift = end.y === start.y ? -Math.min(bow, (start.y - edgeRoom) / bowShare) : 0;
      context.bezierCurveTo(start.x + side, start.y + lift, end.x - side, end.y + lift, end.x - 5, end.y);
    }
    context.stroke();
  };
  // Stands out from bars of its own colour.
  context.strokeStyle = palette.background;
  context.lineWidth = 5;
  draw();
  context.strokeStyle = palette.text;
  context.lineWidth = 1.75;
  context.setLineDash(start.isHere && end.isHere ? [] : [4, 3]);
  draw();
  context.setLineDash([]);
}

function paintEnds(context: CanvasRenderingContext2D, start: Place, end: Place, palette: Palette): void {
  context.fillStyle = palette.text;
  if (isSteep(start, end)) headOf(context, end.x, end.y, 0, Math.sign(end.y - start.y));
  else headOf(context, end.x, end.y, 1, 0);
  context.beginPath();
  context.arc(start.x, start.y, 3, 0, Math.PI * 2);
  context.fill();
}

/** Whether there is no room to come from the left: it comes from above or from below, and reaches over nothing that was later. */
function isSteep(start: Place, end: Place): boolean {
  return end.y !== start.y && end.x - start.x <= 2 * bulge;
}

function steepTo(context: CanvasRenderingContext2D, start: Place, end: Place): void {
  const by = (end.y - start.y) * 0.4;
  const side = Math.abs(end.x - start.x) < sway ? sway : 0;
  context.bezierCurveTo(start.x + side, start.y + by, end.x + side, end.y - by, end.x, end.y - 5 * Math.sign(by));
}

function areOne(start: Place, end: Place): boolean {
  return end.y === start.y && end.x - start.x < apartMin;
}

/** Nothing is painted where words stand: an arrow passes behind them. */
function leaveOut(context: CanvasRenderingContext2D, { width, height, words }: LinkFrame): void {
  for (const word of words) {
    context.beginPath();
    context.rect(0, 0, width, height);
    context.rect(word.x, word.y, word.width, word.height);
    context.clip('evenodd');
  }
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly isHere: boolean;
}

function placeOf({ ms, line }: LinkEnd, { range, width, height, rowHeight, scrollTop }: LinkFrame, beyond: 1 | -1): Place {
  const x = Math.max(-8, Math.min(width + 8, xOf(ms, range, width)));
  if (line === undefined) return { x, y: beyond < 0 ? 8 : height - 10, isHere: false };
  return { x, y: line * rowHeight - scrollTop + rowHeight / 2, isHere: true };
}

/** Points to the right, or downwards or upwards. */
function headOf(context: CanvasRenderingContext2D, x: number, y: number, right: number, down: number): void {
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x - right * 7 + down * 4, y - down * 7 - right * 4);
  context.lineTo(x - right * 7 - down * 4, y - down * 7 + right * 4);
  context.fill();
}

function nameEnd(context: CanvasRenderingContext2D, name: string, { x, y }: Place, { width, palette }: LinkFrame, names: Set<string>): void {
  if (names.has(name) || names.size >= namesMax) return;
  context.font = `11px ${palette.font}`;
  context.textBaseline = 'middle';
  const room = context.measureText(name).width + 10;
  const left = Math.max(2, Math.min(width - room - 2, x + 10 + names.size * 12));
  context.fillStyle = palette.background;
  context.fillRect(left, y - 8, room, 16);
  context.strokeStyle = palette.accent;
  context.lineWidth = 1;
  context.strokeRect(left + 0.5, y - 7.5, room - 1, 15);
  context.fillStyle = palette.text;
  context.fillText(name, left + 5, y + 0.5);
  names.add(name);
}
