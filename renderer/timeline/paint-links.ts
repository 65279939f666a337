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
  const shown = seen.filter(({ from, to }) => !((from.y < 0 && to.y < 0) || (from.y > frame.height && to.y > frame.height)));
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
  const isForward = leadsOn(start, end);
  const draw = (): void => {
    context.beginPath();
    context.moveTo(start.x, start.y);
    // At one instant the arrow leaves to the side, so that it is seen.
    const side = Math.max(bulge, Math.abs(end.x - start.x) / 2);
    // Within a row it runs along the row's edge, not over all that the row shows.
    const lift = end.y === start.y ? -Math.min(bow, (start.y - edgeRoom) / bowShare) : 0;
    const [from, to] = [start.x + side, end.x + (isForward ? -side : side)];
    context.bezierCurveTo(from, start.y + lift, to, end.y + lift, end.x + (isForward ? -5 : 5), end.y);
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
  head(context, end.x, end.y, leadsOn(start, end) ? 1 : -1);
  context.beginPath();
  context.arc(start.x, start.y, 3, 0, Math.PI * 2);
  context.fill();
}

/** Whether there is room to come from the left. */
function leadsOn(start: Place, end: Place): boolean {
  return end.x - start.x > 2 * bulge;
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

/** Points to the right, or to the left where the arrow comes from there. */
function head(context: CanvasRenderingContext2D, x: number, y: number, direction: 1 | -1): void {
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x - direction * 7, y - 4);
  context.lineTo(x - direction * 7, y + 4);
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
