import { describe, expect, it } from 'vitest';
import type { TimelineMark } from '../../engine/api/sim/v1alpha1/timeline.ts';
import { placeMarks } from './place-marks.ts';

const mark = (ms: number, type: TimelineMark['type'], level?: string): TimelineMark => ({ ms, type, text: type, ...(level ? { level } : {}) });
const place = (marks: readonly TimelineMark[], perPixel = 1) => placeMarks(marks, 1 / perPixel);
const shown = (marks: readonly TimelineMark[], perPixel = 1) => place(marks, perPixel).marks.map(({ ms, type }) => `${ms / perPixel} ${type}`);
describe('marks', () => {
  it('that have room stand where they are', () => {
    expect(shown([mark(0, 'create'), mark(20, 'event'), mark(40, 'delete')])).toEqual(['0 create', '20 event', '40 delete']);
  });
  it('that would lie over one another give way to the most telling, and are counted with their severity', () => {
    const marks = [mark(100, 'create'), mark(101, 'status'), mark(102, 'event', 'Warning'), mark(102.5, 'event', 'Warning'), mark(103, 'update')];
    expect(shown(marks)).toEqual(['102 event']);
    expect(place(marks).crowds).toEqual([
      { ms: 99, count: 2, warnings: 0 },
      { ms: 102, count: 2, warnings: 1 },
    ]);
  });
  it('never overlap and never get lost, at any zoom', () => {
    const types = ['create', 'event', 'status', 'update', 'restart', 'condition', 'delete'] as const;
    const many = Array.from({ length: 400 }, (_, index) => mark((index * index * 7) % 9000, types[index % types.length] ?? 'event'));
    const sorted = many.toSorted((a, b) => a.ms - b.ms);
    for (const perPixel of [9, 30, 100, 1000, 9000]) {
      const { marks: placed, crowds } = place(sorted, perPixel);
      expect(placed.length + crowds.reduce((sum, { count }) => sum + count, 0)).toBe(400);
      placed.slice(1).forEach(({ ms }, index) => expect((ms - (placed[index]?.ms ?? 0)) / perPixel).toBeGreaterThanOrEqual(2));
    }
  });
  it('do not touch: between two signs of restarts some ground is seen', () => {
    const restarts = Array.from({ length: 200 }, (_, index) => mark(index * 3, 'restart'));
    const xs = place(restarts).marks.map(({ ms }) => ms);
    expect(xs.length).toBeGreaterThan(20);
    // Each takes six pixels to both sides.
    for (const [index, x] of xs.slice(1).entries()) expect(x - (xs[index] ?? 0) - 12).toBeGreaterThan(2);
  });
  it('of a run at its planned time stand together', () => {
    expect(shown([mark(50, 'scheduled'), mark(50, 'started')])).toEqual(['50 scheduled', '50 started']);
  });
});
