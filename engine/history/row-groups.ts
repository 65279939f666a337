/** Rows put together by owner, node, namespace or kind, in a stable order, with collapsed groups left out. Owners keep the tree. */
import type { TimelineGroup } from '../api/sim/v1alpha1/timeline.ts';
import type { Row } from './row.ts';

export type RowGrouping = 'owner' | 'node' | 'namespace' | 'kind' | 'none';
export interface GroupedRows {
  readonly rows: readonly Row[];
  readonly groups: readonly TimelineGroup[];
}

const keyOf: Readonly<Record<Exclude<RowGrouping, 'owner' | 'none'>, (row: Row) => string>> = {
  node: (row) => (row.kind === 'Node' ? row.name : row.node),
  namespace: (row) => row.namespace,
  kind: (row) => row.kind,
};

export function isRowGrouping(text: string): text is RowGrouping {
  return text === 'owner' || text === 'none' || Object.hasOwn(keyOf, text);
}

export function groupRows(rows: readonly Row[], by: RowGrouping, collapsed: ReadonlySet<string>): GroupedRows {
  if (by === 'none') return { rows, groups: [] };
  if (by === 'owner') return groupByOwner(rows, collapsed);
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = keyOf[by](row);
    const list = groups.get(key);
    if (list === undefined) groups.set(key, [row]);
    else list.push(row);
  }
  const ordered = [...groups].sort(([a], [b]) => compareKeys(a, b));
  return {
    rows: ordered.flatMap(([key, list]) => (isCollapsed(collapsed, key) ? [] : list)),
    groups: ordered.map(([key, list]) => ({ key, count: list.length })),
  };
}

/** `*` turns the others into exceptions, so that a request that collapses thousands is short. */
function isCollapsed(collapsed: ReadonlySet<string>, key: string): boolean {
  return collapsed.has('*') !== collapsed.has(key);
}

/** Rows come in tree order, so an owner has been seen before what it owns, and what one owns stands together. */
function groupByOwner(rows: readonly Row[], collapsed: ReadonlySet<string>): GroupedRows {
  const present = presentOwners(rows);
  const counts = new Map<string, number>();
  const hidden = new Set<string>();
  const shown: Row[] = [];
  // Of a hundred thousand rows most have the owner of the row before: that is not looked up again.
  let [owner, isPresent, isHidden, count] = ['', false, false, 0];
  const settle = (): void => {
    if (count > 0) counts.set(owner, (counts.get(owner) ?? 0) + count);
    count = 0;
  };
  for (const row of rows) {
    if (row.owner !== owner) {
      settle();
      owner = row.owner;
      isPresent = owner !== '' && present.has(owner);
      isHidden = isPresent && (hidden.has(owner) || isCollapsed(collapsed, owner));
    }
    const owned = isPresent && owner !== row.id;
    if (owned) count++;
    if (owned && isHidden) hidden.add(row.id);
    else shown.push(row);
  }
  settle();
  return { rows: shown, groups: [...counts].map(([key, all]) => ({ key, count: all })) };
}

/** Of the rows those that own others among them; only few of many do. */
function presentOwners(rows: readonly Row[]): ReadonlySet<string> {
  const owners = new Set<string>();
  let last = '';
  for (const { owner } of rows) {
    if (owner !== last) owners.add(owner);
    last = owner;
  }
  const present = new Set<string>();
  for (const { id } of rows) if (owners.has(id)) present.add(id);
  return present;
}

/** `node-2` before `node-10`; what has no key comes last. */
function compareKeys(a: string, b: string): number {
  if (a === '' || b === '') return b.length - a.length;
  const [stemA, stemB] = [a.replace(/\d+$/, ''), b.replace(/\d+$/, '')];
  if (stemA === stemB && a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}
