/** A few seeds of each run; `npm run fuzz -- --living` plays more. */
import { expect, test } from 'vitest';
import { livingFuzz } from './living-fuzz.ts';

test.each([1, 2, 3])('a living cluster takes hostile objects of seed %i', async (seed) => {
  expect(await livingFuzz(seed, 60)).toEqual([]);
});
