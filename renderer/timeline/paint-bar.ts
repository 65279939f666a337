/** State bars: each state differs in colour and in shape, and says its word where there is room. */
import type { TimelineSegment } from '../../engine/api/sim/v1alpha1/timeline.ts';
import type { PodLook } from '../../engine/api/sim/v1alpha1/cluster-map.ts';
import { pathOf, shapeBox, shapes } from '../components/shapes.ts';
import { lookOf, shapeOf } from '../components/states.ts';
import { shorten } from '../lib/shorten.ts';
import type { Palette } from './palette.ts';
import type { BoxPainter } from './pixel-boxes.ts';

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Moves a word that would stand at `left` to where nothing covers it. */
export type PlaceWord = (left: number, room: number) => number;
const atLeft: PlaceWord = (left) => left;

const wordRoom = 70;
/** What a word stands on is no higher, however high its bar is. */
const wordGround = 14;
const glyphPx = 11;
/** Their bars are hatched as their shapes are. */
const hatched: ReadonlySet<PodLook> = new Set(['Terminating', 'Lost']);
const hollow: ReadonlySet<string> = new Set(['Pending', 'Starting', 'Broken', 'Unknown', 'Terminating', 'Suspended']);
const terminal: ReadonlySet<string> = new Set(['Complete', 'Succeeded', 'Failed']);

/** Readiness is the bar's height; states without readiness take the middle. */
export function barBox(segment: TimelineSegment, x: number, width: number, rowTop: number, rowHeight: number): Box {
  const height = segment.state === 'Exists' ? 4 : segment.ready === false && !terminal.has(segment.state) ? 7 : 12;
  return { x, y: rowTop + Math.round((rowHeight - height) / 2), width, height };
}

/** What the bar says: the trouble a phase leaves open, else the state. Both may be in words of whoever writes statuses. */
export function barState({ state, ready, reason }: TimelineSegment): string {
  const said = state === 'Pending' || state === 'Running' ? (reason ?? (state === 'Running' && ready === false ? 'Starting' : state)) : state;
  return isPlain.test(said) ? said : shorten(said, wordMax);
}

/** Painted again and again: all but a few are. */
const isPlain = /^[\w ]{0,80}$/;
const wordMax = 80;

/**
 * `boxes` lies below the canvas, if it is not that. Where it put its word or sign that stand on a ground of their own: nothing is to be drawn
 * over them.
 */
export function paintBar(
  context: CanvasRenderingContext2D,
  state: string,
  box: Box,
  palette: Palette,
  place: PlaceWord = atLeft,
  boxes: BoxPainter = context,
): Box | undefined {
  const look = lookOf(state);
  const colour = palette.state[look] ?? palette.state['Exists'] ?? palette.muted;
  const { x, y, width, height } = box;
  boxes.fillStyle = colour;
  context.strokeStyle = colour;
  context.lineWidth = 1;
  switch (look) {
    case 'Pending':
    case 'Starting':
      boxes.globalAlpha = 0.16;
      boxes.fillRect(x, y, width, height);
      boxes.globalAlpha = 1;
      if (width > 2) context.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1);
      else boxes.fillRect(x, y, width, height);
      break;
    case 'Broken':
      boxes.globalAlpha = 0.22;
      boxes.fillRect(x, y, width, height);
      boxes.globalAlpha = 1;
      boxes.fillRect(x, y, width, 2);
      boxes.fillRect(x, y + height - 2, width, 2);
      break;
    case 'Unknown':
    case 'Terminating':
    case 'Suspended':
      boxes.globalAlpha = 0.25;
      boxes.fillRect(x, y, width, height);
      boxes.globalAlpha = 1;
      hatch(context, box, state === 'Unknown');
      break;
    default:
      if (terminal.has(state)) return paintEnd(context, state, box, palette, colour, place, boxes);
      boxes.fillRect(x, y, width, height);
  }
  const shape = glyphOf(state);
  const wordless = width < wordRoom || height < 7 || state === 'Exists';
  if (!wordless) return word(context, state, box, palette, colour, place);
  if (shape !== undefined && width >= glyphPx + 4 && height >= 7) return glyph(context, shape, Math.max(x, 0) + 2, y + height / 2, colour, palette);
  if (width >= 14 && height >= 12) sign(context, state, x + 7, y + height / 2, palette);
  return undefined;
}

/** A run of a CronJob, as long as it took, in the colour and with the sign of its result. */
export function paintRun(context: CanvasRenderingContext2D, result: string, box: Box, palette: Palette): void {
  const colour = palette.state[result] ?? palette.muted;
  context.fillStyle = colour;
  context.fillRect(box.x, box.y, box.width, box.height);
  if (box.width >= wordRoom) word(context, result, box, palette, colour, atLeft);
  else if (box.width >= 14) sign(context, result, box.x + box.width / 2, box.y + box.height / 2, palette);
}

