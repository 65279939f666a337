/** Which marks have room: the most telling stand, what would lie over them is left out, and counted where it was. */
import type { TimelineMark } from '../../engine/api/sim/v1alpha1/timeline.ts';

export interface PlacedMark {
  readonly mark: TimelineMark;
  readonly x: number;
}

/** Marks that have no room of their own, within some pixels. */
export interface MarkCrowd {
  readonly x: number;
  readonly count: number;
  readonly warnings: number;
}

export interface PlacedMarks {
  readonly marks: readonly PlacedMark[];
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

/** `marks` in order of time; those far outside of the canvas are left out. */
export function placeMarks(marks: readonly TimelineMark[], xOf: (ms: number) => number, width: number): PlacedMarks {
  const seen: (PlacedMark & { readonly weight: number })[] = [];
  for (const mark of marks) {
    const x = xOf(mark.ms);
    if (x > width + 6) break;
    if (x >= -6) seen.push({ mark, x, weight: weightOf(mark) });
  }
  const taken = new Map<number, PlacedMark[]>();
  const placed: PlacedMark[] = [];
  const crowds = new Map<number, { count: number; warnings: number }>();
  for (const one of seen.sort((a, b) => b.weight - a.weight || a.x - b.x)) {
    if (hasRoom(one, taken)) {
      placed.push(one);
      const cell = Math.floor(one.x / cellWidth);
      const cellMarks = taken.get(cell);
      if (cellMarks === undefined) taken.set(cell, [one]);
      else cellMarks.push(one);
      continue;
    }
    const at = Math.floor(one.x / crowdWidth);
    const crowd = crowds.get(at) ?? { count: 0, warnings: 0 };
    crowds.set(at, { count: crowd.count + 1, warnings: crowd.warnings + (one.mark.level === 'Warning' ? 1 : 0) });
  }
  return {
    marks: placed.sort((a, b) => a.x - b.x),
    crowds: Array.from(crowds, ([at, crowd]) => ({ x: at * crowdWidth, ...crowd })).sort((a, b) => a.x - b.x),
  };
}

/** Twice the widest reach and the gap: neighbours are in this cell or beside it. */
const cellWidth = 15;

function hasRoom({ mark, x }: PlacedMark, taken: ReadonlyMap<number, readonly PlacedMark[]>): boolean {
  const cell = Math.floor(x / cellWidth);
  for (const near of [cell - 1, cell, cell + 1])
    for (const other of taken.get(near) ?? []) {
      const gap = lines.has(mark.type) && lines.has(other.mark.type) ? 0 : gapPx;
      if (Math.abs(other.x - x) < shapes[mark.type][1] + shapes[other.mark.type][1] + gap && !isShared(mark, other.mark)) return false;
    }
  return true;
}

/** A tick and the start at it belong together. */
function isShared({ type: a }: TimelineMark, { type: b }: TimelineMark): boolean {
  return (a === 'scheduled' && b === 'started') || (a === 'started' && b === 'scheduled');
}

function weightOf({ type, level }: TimelineMark): number {
  return level === 'Warning' ? Math.max(warningWeight, shapes[type][0]) : shapes[type][0];
}
