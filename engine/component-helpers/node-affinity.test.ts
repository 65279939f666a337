import { expect, test } from 'vitest';
import type { Node } from '../api/core/v1/types.gen.ts';
import { matchesLabelSet, matchesNodeSelectorTerm } from './node-affinity.ts';

const inherited = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'];

const own = (key: string, value: string): Record<string, string> => Object.defineProperty({}, key, { value, enumerable: true, configurable: true });
const node = (labels?: Record<string, string>): Node => ({
  kind: 'Node',
  apiVersion: 'v1',
  metadata: { name: 'n', ...(labels === undefined ? {} : { labels }) },
});

test.each(inherited)('a label called %s is on a node only where somebody put it', (key) => {
  const verdicts = (labels?: Record<string, string>): readonly boolean[] =>
    [
      { key, operator: 'Exists' },
      { key, operator: 'DoesNotExist' },
      { key, operator: 'In', values: ['7'] },
      { key, operator: 'NotIn', values: ['7'] },
      { key, operator: 'Gt', values: ['3'] },
      { key, operator: 'Lt', values: ['9'] },
    ].map((requirement) => matchesNodeSelectorTerm({ matchExpressions: [requirement] }, node(labels)));
  for (const without of [undefined, {}, { disk: 'fast' }]) expect(verdicts(without)).toEqual([false, true, false, true, false, false]);
  expect(verdicts(own(key, '7'))).toEqual([true, false, true, false, true, true]);
  expect([matchesLabelSet(own(key, '7'), own(key, '7')), matchesLabelSet(own(key, '7'), {}), matchesLabelSet(own(key, '7'), undefined)]).toEqual([
    true,
    false,
    false,
  ]);
});
