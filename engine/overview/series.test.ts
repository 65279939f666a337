import { describe, expect, test } from 'vitest';
import { Random } from '../base/random.ts';
import { Series } from './series.ts';

/** As `within` promises it, looked up instant by instant. */
function slow(changes: readonly number[], fromMs: number, toMs: number, parts: number): readonly number[] {
  const at = (ms: number): number => {
    let value = 0;
    for (let index = 0; index < changes.length && (changes[index] as number) <= ms; index += 2) value = changes[index + 1] as number;
    return value;
  };
  const span = toMs - fromMs;
  return Array.from({ length: parts }, (_, part) => {
    const [begin, end] = [fromMs + (span * part) / parts, fromMs + (span * (part + 1)) / parts];
    const inside = changes.flatMap((ms, index) =>
      index % 2 === 0 && ms > fromMs && ms <= toMs && ms >= begin && (ms < end || (part === parts - 1 && ms === toMs))
        ? [changes[index + 1] as number]
        : [],
    );
    return Math.max(at(begin), ...inside);
  });
}

describe('a series', () => {
  test.each(Array.from({ length: 30 }, (_, seed) => seed))('tells the largest value of each part (seed %i)', (seed) => {
    const random = new Random(seed).stream('series');
    const series = new Series();
    for (let ms = 0; ms < 400; ms += 1 + random.integer(9)) series.set(ms, random.integer(20));
    for (let tries = 0; tries < 20; tries++) {
      const fromMs = random.integer(400);
      const toMs = fromMs + 10 + random.integer(300);
      const parts = 1 + random.integer(12);
      expect(series.within(fromMs, toMs, parts)).toEqual(slow(series.changes, fromMs, toMs, parts));
    }
  });

  test('keeps what is recent, and stays within its bound', () => {
    const series = new Series();
    for (let ms = 0; ms < 100_000; ms++) series.set(ms, ms);
    expect(series.changes.length).toBeLessThanOrEqual(8_000);
    expect(series.value).toBe(99_999);
    expect(series.within(99_000, 99_999, 1)).toEqual([99_999]);
    const old = series.within(0, 50_000, 5);
    expect([...old].sort((a, b) => a - b)).toEqual(old);
  });

  test('what was the same counts once, and the last word of an instant counts', () => {
    const series = new Series();
    for (const [ms, value] of [
      [5, 1],
      [6, 1],
      [7, 2],
      [7, 3],
    ] as const)
      series.set(ms, value);
    expect(series.changes).toEqual([5, 1, 7, 3]);
  });
});
