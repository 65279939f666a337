import { expect, test } from 'vitest';
import type { Row } from '../row.ts';
import { TreeOrder, type TreeRows } from './tree-order.ts';

/** Of roots alone. */
function rowsOf(names: readonly string[]): TreeRows {
  const all = names.map((name) => ({ kind: 'Node', namespace: '', name, createdRevision: 1 }) as Row);
  return {
    creation: [...all.keys()],
    idCount: all.length + 1,
    row: (slot) => all[slot] as Row,
    id: (slot) => slot + 1,
    owner: () => 0,
    lives: () => 1,
  };
}

test('roots stand in the order in which people count, those too that come later', () => {
  const order = new TreeOrder();
  const inOrder = (names: readonly string[]) => Array.from(order.of(rowsOf(names)), (slot) => names[slot]);
  expect(inOrder(['node-10', 'node-2', 'node-1'])).toEqual(['node-1', 'node-2', 'node-10']);
  expect(inOrder(['node-10', 'node-2', 'node-1', 'node-9', 'node-11'])).toEqual(['node-1', 'node-2', 'node-9', 'node-10', 'node-11']);
});
