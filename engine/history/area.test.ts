import { describe, expect, test } from 'vitest';
import { Random } from '../base/random.ts';
import { type Area, areaCodec, areaWithin, noArea, withStep } from './area.ts';

const level = (wished: number, ready: number) => ({ wished, ready, there: ready });

function areaOf(steps: readonly (readonly [ms: number, wished: number, ready: number])[], stepsMax = 100): Area {
  let area: Area = noArea;
  for (const [ms, wished, ready] of steps) area = withStep(area, ms, level(wished, ready), stepsMax);
  return area;
}

describe('an area', () => {
  test('has a step for each change, and the last word of an instant', () => {
    expect(
      areaOf([
        [1, 3, 0],
        [2, 3, 0],
        [5, 3, 1],
        [5, 3, 3],
      ]),
    ).toEqual([1, 3, 0, 0, 5, 3, 3, 3]);
    expect(noArea).toEqual([]);
  });

  test('shows of a range what was in force when it began and what came in it', () => {
    const area = areaOf([
      [0, 3, 3],
      [10, 3, 2],
      [20, 3, 3],
      [30, 3, 1],
    ]);
    expect(areaWithin(area, 12, 25, 10)).toEqual([10, 3, 2, 2, 20, 3, 3, 3]);
    expect(areaWithin(area, 10, 15, 10)).toEqual([10, 3, 2, 2]);
    expect(areaWithin(area, 40, 50, 10)).toEqual([30, 3, 1, 1]);
    expect(areaWithin(area, -9, -5, 10)).toEqual([]);
    expect(areaWithin(noArea, 0, 10, 10)).toEqual([]);
  });

  test('of more steps than can be shown, the worst and the last of each part are', () => {
    const steps = Array.from({ length: 1_000 }, (_, ms) => [ms, 9, ms === 777 ? 0 : 8 + (ms % 2)] as const);
    const shown = areaWithin(areaOf(steps, 2_000), 0, 999, 40);
    expect(shown.length / 4).toBeLessThanOrEqual(41);
    expect(shown.slice(shown.indexOf(777), shown.indexOf(777) + 4)).toEqual([777, 9, 0, 0]);
    expect(shown.slice(-4)).toEqual([999, 9, 9, 9]);
  });

  test('of steps that nobody can tell apart the worst and the last are shown; those that stand alone, and a few, are all there', () => {
    const area = areaOf([
      [0, 9, 9],
      [1_000, 9, 9],
      ...Array.from({ length: 50 }, (_, step) => [2_000 + step, 9, step === 30 ? 0 : 8 - (step % 2)] as const),
      [5_000, 9, 9],
      [7_000, 9, 8],
    ]);
    const shown = areaWithin(area, 0, 10_000, 40);
    expect(shown.filter((_, index) => index % 4 === 0)).toEqual([0, 2_030, 2_049, 5_000, 7_000]);
    expect(shown.slice(4, 12)).toEqual([2_030, 9, 0, 0, 2_049, 9, 7, 7]);
    // Nearer, there is room for each.
    expect(areaWithin(area, 2_000, 2_050, 400).length / 4).toBe(50);
    expect(areaWithin(area.slice(0, 64), 0, 1_000_000, 400)).toEqual(area.slice(0, 64));
  });

  test.each([1, 2, 3, 4])('stays within its bound and keeps what lasted (seed %i)', (seed) => {
    const random = new Random(seed).stream('area');
    let area: Area = noArea;
    let ms = 0;
    for (let step = 0; step < 5_000; step++) {
      if (step === 1_000) ms += 100_000;
      area = withStep(area, (ms += 1 + random.integer(20)), step === 999 ? level(5, 1) : level(5, step % 5), 200);
      expect(area.length / 4).toBeLessThanOrEqual(250);
    }
    const times = area.filter((_, index) => index % 4 === 0);
    expect(times.toSorted((a, b) => a - b)).toEqual(times);
    expect(times.at(-1)).toBe(ms);
    // The long outage is still there, long after.
    const outage = times.findIndex((at, index) => (times[index + 1] ?? at) - at > 90_000);
    expect(area.slice(outage * 4 + 1, outage * 4 + 3)).toEqual([5, 1]);
  });

  test('of equally short steps every other one stays, so that a rise keeps its shape', () => {
    const area = areaOf(
      Array.from({ length: 251 }, (_, ms) => [ms, 300, ms] as const),
      200,
    );
    const ready = area.filter((_, index) => index % 4 === 2);
    expect(ready.length).toBeLessThan(250);
    ready.slice(1).forEach((value, index) => expect(value - (ready[index] as number)).toBeLessThanOrEqual(2));
  });

  test('what is not an area is refused, and what is saved is a copy', () => {
    const area = areaOf([[1, 1, 1]]);
    expect(areaCodec.encode(area)).not.toBe(area);
    expect(areaCodec.decode([1, 2, 3, 4], 'a')).toEqual([1, 2, 3, 4]);
    for (const bad of [[1, 2, 3], 'x', [1, 2, 3, '4'], undefined]) expect(() => areaCodec.decode(bad, 'a')).toThrow('a');
  });
});
