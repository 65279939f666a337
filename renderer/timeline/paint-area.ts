/** Availability as an area: ready over wished, surge above the wish, shortage hatched in red. */
import { type AreaStep, areaPeak, areaSteps } from './area-steps.ts';
import type { Box, PlaceWord } from './paint-bar.ts';
import type { Palette } from './palette.ts';

export interface AreaFrame {
  readonly top: number;
  readonly height: number;
  /** Of the canvas. */
  readonly width: number;
  /** Nothing is known of what comes after it. */
  readonly endMs: number;
  readonly x: (ms: number) => number;
  readonly palette: Palette;
  readonly place: PlaceWord;
}

const wordRoom = 30;
const hatchRoom = 4;
/** One of a thousand that is missing is seen too. */
const shortMin = 2;

export function paintArea(context: CanvasRenderingContext2D, area: readonly number[], frame: AreaFrame): void {
  const { top, height, palette } = frame;
  const peak = areaPeak(area);
  const boxes = boxesOf(area, frame);
  const levelOf = (count: number): number => (count / peak) * height;
  // Colour by colour: each change of it costs as much as what is painted with it.
  context.fillStyle = palette.state['Running'] ?? palette.text;
  for (const { step, left, right } of boxes) {
    const solid = levelOf(Math.min(step.ready, step.wished)) - Math.max(0, shortHeightOf(step, levelOf) - levelOf(lack(step)));
    if (solid > 0) context.fillRect(left, top + height - solid, roomOf(left, right), solid);
  }
  context.globalAlpha = 0.4;
  for (const { step, left, right } of boxes)
    if (step.ready > step.wished) context.fillRect(left, top + height - levelOf(step.ready), roomOf(left, right), levelOf(step.ready - step.wished));
  context.globalAlpha = 1;
  context.fillStyle = palette.danger;
  for (const { step, left, right } of boxes)
    if (lack(step) > 0)
      paintShortage(
        context,
        { x: left, y: top + height - levelOf(step.wished), width: roomOf(left, right), height: shortHeightOf(step, levelOf) },
        palette,
      );
  paintWish(context, boxes, levelOf, frame);
  // Once, and not for each word: faces are dear to set.
  context.font = `600 10px ${palette.font}`;
  context.textBaseline = 'middle';
  for (const box of boxes) paintWords(context, box, frame);
}

interface StepBox {
  readonly step: AreaStep;
  readonly left: number;
  readonly right: number;
}

/** Steps that are seen. Of those that begin in one pixel the one that lacks most has it: a short lack is seen too. */
export function boxesOf(area: readonly number[], { endMs, x, width }: Pick<AreaFrame, 'endMs' | 'x' | 'width'>): readonly StepBox[] {
  const boxes: StepBox[] = [];
  for (const step of areaSteps(area, endMs)) {
    const [left, right] = [Math.round(x(step.fromMs)), Math.round(x(step.toMs))];
    if (right < 0) continue;
    if (left > width) break;
    const before = boxes.at(-1);
    if (before === undefined || before.left !== left) boxes.push({ step, left, right });
    else if (lack(step) >= lack(before.step)) boxes[boxes.length - 1] = { step, left, right };
    else if (right > left + 1) boxes.push({ step, left: left + 1, right });
  }
  return boxes;
}

function roomOf(left: number, right: number): number {
  return Math.max(1, right - left);
}

function shortHeightOf(step: AreaStep, levelOf: (count: number) => number): number {
  return lack(step) === 0 ? 0 : Math.max(shortMin, levelOf(lack(step)));
}

function lack({ wished, ready }: AreaStep): number {
  return Math.max(0, wished - ready);
}

/** In the colour that is set. */
function paintShortage(context: CanvasRenderingContext2D, box: Box, palette: Palette): void {
  if (box.width < hatchRoom || box.height < hatchRoom) return context.fillRect(box.x, box.y, box.width, box.height);
  context.globalAlpha = 0.3;
  context.fillRect(box.x, box.y, box.width, box.height);
  context.globalAlpha = 1;
  context.save();
  context.beginPath();
  context.rect(box.x, box.y, box.width, box.height);
  context.clip();
  context.strokeStyle = palette.danger;
  context.lineWidth = 1.5;
  context.beginPath();
  const from = Math.floor((box.x - box.height) / 5) * 5;
  for (let at = from; at < box.x + box.width; at += 5) {
    context.moveTo(at, box.y + box.height);
    context.lineTo(at + box.height, box.y);
  }
  context.stroke();
  context.restore();
}

/** What was wished for, as a line over the area. */
function paintWish(
  context: CanvasRenderingContext2D,
  boxes: readonly StepBox[],
  levelOf: (count: number) => number,
  { top, height, palette }: AreaFrame,
): void {
  context.fillStyle = palette.text;
  for (let index = 0; index < boxes.length; ) {
    const { step, left } = boxes[index] as StepBox;
    let { right } = boxes[index] as StepBox;
    // A wish lasts for many steps.
    for (index++; boxes[index]?.step.wished === step.wished; index++) right = Math.max(right, (boxes[index] as StepBox).right);
    if (step.wished > 0) context.fillRect(left, Math.round(top + height - levelOf(step.wished)), roomOf(left, right), 1);
  }
}

/** `2/3` where there is room for it. */
function paintWords(context: CanvasRenderingContext2D, { step, left, right }: StepBox, { top, height, width, palette, place }: AreaFrame): void {
  const [from, to] = [Math.max(0, left), Math.min(width, right)];
  if (to - from < wordRoom || (step.wished === 0 && step.ready === 0)) return;
  const text = `${step.ready}/${step.wished}`;
  const room = context.measureText(text).width;
  const at = place(from + 5, room);
  if (at + room + 4 > to) return;
  context.fillStyle = palette.background;
  context.fillRect(at - 3, top + height / 2 - 5.5, room + 6, 11);
  context.fillStyle = step.ready < step.wished ? palette.danger : palette.text;
  context.fillText(text, at, top + height / 2 + 0.5);
}
