import { expect, test } from 'vitest';
import { prepareAhead, prepared } from './prepared.ts';

function branchThatTakes(steps: number) {
  const asked: string[] = [];
  const queries: object[] = [];
  const prepareReading = (plural: string, _most: number, query: object): boolean => {
    asked.push(plural);
    queries.push(query);
    const endMs = performance.now() + 1;
    while (performance.now() < endMs);
    return asked.length > steps;
  };
  return { asked, queries, branch: { cluster: { prepareReading }, failure: undefined } };
}

const timeline = '/apis/sim.wavetank.dev/v1alpha1/timelines/main';

test.each([
  ['timelines', timeline],
  ['timelines', `/branches/run-1${timeline}`],
  ['differences', '/apis/sim.wavetank.dev/v1alpha1/namespaces/default/differences'],
])('%s are read when they stand ready, and others have their turns meanwhile: %s', async (plural, path) => {
  const { asked, branch } = branchThatTakes(30);
  let turns = 0;
  const count = (): void => {
    turns++;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  await prepared(branch, path, '');
  clearImmediate(next);
  expect(new Set(asked)).toEqual(new Set([plural]));
  expect(asked).toHaveLength(31);
  expect(turns).toBeGreaterThan(2);
});

test('who reads what is ready, or something else, does not wait', () => {
  const { asked, branch } = branchThatTakes(0);
  expect(prepared(branch, timeline, '')).toBeUndefined();
  expect(prepared(branch, '/api/v1/pods', '')).toBeUndefined();
  expect(asked).toEqual(['timelines']);
});

test('a cluster that has failed is not waited for', async () => {
  const { branch } = branchThatTakes(1000);
  await prepared({ ...branch, failure: new Error('gone') }, timeline, '');
});

test('what a reading has to do may hang on what is asked for', () => {
  const { queries, branch } = branchThatTakes(0);
  expect(prepared(branch, timeline, 'label=app%3Dweb&offset=0')).toBeUndefined();
  expect(queries).toEqual([{ label: 'app=web', offset: '0' }]);
});

test('what a page will come to is made ready a slice at a time, one resource after the other', () => {
  const left = new Map([
    ['timelines', 2],
    ['differences', 0],
    ['clustermaps', 200],
  ]);
  const asked: string[] = [];
  const prepareReading = (plural: string): boolean => {
    asked.push(plural);
    const endMs = performance.now() + 1;
    while (performance.now() < endMs);
    const steps = left.get(plural) ?? 0;
    left.set(plural, Math.max(0, steps - 1));
    return steps === 0;
  };
  const branch = { cluster: { prepareReading }, failure: undefined };
  prepareAhead(branch);
  // However slow the machine is, not all of it at once.
  expect(asked.length).toBeLessThan(100);
  for (let beat = 0; beat < 250 && left.get('clustermaps') !== 0; beat++) prepareAhead(branch);
  expect([...new Set(asked)]).toEqual(['timelines', 'differences', 'clustermaps']);
  expect([...left.values()]).toEqual([0, 0, 0]);
  prepareAhead({ ...branch, failure: new Error('gone') });
});
