import { expect, it } from 'vitest';
import { besideMarks } from './paint-row.ts';

const range = { fromMs: 0, toMs: 1000 };
/** A pixel a millisecond. */
const placed = (marks: readonly number[], wanted: number): number =>
  besideMarks(
    marks.map((ms) => ({ ms, type: 'event', text: '' })),
    wanted,
    50,
    range,
    1000,
  );

it.each([
  ['where it is wished, beside no mark', [], 100, 100],
  ['there, with marks far to both sides', [10, 92, 158, 500], 100, 100],
  ['behind one that would be under it', [10, 120], 100, 130],
  ['behind one that would touch it', [156], 100, 166],
  ['behind one just before it', [94], 100, 104],
  ['behind all that follow one another', [110, 150, 200, 400], 100, 210],
] as const)('a word of 50 px stands %s', (_what, marks, wanted, left) => expect(placed(marks, wanted)).toBe(left));
