import { expect, test } from 'vitest';
import { prepared } from './prepared.ts';

function branchThatTakes(steps: number) {
  const asked: string[] = [];
  const prepareReading = (plural: string): boolean => {
    asked.push(plural);
    const endMs = performance.now() + 1;
    while (performance.now() < endMs);
    return asked.length > steps;
  };
  return { asked, branch: { cluster: { prepareReading }, failure: undefined } };
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
  await prepared(branch, path);
  clearImmediate(next);
  expect(new Set(asked)).toEqual(new Set([plural]));
  expect(asked).toHaveLength(31);
  expect(turns).toBeGreaterThan(2);
});

test('who reads what is ready, or something else, does not wait', () => {
  const { asked, branch } = branchThatTakes(0);
  expect(prepared(branch, timeline)).toBeUndefined();
  expect(prepared(branch, '/api/v1/pods')).toBeUndefined();
  expect(asked).toEqual(['timelines']);
});

test('a cluster that has failed is not waited for', async () => {
  const { branch } = branchThatTakes(1000);
  await prepared({ ...branch, failure: new Error('gone') }, timeline);
});