/** What is over: a chip with its sign, then a thin line for as long as the object is still there. */
function paintEnd(
  context: CanvasRenderingContext2D,
  state: string,
  { x, y, width, height }: Box,
  palette: Palette,
  colour: string,
  place: PlaceWord,
  boxes: BoxPainter,
): Box | undefined {
  const chip = Math.min(width, height + 2);
  boxes.globalAlpha = 0.55;
  boxes.fillRect(x, y + height / 2 - 1.5, width, 3);
  boxes.globalAlpha = 1;
  boxes.fillRect(x, y, chip, height);
  if (chip >= 10) sign(context, state, x + chip / 2, y + height / 2, palette);
  context.font = `500 10px ${palette.font}`;
  const room = context.measureText(state).width;
  const left = place(Math.max(x + chip, 0) + 4, room);
  if (left + room + 6 > x + width) return undefined;
  context.fillStyle = palette.background;
  context.fillRect(left - 4, y, room + 8, height);
  context.fillStyle = colour;
  context.textBaseline = 'middle';
  context.fillText(state, left, y + height / 2 + 0.5);
  return { x: left - 4, y, width: room + 8, height };
}

function hatch(context: CanvasRenderingContext2D, { x, y, width, height }: Box, both: boolean): void {
  context.save();
  context.beginPath();
  context.rect(x, y, width, height);
  context.clip();
  context.beginPath();
  const from = Math.max(x, 0);
  const to = Math.min(x + width, 4000);
  for (let at = from - height; at < to; at += 6) {
    context.moveTo(at, y + height);
    context.lineTo(at + height, y);
    if (both) {
      context.moveTo(at, y);
      context.lineTo(at + height, y + height);
    }
  }
  context.stroke();
  context.restore();
}

function word(
  context: CanvasRenderingContext2D,
  state: string,
  { x, y, width, height }: Box,
  palette: Palette,
  colour: string,
  place: PlaceWord,
): Box | undefined {
  const low = height < 12;
  const solid = !low && !hollow.has(lookOf(state));
  context.font = `500 10px ${palette.font}`;
  context.textBaseline = 'middle';
  const shape = glyphOf(state);
  const prefix = state === 'Succeeded' || state === 'Complete' ? '✓ ' : state === 'Failed' ? '✕ ' : '';
  const text = `${prefix}${state}`;
  const before = shape === undefined ? 0 : glyphPx + 4;
  const room = context.measureText(text).width + before;
  const left = place(Math.max(x, 0) + 6, room);
  if (left + room > x + width - 2) return undefined;
  const tall = low ? height + 4 : Math.min(height - 2, wordGround);
  const ground: Box = { x: left - 4, y: y + (height - tall) / 2, width: room + 8, height: tall };
  if (!solid) {
    context.fillStyle = palette.background;
    context.fillRect(ground.x, ground.y, ground.width, ground.height);
  }
  context.fillStyle = solid ? palette.onState : colour;
  context.fillText(text, left + before, y + height / 2 + 0.5);
  if (shape !== undefined) glyph(context, shape, left - 1, y + height / 2, colour, palette);
  return ground;
}

/** What is not well has the shape that it has on the map and in tables. */
function glyphOf(state: string): PodLook | undefined {
  const shape = shapeOf(state);
  return shape === undefined || hatched.has(shape) ? undefined : shape;
}

function glyph(context: CanvasRenderingContext2D, look: PodLook, left: number, middle: number, colour: string, palette: Palette): Box {
  const { fill, stroke } = shapes[look];
  const scale = glyphPx / shapeBox;
  context.save();
  context.fillStyle = palette.background;
  const ground: Box = { x: left - 1, y: middle - glyphPx / 2 - 1, width: glyphPx + 2, height: glyphPx + 2 };
  context.fillRect(ground.x, ground.y, ground.width, ground.height);
  context.translate(left, middle - glyphPx / 2);
  context.scale(scale, scale);
  context.fillStyle = context.strokeStyle = colour;
  context.lineWidth = 1.4 / scale;
  if (fill) context.fill(pathOf(fill));
  if (stroke) context.stroke(pathOf(stroke));
  context.restore();
  return ground;
}

function sign(context: CanvasRenderingContext2D, state: string, x: number, y: number, palette: Palette): void {
  context.strokeStyle = palette.onState;
  context.lineWidth = 1.5;
  context.beginPath();
  if (state === 'Succeeded' || state === 'Complete') {
    context.moveTo(x - 3, y);
    context.lineTo(x - 1, y + 2.5);
    context.lineTo(x + 3, y - 2.5);
  } else if (state === 'Failed' || state === 'NotReady') {
    context.moveTo(x - 2.5, y - 2.5);
    context.lineTo(x + 2.5, y + 2.5);
    context.moveTo(x + 2.5, y - 2.5);
    context.lineTo(x - 2.5, y + 2.5);
  }
  context.stroke();
}
