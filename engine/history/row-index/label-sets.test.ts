/** Labels that come and go for ever are not kept for ever, and rows are judged rightly all the while. */
import { expect, test } from 'vitest';
import { parseSelector } from '../../apimachinery/labels.ts';
import type { Row } from '../row.ts';
import { LabelSets } from './label-sets.ts';

test('sets that are nobody’s any more are forgotten', () => {
  const slots = 3;
  let round = 0;
  let reads = 0;
  let most = 0;
  const sets = new LabelSets(({ id }) => {
    reads++;
    return { id, round: String(round) };
  });
  const rowAt = (slot: number): Row => ({ id: `r${slot}` }) as Row;
  for (; round < 10_100; round++) {
    for (let slot = 0; slot < slots; slot++) sets.forget(slot);
    const matches = sets.matching(parseSelector(`id=r1,round=${round}`), slots, rowAt);
    expect([0, 1, 2].map(matches)).toEqual([false, true, false]);
    most = Math.max(most, sets.size);
  }
  round--;
  expect(most).toBeLessThan(10_100);
  expect(reads).toBe(10_100 * slots);
  expect([0, 1, 2].map(sets.matching(parseSelector('id=r2'), slots, rowAt))).toEqual([false, false, true]);
  expect(reads).toBe(10_100 * slots);
});
