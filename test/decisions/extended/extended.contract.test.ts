/** What became of drawn pods with extended resources, for which devices may stand, before the real scheduler (1.36.3), and before ours. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { ExtendedFacts } from './draw.ts';
import { replayExtended } from './replay.ts';

const facts = JSON.parse(readFileSync(new URL('facts.json', import.meta.url), 'utf8')) as readonly ExtendedFacts[];

test('the facts tell of claims that were made, of nodes that have the resource themselves, and of pods that wait', () => {
  const all = facts.flatMap((one) => one.facts);
  expect(all.filter(({ devices }) => devices !== undefined).length).toBeGreaterThan(40);
  expect(all.filter(({ node, devices }) => node !== undefined && devices === undefined).length).toBeGreaterThan(20);
  expect(all.filter(({ message }) => message?.includes('cannot allocate all claims')).length).toBeGreaterThan(20);
});

test.each(facts)('pods of seed $seed', async (fact) => {
  expect(await replayExtended(fact.seed)).toEqual(fact);
});
