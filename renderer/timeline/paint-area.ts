/** Availability as an area: ready over wished, surge above the wish, shortage hatched in red. */
import { countWhile } from '../lib/bisect.ts';
import { formatCount } from '../lib/format.ts';
import { areaPeak, stepWidth } from './area-steps.ts';
import { hatchStep, hatchWidth } from './hatch.ts';
import type { Box, PlaceWord } from './paint-bar.ts';
import type { Palette } from './palette.ts';
import type { BoxPainter } from './pixel-boxes.ts';

export interface AreaFrame {
  readonly top: number;
  readonly height: number;
  /** Of the window. */
  readonly width: number;
  /** So many pixels are painted beside it on both sides. */
  readonly margin: number;
  /** Nothing is known of what comes after it. */
  readonly endMs: number;
  readonly x: (ms: number) => number;
  readonly palette: Palette;
  readonly place: PlaceWord;
  /** What boxes are painted on, below all else; absent: the canvas. */
  readonly boxes?: BoxPainter;
}

const wordRoom = 30;
const hatchRoom = 4;
/** One of a thousand that is missing is seen too. */
const shortMin = 2;

/** Where its figures stand: nothing is to be drawn over them. */
export function paintArea(context: CanvasRenderingContext2D, area: readonly number[], frame: AreaFrame): readonly Box[] {
  const { top, height, palette } = frame;
  const boxes = boxesOf(area, frame);
  const bands = bandsOf(boxes, areaPeak(area), height);
  const bottom = top + height;
  const painter = frame.boxes ?? context;
  // Colour by colour: each change of it costs as much as what is painted with it.
  painter.fillStyle = palette.state['Running'] ?? palette.text;
  for (const { left, right, ready, wish, short } of bands) {
    const solid = Math.min(ready, wish) - Math.max(0, short - Math.max(0, wish - ready));
    if (solid > 0) painter.fillRect(left, bottom - solid, roomOf(left, right), solid);
  }
  painter.globalAlpha = 0.4;
  for (const { left, right, ready, wish } of bands) if (ready > wish) painter.fillRect(left, bottom - ready, roomOf(left, right), ready - wish);
  painter.globalAlpha = 1;
  const lacks = bands
    .filter(({ short }) => short > 0)
    .map(({ left, right, wish, short }) => ({ x: left, y: bottom - wish, width: roomOf(left, right), height: short }));
  if (lacks.length > 0) paintShortages(context, painter, lacks, palette);
  paintWish(painter, bands, bottom, palette);
  // Once, and not for each word: faces are dear to set.
  context.font = `600 10px ${palette.font}`;
  context.textBaseline = 'middle';
  const words: Box[] = [];
  for (const box of boxes) {
    const word = box.right - box.left < wordRoom ? undefined : paintWords(context, box, frame);
    if (word !== undefined) words.push(word);
  }
  return words;
}

/** Pixels above the foot. */
interface Band {
  readonly left: number;
  readonly right: number;
  readonly ready: number;
  readonly wish: number;
  /** Of the hatched part below the wish. */
  readonly short: number;
}

/** Levels that are not told apart. */
const levelPx = 0.25;

/** Neighbours that look alike, as one: of thousands of pods that come one by one each has a step, and there is room for a few dozen. */
export function bandsOf(boxes: readonly StepBox[], peak: number, height: number): readonly Band[] {
  const levelOf = (count: number): number => (count === 0 ? 0 : Math.max(levelPx, Math.round(((count / peak) * height) / levelPx) * levelPx));
  const bands: (Band & { right: number })[] = [];
  let last: (Band & { right: number }) | undefined;
  for (const box of boxes) {
    const { left, right } = box;
    const [ready, wish] = [levelOf(box.ready), levelOf(box.wished)];
    const short = lack(box) === 0 ? 0 : Math.max(shortMin, wish - ready);
    if (last !== undefined && last.ready === ready && last.wish === wish && last.short === short)
      // A step that is over within its pixel has that pixel all the same.
      last.right = Math.max(last.right, right, left + 1);
    else bands.push((last = { left, right, ready, wish, short }));
  }
  return bands;
}

export interface StepBox {
  readonly wished: number;
  readonly ready: number;
  readonly left: number;
  readonly right: number;
}

