/** Each checker finds a bad example and lets a good one be: a checker that never speaks would pass everything. */
import { describe, expect, it } from 'vitest';
import type { Cluster } from '../../../engine/cluster/cluster.ts';
import { judge, put } from '../../support/worlds.ts';
import { Promises } from '../promises.ts';
import { isDue } from './cron-jobs.ts';
import { meta, pod } from './example.ts';
import { examplesOfObjects } from './examples-of-objects.ts';
import { examplesOfPods } from './examples-of-pods.ts';
import { examplesOfSets } from './examples-of-sets.ts';
import { examplesOfTime } from './examples-of-time.ts';
import { allCheckers } from './index.ts';
import { cachesAreTrue } from './informers.ts';
import { revisionsRise, watchIsGapless } from './store-checkers.ts';

const cases = [...examplesOfObjects, ...examplesOfPods, ...examplesOfSets, ...examplesOfTime];

for (const { name, checker, bad, good, restMs } of cases) {
  describe(name, () => {
    it('is found', () => expect(judge(checker(), bad, restMs)).not.toEqual([]));
    if (good !== undefined) it('is not found where it is not', () => expect(judge(checker(), good, restMs)).toEqual([]));
  });
}

it('knows a revision that was used twice', () => {
  const checker = revisionsRise();
  const change = { type: 'put', revision: 7, key: '/registry/pods/a', meta: { virtualMs: 0, identity: '', causes: [] } } as const;
  expect([1, 2].flatMap(() => checker.onChange?.(change, {} as never) ?? [])).toHaveLength(1);
});

it('knows a watch that missed something, and a cache that is stale', () => {
  const store = { range: () => ({ items: [{ key: '/registry/pods/default/a', modRevision: 3 }] }) };
  const informer = { type: { group: '', version: 'v1', resource: 'pods' }, list: () => [{ kind: 'Pod', apiVersion: 'v1', metadata: meta('a') }] };
  const cluster = { store, loop: { quiet: true }, caches: () => [{ component: 'c', informer }] } as unknown as Cluster;
  expect(judge(watchIsGapless(), [], 0, cluster)).not.toEqual([]);
  expect(judge(cachesAreTrue(), [], 0, cluster)).not.toEqual([]);
  expect(judge(cachesAreTrue(), [put('pods', { kind: 'Pod', ...pod('a'), metadata: meta('a') })], 0, cluster)).not.toEqual([]);
});

it('has a bad example for every checker of the swarm', () => {
  const shown = new Set([...cases.map(({ checker }) => checker().name), 'watch is gapless', 'caches are true']);
  expect(
    allCheckers({ promises: new Promises(), largeZone: 3 })
      .map(({ name }) => name)
      .filter((name) => !shown.has(name)),
  ).toEqual([]);
});

it.each([
  ['*/2 5 * * *', 'Asia/Kolkata', 0, true],
  ['*/2 5 * * *', 'Asia/Kolkata', 1, false],
  ['31-45 5 * * *', 'Asia/Kolkata', 15, true],
  ['31-45 5 * * *', 'Asia/Kolkata', 16, false],
  ['2,3,5 0 * * *', undefined, 3, true],
  ['2,3,5 0 * * *', undefined, 4, false],
  ['* 17 * * *', 'America/Phoenix', 30, true],
  ['* 17 * * *', 'America/Phoenix', 60, false],
])('reads the schedule %s in %s at minute %i', (schedule, timeZone, minute, due) => {
  expect(isDue({ spec: { schedule, ...(timeZone === undefined ? {} : { timeZone }) } } as never, Date.UTC(2026, 0, 1, 0, minute))).toBe(due);
});
