/** What became of drawn groups of pods before the real scheduler (1.36.3, gates GenericWorkload and GangScheduling), and before ours. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { GroupFact } from './draw.ts';
import { replayGroup } from './replay.ts';

const facts = JSON.parse(readFileSync(new URL('facts.json', import.meta.url), 'utf8')) as readonly GroupFact[];

test('the facts tell of groups that came, that waited, and that made room', () => {
  const all = facts.flatMap(({ members }) => members);
  expect(all.filter((one) => one === 'bound').length).toBeGreaterThan(10);
  expect(all.filter((one) => one === 'not tried').length).toBeGreaterThan(5);
  expect(all.filter((one) => one.startsWith('promised')).length).toBeGreaterThan(3);
});

test.each(facts)('group $seed', async (fact) => {
  expect(await replayGroup(fact.seed)).toEqual(fact);
});
