import { expect, test } from 'vitest';
import type { Node } from '../api/core/v1/types.gen.ts';
import { NodeTree } from './node-tree.ts';

function node(name: string, zone = ''): Node {
  return { metadata: { name, ...(zone === '' ? {} : { labels: { 'topology.kubernetes.io/zone': zone } }) } } as unknown as Node;
}

test('zones take turns, and within a zone nodes come in the order in which they joined', () => {
  const tree = new NodeTree();
  for (const [name, zone] of ['a1 a', 'b1 b', 'a2 a', 'a3 a', 'a1 a'].map((text) => text.split(' '))) tree.add(node(name as string, zone));
  expect(tree.list()).toEqual(['a1', 'b1', 'a2', 'a3']);
  tree.remove(node('a1', 'a'));
  tree.add(node('a1', 'a'));
  expect(tree.update(node('a3', 'a'), node('a3', 'b'))).toBe(true);
  expect(tree.list()).toEqual(['a2', 'b1', 'a1', 'a3']);
  const again = new NodeTree();
  again.restore(tree.save());
  expect(again.list()).toEqual(tree.list());
});

/** The square of it would take many minutes: the time-out of the suite is the only clock. */
test('a zone of 300,000 nodes comes and goes', () => {
  const tree = new NodeTree();
  const nodes = Array.from({ length: 300_000 }, (_, index) => node(`n${index}`));
  for (const one of nodes) tree.add(one);
  expect(tree.list()).toHaveLength(nodes.length);
  for (const one of nodes.toReversed()) tree.remove(one);
  expect(tree.list()).toEqual([]);
});
