import { describe, expect, it } from 'vitest';
import { Random } from '../base/random.ts';
import { bestRows, highest, tallyOf } from './totals.ts';

/** As the words say it, however long that takes. */
function plainly(totals: readonly number[], most: number): readonly number[] {
  return totals
    .map((_, row) => row)
    .sort((a, b) => (totals[b] as number) - (totals[a] as number) || a - b)
    .slice(0, most);
}

describe('the best of the totals', () => {
  const random = new Random(7).stream('totals');
  for (const [nodes, different] of [
    [1, 1],
    [3, 2],
    [50, 1],
    [51, 1],
    [60, 3],
    [500, 2],
    [500, 40],
    [500, 100_000],
    [33, 33],
  ] as const)
    it(`are those of a sort, for ${nodes} nodes with ${different} different totals`, () => {
      for (let round = 0; round < 20; round++) {
        const totals = Array.from({ length: nodes }, () => random.integer(different) - 5);
        const scores = Float64Array.from(totals);
        const tally = tallyOf(scores);
        expect(bestRows(scores, tally, 50)).toEqual(plainly(totals, 50));
        const total = Math.max(...totals);
        expect(highest(scores, tally)).toEqual({ total, ties: totals.filter((one) => one === total).length });
        expect(highest(scores, undefined)).toEqual(highest(scores, tally));
      }
    });
});
