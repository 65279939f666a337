import { expect, it } from 'vitest';
import type { TimelineMark, TimelineRow } from '../../engine/api/sim/v1alpha1/timeline.ts';
import { besideMarks, paintMarks, type RowFrame } from './paint-row.ts';
import type { Palette } from './palette.ts';
import { PixelBoxes } from './pixel-boxes.ts';

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

const size = { width: 300, height: 18 };
const marks: readonly TimelineMark[] = Array.from({ length: 2000 }, (_, index) => ({
  ms: (index * index * 7) % 19_000,
  type: (['condition', 'update', 'status'] as const)[index % 3] ?? 'status',
  text: '',
  ...(index % 11 === 0 ? { level: 'Warning' } : {}),
})).toSorted((a, b) => a.ms - b.ms);
const row = { marks } as unknown as TimelineRow;

/** Ten milliseconds a pixel. */
function painted(fromMs: number): PixelBoxes {
  const boxes = new PixelBoxes();
  boxes.begin(size.width, size.height, 1);
  const range = { fromMs, toMs: fromMs + size.width * 10 };
  const palette = { mark: '#334455', warning: '#cc2200', danger: '#ff0000' } as unknown as Palette;
  const frame = { ...size, margin: 0, top: 0, range, palette, boxes, nowMs: 20_000, knownMs: 20_000, loaded: range };
  paintMarks({} as CanvasRenderingContext2D, row, frame satisfies RowFrame);
  return boxes;
}

it('a view that moves along time shows of a crowded row what it showed, moved', () => {
  const [before, moved] = [painted(6000), painted(6070)];
  const seen: (readonly number[])[] = [];
  for (let x = 0; x < size.width - 7; x++)
    for (let y = 0; y < size.height; y++) {
      expect(moved.at(x, y), `${x}, ${y}`).toEqual(before.at(x + 7, y));
      if (moved.at(x, y)[3] > 0) seen.push([x, y]);
    }
  expect(seen.length).toBeGreaterThan(1000);
});
