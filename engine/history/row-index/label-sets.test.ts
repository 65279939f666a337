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

test('rows are read beforehand a few at a time, and after many changes again', () => {
  const slots = 5_000;
  let reads = 0;
  let round = 0;
  const sets = new LabelSets(({ id }) => {
    reads++;
    return { app: `${Number(id) % 7}`, round: String(round) };
  });
  const rowAt = (slot: number): Row | undefined => (slot === 3 ? undefined : ({ id: String(slot) } as Row));
  const prepareAll = (): number => {
    let steps = 1;
    while (!sets.prepare(500, slots, rowAt)) steps++;
    return steps;
  };
  expect(prepareAll()).toBe(10);
  expect(reads).toBe(slots - 1);
  const found = (): number => {
    const matches = sets.matching(parseSelector(`app=1,round=${round}`), slots, (slot) => rowAt(slot) as Row);
    return Array.from({ length: slots }, (_, slot) => slot).filter((slot) => slot !== 3 && matches(slot)).length;
  };
  expect(found()).toBe(715);
  expect(reads).toBe(slots - 1);
  // A few that changed are read where they are asked for.
  for (let slot = 10; slot < 20; slot++) sets.forget(slot);
  expect(prepareAll()).toBe(1);
  expect(found()).toBe(715);
  expect(reads).toBe(slots - 1 + 10);
  round = 1;
  for (let slot = 0; slot < slots; slot++) sets.forget(slot);
  expect(prepareAll()).toBe(10);
  const before = reads;
  expect(found()).toBe(715);
  expect(reads).toBe(before);
});
