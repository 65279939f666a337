import { expect, test } from 'vitest';
import { groupsOf } from './groups.ts';

test('nodes of a group stand in the order in which people count', () => {
  const nodes = ['node-10', 'node-2', 'node-0'];
  const attempt = { virtualMs: 0, attempt: 1, result: 'unschedulable', evaluatedNodes: 3, feasibleNodes: 0 };
  const [group] = groupsOf({ ...attempt, filtered: { TaintToleration: { 'had a taint': { count: 3, nodes } } } }, undefined);
  expect(group).toMatchObject({ verdict: 'Filtered', count: 3, nodes: ['node-0', 'node-2', 'node-10'] });
});
