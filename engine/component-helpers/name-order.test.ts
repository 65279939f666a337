import { expect, test } from 'vitest';
import { compareNames } from './name-order.ts';

const sorted: readonly (readonly string[])[] = [
  ['node-1', 'node-2', 'node-10', 'node-100'],
  ['pool-2-node-1', 'pool-2-node-10', 'pool-10-node-2'],
  ['ip-10-0-2-9', 'ip-10-0-10-1'],
  ['web', 'web-0', 'web-1', 'web-11', 'web2', 'web10'],
  ['a-01', 'a-1', 'a-02', 'a-2'],
  // Suffixes that are drawn are no numbers: as kubectl lists them.
  ['web-10bcd', 'web-2fghj', 'web-x1z'],
  ['x-9', 'x-10', 'x-1a'],
  ['', '1', 'a'],
];

test.each(sorted.map((names) => [names] as const))('%s', (names) => {
  expect(names.toReversed().sort(compareNames)).toEqual(names);
  expect(names.toSorted(compareNames)).toEqual(names);
});

test('no three names stand in a circle, whatever they are made of', () => {
  const parts = ['', '1', '2', '10', '01', '0', 'a', '-', '.', '1a', 'A', '~'];
  const names = parts.flatMap((a) => parts.flatMap((b) => parts.map((c) => `x${a}${b}${c}`)));
  const ordered = [...new Set(names)].sort(compareNames);
  for (let first = 0; first < ordered.length; first++)
    for (let second = 0; second < ordered.length; second++)
      if (Math.sign(compareNames(ordered[first] as string, ordered[second] as string)) !== Math.sign(first - second))
        expect.fail(`${ordered[first]} and ${ordered[second]}`);
});