/** Steps that are seen. Of those that begin in one pixel the one that lacks most has it: a short lack is seen too. */
export function boxesOf(
  area: readonly number[],
  { endMs, x, width, margin }: Pick<AreaFrame, 'endMs' | 'x' | 'width' | 'margin'>,
): readonly StepBox[] {
  const boxes: StepBox[] = [];
  let before: StepBox | undefined;
  const count = area.length / stepWidth;
  const fromOf = (index: number): number => area[index * stepWidth] as number;
  // Of what was long before only the last is seen.
  const unseen = countWhile(count, (step) => x(fromOf(step)) < -margin - 1);
  for (let index = Math.max(0, unseen - 1); index < count; index++) {
    const fromMs = fromOf(index);
    if (fromMs > endMs) break;
    const right = Math.round(x(index + 1 < count ? Math.min(endMs, fromOf(index + 1)) : endMs));
    if (right < -margin) continue;
    const left = Math.round(x(fromMs));
    if (left > width + margin) break;
    const box: StepBox = { wished: area[index * stepWidth + 1] as number, ready: area[index * stepWidth + 2] as number, left, right };
    if (before === undefined || before.left !== left) boxes.push((before = box));
    else if (lack(box) >= lack(before)) boxes[boxes.length - 1] = before = box;
    else if (right > left + 1) boxes.push((before = { ...box, left: left + 1 }));
  }
  return boxes;
}

function roomOf(left: number, right: number): number {
  return Math.max(1, right - left);
}

function lack({ wished, ready }: Pick<StepBox, 'wished' | 'ready'>): number {
  return Math.max(0, wished - ready);
}

/** Solid where there is no room for a hatch; what is hatched is one stroke. */
function paintShortages(context: CanvasRenderingContext2D, painter: BoxPainter, boxes: readonly Box[], palette: Palette): void {
  const isHatched = ({ width, height }: Box): boolean => width >= hatchRoom && height >= hatchRoom;
  painter.fillStyle = palette.danger;
  for (const box of boxes) {
    painter.globalAlpha = isHatched(box) ? 0.3 : 1;
    painter.fillRect(box.x, box.y, box.width, box.height);
  }
  painter.globalAlpha = 1;
  const hatched = boxes.filter(isHatched);
  if (hatched.length === 0) return;
  if (painter.fillHatched) {
    for (const { x, y, width, height } of hatched) painter.fillHatched(x, y, width, height);
    return;
  }
  context.strokeStyle = palette.danger;
  context.lineWidth = hatchWidth;
  context.beginPath();
  for (const box of hatched) hatch(context, box);
  context.stroke();
}

/** Lines upwards to the right, from edge to edge: to clip each box costs more than to paint all of them. */
function hatch(context: CanvasRenderingContext2D, { x, y, width, height }: Box): void {
  const [right, bottom] = [x + width, y + height];
  for (let at = Math.floor((x - height) / hatchStep) * hatchStep; at < right; at += hatchStep) {
    const [from, to] = [Math.max(x, at), Math.min(right, at + height)];
    if (to <= from) continue;
    context.moveTo(from, bottom - (from - at));
    context.lineTo(to, bottom - (to - at));
  }
}

/** What was wished for, as a line over the area. */
function paintWish(painter: BoxPainter, bands: readonly Band[], bottom: number, palette: Palette): void {
  painter.fillStyle = palette.text;
  for (let index = 0; index < bands.length; ) {
    const { wish, left } = bands[index] as Band;
    let { right } = bands[index] as Band;
    // A wish lasts for many steps.
    for (index++; bands[index]?.wish === wish; index++) right = Math.max(right, (bands[index] as Band).right);
    if (wish > 0) painter.fillRect(left, Math.round(bottom - wish), roomOf(left, right), 1);
  }
}

/** `2/3` where there is room for it. */
function paintWords(
  context: CanvasRenderingContext2D,
  { wished, ready, left, right }: StepBox,
  { top, height, width, palette, place }: AreaFrame,
): Box | undefined {
  const [from, to] = [Math.max(0, left), Math.min(width, right)];
  if (to - from < wordRoom || (wished === 0 && ready === 0)) return undefined;
  const text = `${formatCount(ready)}/${formatCount(wished)}`;
  const room = context.measureText(text).width;
  const at = place(from + 5, room);
  if (at + room + 4 > to) return undefined;
  const ground: Box = { x: at - 3, y: top + height / 2 - 5.5, width: room + 6, height: 11 };
  context.fillStyle = palette.background;
  context.fillRect(ground.x, ground.y, ground.width, ground.height);
  context.fillStyle = ready < wished ? palette.danger : palette.text;
  context.fillText(text, at, top + height / 2 + 0.5);
  return ground;
}
