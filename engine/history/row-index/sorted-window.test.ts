import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sortedWindow } from './sorted-window.ts';

describe('a window of what is sorted', () => {
  test('is what sorting all of it has there, however many are alike', () => {
    const weighed = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 600 });
    fc.assert(
      fc.property(weighed, fc.nat(620), fc.nat(620), (weights, from, length) => {
        const compare = (a: number, b: number): number => (weights[b] as number) - (weights[a] as number) || a - b;
        const items = Int32Array.from(weights.keys());
        const sorted = [...items].sort(compare);
        expect([...sortedWindow(items, compare, from, from + length)]).toEqual(sorted.slice(from, from + length));
      }),
    );
  });

  test('is so too of thousands, where its end is near', () => {
    const weighed = fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1_000, maxLength: 3_000, size: 'max' });
    fc.assert(
      fc.property(weighed, fc.nat(20), fc.nat(60), (weights, from, length) => {
        const compare = (a: number, b: number): number => (weights[b] as number) - (weights[a] as number) || a - b;
        const items = Int32Array.from(weights.keys());
        const sorted = [...items].sort(compare);
        expect([...sortedWindow(items, compare, from, from + length)]).toEqual(sorted.slice(from, from + length));
        const weighedBy = Float64Array.from(weights);
        expect([...sortedWindow(items, compare, from, from + length, weighedBy)]).toEqual(sorted.slice(from, from + length));
        expect([...sortedWindow(items, compare, from, from + length, weighedBy, true)]).toEqual(sorted.slice(from, from + length));
      }),
      { numRuns: 30 },
    );
  });
});
