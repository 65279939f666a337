import { describe, expect, test } from 'vitest';
import { groupRows, type RowGrouping } from './row-groups.ts';
import type { Row } from './row.ts';
import { RowIndex } from './row-index/row-index.ts';

const row = (id: string, owner = '', node = ''): Row =>
  ({ id, kind: id.slice(0, id.indexOf('/')), namespace: 'default', name: id, owner, node, marks: [], segments: [], area: [] }) as unknown as Row;
const rows = [
  row('deployments/web'),
  row('replicasets/web-1', 'deployments/web'),
  row('pods/a', 'replicasets/web-1', 'node-10'),
  row('pods/b', 'replicasets/web-1', 'node-2'),
  row('pods/c', 'replicasets/gone', 'node-2'),
];
const index = new RowIndex({
  isBehind: false,
  rows: () => rows,
  catchUp: () => {},
  find: () => undefined,
  stored: () => undefined,
  follow: () => () => {},
}).refresh();
/** Their slots are in their order. */
const slots = Int32Array.from(rows.keys());
const grouped = (by: RowGrouping, ...collapsed: string[]) => groupRows(index, slots, by, new Set(collapsed));
const shown = (by: RowGrouping, ...collapsed: string[]) => Array.from(grouped(by, ...collapsed).slots, (slot) => rows[slot]?.id);

describe('groups of rows', () => {
  test.each<[string, RowGrouping, string[], string[]]>([
    ['by owner nothing is moved', 'owner', [], rows.map(({ id }) => id)],
    ['what a collapsed owner owns is left out, at every depth', 'owner', ['deployments/web'], ['deployments/web', 'pods/c']],
    ['all are collapsed but one', 'owner', ['*', 'deployments/web'], ['deployments/web', 'replicasets/web-1', 'pods/c']],
    [
      'nodes are in order of their numbers, what is on none is last',
      'node',
      [],
      ['pods/b', 'pods/c', 'pods/a', 'deployments/web', 'replicasets/web-1'],
    ],
    ['a collapsed node', 'node', ['node-2', ''], ['pods/a']],
    ['kinds', 'kind', ['*', 'pods'], ['pods/a', 'pods/b', 'pods/c']],
  ])('%s', (_name, by, collapsed, expected) => expect(shown(by, ...collapsed)).toEqual(expected));

  test('tell how many rows they have, collapsed or not', () => {
    expect(grouped('owner', '*').groups).toEqual([
      { key: 'deployments/web', count: 1 },
      { key: 'replicasets/web-1', count: 2 },
    ]);
    expect(grouped('node', 'node-2').groups).toEqual([
      { key: 'node-2', count: 2 },
      { key: 'node-10', count: 1 },
      { key: '', count: 2 },
    ]);
  });
});
