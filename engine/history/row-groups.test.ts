import { describe, expect, test } from 'vitest';
import { groupRows, type RowGrouping } from './row-groups.ts';
import type { Row } from './row.ts';

const row = (id: string, owner = '', node = ''): Row =>
  ({ id, kind: id.slice(0, id.indexOf('/')), namespace: 'default', name: id, owner, node }) as unknown as Row;
const rows = [
  row('deployments/web'),
  row('replicasets/web-1', 'deployments/web'),
  row('pods/a', 'replicasets/web-1', 'node-10'),
  row('pods/b', 'replicasets/web-1', 'node-2'),
  row('pods/c', 'replicasets/gone', 'node-2'),
];
const shown = (by: RowGrouping, ...collapsed: string[]) => groupRows(rows, by, new Set(collapsed)).rows.map(({ id }) => id);

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
    expect(groupRows(rows, 'owner', new Set(['*'])).groups).toEqual([
      { key: 'deployments/web', count: 1 },
      { key: 'replicasets/web-1', count: 2 },
    ]);
    expect(groupRows(rows, 'node', new Set(['node-2'])).groups).toEqual([
      { key: 'node-2', count: 2 },
      { key: 'node-10', count: 1 },
      { key: '', count: 2 },
    ]);
  });
});
