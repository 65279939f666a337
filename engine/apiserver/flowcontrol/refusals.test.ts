import { expect, test } from 'vitest';
import { Refusals } from './refusals.ts';

/** What clients are told while so many are sent away in each second. */
function told(perSecond: readonly number[]): readonly number[] {
  const refusals = new Refusals();
  return perSecond.map((count, second) => {
    for (let i = 0; i < count; i++) refusals.add(second * 1000 + i);
    return refusals.retryAfterSeconds;
  });
}

test.each<[string, readonly number[], readonly number[]]>([
  ['one now and then', [1, 0, 1, 1, 0, 0, 1], [1, 1, 1, 1, 1, 1, 1]],
  ['a spike raises it once, when its second is over', [100, 1, 1, 1], [1, 2, 2, 2]],
  ['more and more while it goes on, up to half a minute', Array.from({ length: 70 }, () => 50), raised()],
  ['it is lowered by one where almost nobody is refused', [50, 50, 50, 50, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1], [1, 2, 2, 4, 4, 4, 4, 4, 4, 3, 3, 3, 3, 2]],
])('%s', (_, perSecond, expected) => {
  expect(told(perSecond)).toEqual(expected);
});

/** Doubled when as long has passed as was told before. */
function raised(): readonly number[] {
  const seconds = [
    [1, 1],
    [2, 2],
    [4, 4],
    [8, 8],
    [16, 16],
    [32, 39],
  ] as const;
  return seconds.flatMap(([advice, length]) => Array.from({ length }, () => advice));
}
