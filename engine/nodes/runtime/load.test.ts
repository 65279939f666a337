import { describe, expect, it } from 'vitest';
import { areaUpTo, clipped, firstAbove, valueAt, type Curve } from './load.ts';
import { loadOfArguments } from './stress-load.ts';

const ramp: Curve = {
  points: [
    { atMs: 1_000, value: 10 },
    { atMs: 3_000, value: 30 },
  ],
};
const wave: Curve = {
  points: [
    { atMs: 0, value: 0 },
    { atMs: 500, value: 100 },
    { atMs: 1_000, value: 0 },
  ],
  periodMs: 1_000,
};

describe('load curves', () => {
  it.each([
    [ramp, 0, 10, 0],
    [ramp, 1_000, 10, 10_000],
    [ramp, 2_000, 20, 25_000],
    [ramp, 5_000, 30, 110_000],
    [wave, 250, 50, 6_250],
    [wave, 1_250, 50, 56_250],
    [wave, 1_000_000, 0, 50_000_000],
  ])('value and area of %j after %d ms', (curve, ms, value, area) => {
    expect(valueAt(curve, ms)).toBeCloseTo(value, 9);
    expect(areaUpTo(curve, ms)).toBeCloseTo(area, 6);
  });

  it('tells when a limit is passed, if ever', () => {
    expect(firstAbove(ramp, 5)).toBe(0);
    expect(firstAbove(ramp, 20)).toBe(2_000);
    expect(firstAbove(ramp, 30)).toBeUndefined();
    expect(firstAbove(wave, 50)).toBe(250);
  });

  it('is held down to a limit exactly, also between points', () => {
    const held = clipped(wave, 50);
    expect(valueAt(held, 400)).toBe(50);
    expect(areaUpTo(held, 1_000)).toBeCloseTo(50 * 500 + 2 * ((250 * 50) / 2), 6);
  });

  it('steps where two points share an instant', () => {
    const step: Curve = {
      points: [
        { atMs: 0, value: 1 },
        { atMs: 100, value: 1 },
        { atMs: 100, value: 9 },
      ],
    };
    expect([valueAt(step, 99), valueAt(step, 100), firstAbove(step, 5)]).toEqual([1, 9, 100]);
    expect(areaUpTo(step, 200)).toBe(100 + 900);
  });

  it('is read from the arguments of load generators', () => {
    expect(loadOfArguments(['--vm', '1', '--vm-bytes', '150M', '--vm-hang', '1']).memoryBytes?.at(-1)?.value).toBe(151 * 1024 ** 2);
    expect(loadOfArguments(['-cpus', '2']).milliCpu).toEqual([{ atMs: 0, value: 2_000 }]);
    expect(loadOfArguments(['-mem-total', '150Mi', '-mem-alloc-size', '10Mi', '-mem-alloc-sleep', '1s']).memoryBytes?.at(-1)).toEqual({
      atMs: 15_000,
      value: 151 * 1024 ** 2,
    });
    expect(loadOfArguments(['--cpu', 'much', '--vm-bytes'])).toMatchObject({ processes: 1 });
  });
});
