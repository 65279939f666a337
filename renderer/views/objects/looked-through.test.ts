import { expect, it } from 'vitest';
import { mayBeLookedThrough } from './looked-through.ts';

it.each([
  [undefined, true],
  [19_900, true],
  [149_900, false],
])('a hundred pods of which %s more are left are looked through for those on their way: %s', (remainingItemCount, isLookedThrough) => {
  const rows = Array.from({ length: 100 }, (_, index) => ({ cells: [], object: { metadata: { name: `p${index}` } } }));
  expect(mayBeLookedThrough({ rows, metadata: remainingItemCount === undefined ? {} : { remainingItemCount } })).toBe(isLookedThrough);
});
