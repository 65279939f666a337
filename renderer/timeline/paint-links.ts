/** Arrows of cause and effect across rows. What has no row on screen is led to the edge that it lies beyond, and named there. */
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
}

const namesMax = 6;
const bulge = 26;

export function paintLinks(context: CanvasRenderingContext2D, links: readonly CausalLink[], frame: LinkFrame): void {
  const names = new Set<string>();
  context.save();
  for (const link of links) paintLink(context, link, frame, names);
  context.restore();
}

function paintLink(context: CanvasRenderingContext2D, { from, to }: CausalLink, frame: LinkFrame, names: Set<string>): void {
  const [start, end] = [placeOf(from, frame, -1), placeOf(to, frame, 1)];
  if ((start.y < 0 && end.y < 0) || (start.y > frame.height && end.y > frame.height)) return;
  const { palette } = frame;
  const isForward = end.x - start.x > 2 * bulge;
  const draw = (): void => {
    context.beginPath();
    context.moveTo(start.x, start.y);
    // At one instant the arrow leaves to the side, so that it is seen.
    const side = Math.max(bulge, Math.abs(end.x - start.x) / 2);
    context.bezierCurveTo(start.x + side, start.y, end.x + (isForward ? -side : side), end.y, end.x + (isForward ? -5 : 5), end.y);
    context.stroke();
  };
  // Stands out from bars of its own colour.
  context.strokeStyle = palette.background;
  context.lineWidth = 5;
  draw();
  context.strokeStyle = context.fillStyle = palette.text;
  context.lineWidth = 1.75;
  context.setLineDash(start.isHere && end.isHere ? [] : [4, 3]);
  draw();
  context.setLineDash([]);
  head(context, end.x, end.y, isForward ? 1 : -1);
  context.beginPath();
  context.arc(start.x, start.y, 3, 0, Math.PI * 2);
  context.fill();
  if (!start.isHere) nameEnd(context, from.name, start, frame, names);
  if (!end.isHere) nameEnd(context, to.name, end, frame, names);
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
