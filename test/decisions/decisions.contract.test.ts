/**
 * Decisions of the real scheduler (1.36.3) about pods of drawn clusters, kept in `facts.jsonl.gz`, and ours: feasible nodes and their
 * scores, the place among the best, texts, victims, devices. A share of the clusters; `npm run decisions` judges all.
 */
import { expect, test } from 'vitest';
import { readFacts } from './facts.ts';
import { replay } from './replay.ts';

const share = 12;
const clusters = readFacts().filter((_, i) => i % share === 0);

test('there is something to judge by', () => {
  expect(clusters.length).toBeGreaterThan(20);
});

test.each(clusters.map((facts) => [facts.seed, facts] as const))('cluster %i is decided as by the real scheduler', async (_seed, facts) => {
  expect(await replay(facts)).toEqual([]);
});
