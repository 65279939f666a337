/**
 * Which marks have room: the most telling stand, what would lie over them is left out, and counted where it was. That depends on how much time a pixel
 * has and on nothing else: a view that only moves along shows the same marks, and nothing is placed anew for it.
 */
import type { TimelineMark } from '../../engine/api/sim/v1alpha1/timeline.ts';

/** Marks that have no room of their own, within some pixels, and when these begin. */
export interface MarkCrowd {
  readonly ms: number;
  readonly count: number;
  readonly warnings: number;
}

/** Both in order of time. */
export interface PlacedMarks {
  readonly marks: readonly TimelineMark[];
  readonly crowds: readonly MarkCrowd[];
}

/** Free pixels between two shapes: signs that touch read as one. */
const gapPx = 3;
/** A line beside a line is told apart at less. */
const lines: ReadonlySet<TimelineMark['type']> = new Set(['condition', 'update', 'status']);
/** How telling each type is, and the pixels that its shape takes to both sides. */
const shapes: Readonly<Record<TimelineMark['type'], readonly [weight: number, reach: number]>> = {
  delete: [9, 4],
  missed: [8, 6],
  skipped: [8, 5],
  replaced: [8, 5],
  restart: [7, 6],
  finished: [6, 4],
  started: [6, 4],
  scheduled: [6, 2],
  create: [5, 4],
  event: [4, 4],
  condition: [3, 1],
  update: [2, 1],
  status: [1, 1],
};
const warningWeight = 7.5;
const crowdWidth = 3;

/** From the most telling to the least, and where in that order each type stands, with a warning and without. */
const weights = [...new Set([...Object.values(shapes).map(([weight]) => weight), warningWeight])].sort((a, b) => b - a);
const ranks: ReadonlyMap<string, readonly [plain: number, warning: number]> = new Map(
  Object.entries(shapes).map(([type, [weight]]) => [type, [weights.indexOf(weight), weights.indexOf(Math.max(warningWeight, weight))]]),
);

/** `marks` in order of time. */
export function placeMarks(marks: readonly TimelineMark[], pixelsPerMs: number): PlacedMarks {
  // Thousands are placed again by each step of zooming: they are in order of time, so that to deal them out by weight is all the sorting that is needed.
  const byRank = weights.map((): number[] => []);
  marks.forEach(({ type, level }, index) => byRank[ranks.get(type)?.[level === 'Warning' ? 1 : 0] ?? 0]?.push(index));
  const taken = new Taken(marks, pixelsPerMs);
  for (const indices of byRank) for (const index of indices) taken.take(index);
  const placed: TimelineMark[] = [];
  const crowds: { ms: number; count: number; warnings: number }[] = [];
  const crowdMs = crowdWidth / pixelsPerMs;
  let lastAt = Number.NaN;
  for (let index = 0; index < marks.length; index++) {
    const mark = marks[index] as TimelineMark;
    if (taken.has(index)) {
      placed.push(mark);
      continue;
    }
    const at = Math.floor(mark.ms / crowdMs);
    if (at !== lastAt) crowds.push({ ms: at * crowdMs, count: 0, warnings: 0 });
    lastAt = at;
    const crowd = crowds[crowds.length - 1] as { count: number; warnings: number };
    crowd.count++;
    if (mark.level === 'Warning') crowd.warnings++;
  }
  return { marks: placed, crowds };
}

/** Twice the widest reach and the gap: neighbours are in this cell or beside it. */
const cellWidth = 15;

/** Marks that stand, by cells of some pixels: the last of each, and of each the one before it in its cell. */
class Taken {
  readonly #marks: readonly TimelineMark[];
  readonly #xs: Float64Array;
  readonly #lastOfCell = new Map<number, number>();
  readonly #before: Int32Array;
  readonly #stands: Uint8Array;

  constructor(marks: readonly TimelineMark[], pixelsPerMs: number) {
    this.#marks = marks;
    const firstMs = marks[0]?.ms ?? 0;
    this.#xs = Float64Array.from(marks, ({ ms }) => (ms - firstMs) * pixelsPerMs);
    this.#before = new Int32Array(marks.length);
    this.#stands = new Uint8Array(marks.length);
  }

  has(index: number): boolean {
    return this.#stands[index] === 1;
  }

  /** If it has room. */
  take(index: number): void {
    const cell = Math.floor((this.#xs[index] as number) / cellWidth);
    const lastHere = this.#lastOfCell.get(cell) ?? -1;
    if (this.#isInTheWay(index, lastHere)) return;
    if (this.#isInTheWay(index, this.#lastOfCell.get(cell - 1) ?? -1) || this.#isInTheWay(index, this.#lastOfCell.get(cell + 1) ?? -1)) return;
    this.#before[index] = lastHere;
    this.#lastOfCell.set(cell, index);
    this.#stands[index] = 1;
  }

  #isInTheWay(index: number, lastOfCell: number): boolean {
    if (lastOfCell < 0) return false;
    const mark = this.#marks[index] as TimelineMark;
    const [x, reach, isLine] = [this.#xs[index] as number, shapes[mark.type][1], lines.has(mark.type)];
    for (let at = lastOfCell; at >= 0; at = this.#before[at] as number) {
      const other = this.#marks[at] as TimelineMark;
      const away = Math.abs((this.#xs[at] as number) - x);
      const least = reach + shapes[other.type][1];
      if (away < least + gapPx && (away < least || !isLine || !lines.has(other.type)) && !isShared(mark, other)) return true;
    }
    return false;
  }
}

/** A tick and the start at it belong together. */
function isShared({ type: a }: TimelineMark, { type: b }: TimelineMark): boolean {
  return (a === 'scheduled' && b === 'started') || (a === 'started' && b === 'scheduled');
}
