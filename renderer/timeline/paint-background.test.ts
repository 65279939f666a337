/** The grid, what is selected and faults are boxes of the same picture as the rows that stand on them. */
import { expect, it } from 'vitest';
import type { TimelineRow } from '../../engine/api/sim/v1alpha1/timeline.ts';
import type { Palette } from './palette.ts';
import { paintBackground } from './paint-frame.ts';
import { PixelBoxes } from './pixel-boxes.ts';

const palette = { grid: '#0000ff', gridStrong: '#00ff00', accent: '#ffff00', fault: '#ff0000' } as Palette;
const fromMs = Date.UTC(2026, 0, 5, 12, 0, 1);
const range = { fromMs, toMs: fromMs + 1000 };
const [width, height, rowHeight] = [1000, 54, 18];
const row = { id: 'pods/default/a', createdMs: fromMs, segments: [], marks: [] } as unknown as TimelineRow;

it('is painted where it belongs', () => {
  const boxes = new PixelBoxes();
  boxes.begin(width, height, 1);
  paintBackground(boxes, {
    margin: 0,
    ...{ range, width, height, palette, rowHeight, scrollTop: 0, first: 0, count: 3, selected: row.id, nowMs: fromMs + 900 },
    faults: [{ name: 'outage', type: 'node-power-loss', fromMs: fromMs + 300, toMs: fromMs + 600, affected: [] }] as never,
    rowAt: (index) => (index === 1 ? row : undefined),
  });
  const colourAt = (x: number, y: number): string => {
    const [red, green, blue, alpha] = boxes.at(x, y);
    return alpha === 0 ? 'none' : [red > 127 ? 'red' : '', green > 127 ? 'green' : '', blue > 127 ? 'blue' : ''].filter(Boolean).join(' ');
  };
  // Between the strong lines of the grid, which stand at round instants.
  expect([colourAt(133, 5), colourAt(133, 17), colourAt(133, 35)]).toEqual(['none', 'blue', 'blue']);
  expect(colourAt(133, 25)).toBe('red green');
  expect([colourAt(433, 5), colourAt(303, 5), colourAt(633, 5)]).toEqual(['red', 'red', 'none']);
  expect([...Array(width).keys()].some((x) => colourAt(x, 5) === 'green')).toBe(true);
});
