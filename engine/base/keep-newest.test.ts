import { expect, test } from 'vitest';
import { keepNewest } from './keep-newest.ts';

test('as many as may be are kept, those that were asked for last', () => {
  const kept = new Map<string, number>();
  for (const [index, name] of ['a', 'b', 'c', 'a', 'd'].entries()) keepNewest(kept, name, index, 3);
  expect([...kept]).toEqual([
    ['c', 2],
    ['a', 3],
    ['d', 4],
  ]);
});
