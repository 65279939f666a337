/**
 * Arrows of cause and effect across rows, behind the words of these. What has no row on screen is led to the edge that it lies beyond, and
 * named there.
 */
import { shorten } from '../lib/shorten.ts';
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
  /** The end of the change that is looked at, where all arrows meet. */
  readonly hub: 'from' | 'to';
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
const nameMax = 120;
/** Ends of one row that are closer are told apart by nobody: who zooms in sees the arrow between them. */
const apartMin = 12;
/** How far from the change's instant arrows that come stand to its left, and those that go to its right, so that neither looks like the other. */
const aside = 4;
/** Ends that are no further from there are reached straight. */
const near = 8;
const corner = 4;
/** Between the middle of a mark and the tip that points to it. */
const tipRoom = 3;
/** Above the first row it would not be seen. */
const edgeRoom = 2;

export function paintLinks(context: CanvasRenderingContext2D, links: readonly CausalLink[], frame: LinkFrame): void {
  const seen = links.map(({ from, to, hub }) => ({
    from: { ...placeOf(from, frame, -1), name: shorten(from.name, nameMax) },
    to: { ...placeOf(to, frame, 1), name: shorten(to.name, nameMax) },
    hub,
  }));
  const known = new Set<string>();
  const shown = seen.filter(({ from, to }) => {
    if ((from.y < 0 && to.y < 0) || (from.y > frame.height && to.y > frame.height) || areOne(from, to)) return false;
    // Of many that are the same to the pixel, one.
    const key = [from.x, from.y, to.x, to.y].map(Math.round).join();
    return !known.has(key) && known.add(key);
  });
  if (shown.length === 0) return;
  const arrows = shown.map((one) => ({ ...one, way: wayOf(one, frame) }));
  context.save();
  context.save();
  leaveOut(context, frame);
  // All grounds first, or one would cut the lines that run along it.
  for (const { way } of arrows) paintWay(context, way, frame.palette.background, 4);
  for (const { from, to, way } of arrows) paintWay(context, way, frame.palette.text, 1.5, from.isHere && to.isHere ? [] : [4, 3]);
  context.restore();
  for (const { from, way } of arrows) paintEnds(context, from, way, frame.palette);
  // Over all arrows, or one would be drawn over the name of another's end.
  const names = new Set<string>();
  for (const place of shown.flatMap(({ from, to }) => [from, to])) if (!place.isHere) nameEnd(context, place.name, place, frame, names);
  context.restore();
}

type Point = readonly [x: number, y: number];

/**
 * Upright at the change's instant, and level between rows: arrows of one change run together until each turns off to its row, and cover neither bars nor
 * words there.
 */
function wayOf({ from, to, hub }: { readonly from: Place; readonly to: Place; readonly hub: CausalLink['hub'] }, frame: LinkFrame): readonly Point[] {
  const trunk = hub === 'to' ? Math.max(from.x, to.x - aside) : Math.min(to.x, from.x + aside);
  const [other, middle] = hub === 'to' ? [from, to] : [to, from];
  if (Math.abs(other.x - trunk) < near && other.y !== middle.y)
    return [
      [from.x, from.y],
      [to.x, tipOf(from.y, to.y)],
    ];
  const between = besideRow(other, middle.y, frame);
  if (hub === 'to')
    return [
      [from.x, from.y],
      [from.x, between],
      [trunk, between],
      [trunk, tipOf(between, to.y)],
    ];
  return [
    [trunk, from.y],
    [trunk, between],
    [to.x, between],
    [to.x, tipOf(between, to.y)],
  ];
}

function tipOf(from: number, to: number): number {
  return to - tipRoom * Math.sign(to - from);
}

/** The edge of its row that is nearer; what has no row lies at an edge already. */
function besideRow({ y, isHere }: Place, toY: number, { rowHeight }: LinkFrame): number {
  if (!isHere) return y;
  return toY > y ? y + rowHeight / 2 : Math.max(edgeRoom, y - rowHeight / 2);
}

function paintWay(context: CanvasRenderingContext2D, way: readonly Point[], colour: string, width: number, dashes: readonly number[] = []): void {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.setLineDash([...dashes]);
  context.beginPath();
  way.forEach(([x, y], index) => {
    const [before, after] = [way[index - 1], way[index + 1]];
    if (before === undefined) context.moveTo(x, y);
    else if (after === undefined) context.lineTo(x, y);
    else context.arcTo(x, y, ...after, Math.min(corner, lengthOf(before, [x, y]) / 2, lengthOf([x, y], after) / 2));
  });
  context.stroke();
  context.setLineDash([]);
}

function lengthOf([x, y]: Point, [toX, toY]: Point): number {
  return Math.abs(toX - x) + Math.abs(toY - y);
}

function paintEnds(context: CanvasRenderingContext2D, start: Place, way: readonly Point[], palette: Palette): void {
  const [before, end] = way.slice(-2) as [Point, Point];
  context.fillStyle = palette.text;
  headOf(context, ...end, Math.sign(end[1] - before[1]));
  context.beginPath();
  context.arc(start.x, start.y, 3, 0, Math.PI * 2);
  context.fill();
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

/** Points downwards or upwards. */
function headOf(context: CanvasRenderingContext2D, x: number, y: number, down: number): void {
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x + 4, y - down * 6);
  context.lineTo(x - 4, y - down * 6);
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
