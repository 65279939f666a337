/** Rows put together by owner, node, namespace or kind, in a stable order, with collapsed groups left out. Owners keep the tree. */
import type { TimelineGroup } from '../api/sim/v1alpha1/timeline.ts';
import { compareNames } from '../component-helpers/name-order.ts';
import type { RowColumns, RowIndex } from './row-index/row-index.ts';

export type RowGrouping = 'owner' | 'node' | 'namespace' | 'kind' | 'none';
export interface GroupedRows {
  /** Slots. */
  readonly slots: Int32Array;
  readonly groups: readonly TimelineGroup[];
}

/** Which column has the words. */
const columnOf = { node: 'place', namespace: 'namespace', kind: 'kind' } as const satisfies Readonly<
  Record<Exclude<RowGrouping, 'owner' | 'none'>, keyof RowColumns>
>;

export function isRowGrouping(text: string): text is RowGrouping {
  return text === 'owner' || text === 'none' || Object.hasOwn(columnOf, text);
}

export function groupRows(index: RowIndex, slots: Int32Array, by: RowGrouping, collapsed: ReadonlySet<string>): GroupedRows {
  if (by === 'none') return { slots, groups: [] };
  if (by === 'owner') return groupByOwner(index, slots, collapsed);
  const words = index.columns[columnOf[by]];
  const counts = new Int32Array(index.wordCount);
  for (const slot of slots) {
    const word = words[slot] as number;
    counts[word] = (counts[word] as number) + 1;
  }
  const ordered = [...counts.keys()].filter((word) => counts[word] !== 0).map((word) => ({ key: index.word(word), word }));
  ordered.sort(compareKeys);
  // Where the next row of a word comes to stand; those of what is collapsed stand nowhere.
  const places = new Int32Array(counts.length).fill(-1);
  let length = 0;
  for (const { key, word } of ordered) {
    if (isCollapsed(collapsed, key)) continue;
    places[word] = length;
    length += counts[word] as number;
  }
  const shown = new Int32Array(length);
  for (const slot of slots) {
    const word = words[slot] as number;
    const place = places[word] as number;
    if (place < 0) continue;
    shown[place] = slot;
    places[word] = place + 1;
  }
  return { slots: shown, groups: ordered.map(({ key, word }) => ({ key, count: counts[word] as number })) };
}

/** `*` turns the others into exceptions, so that a request that collapses thousands is short. */
function isCollapsed(collapsed: ReadonlySet<string>, key: string): boolean {
  return collapsed.has('*') !== collapsed.has(key);
}

/** Rows come in tree order, so an owner has been seen before what it owns. */
function groupByOwner(index: RowIndex, slots: Int32Array, collapsed: ReadonlySet<string>): GroupedRows {
  const { idCount } = index;
  const { id: ids, owner: owners } = index.columns;
  const isPresent = new Uint8Array(idCount);
  for (const slot of slots) isPresent[ids[slot] as number] = 1;
  const counts = new Map<number, number>();
  const isHidden = new Uint8Array(idCount);
  const shown = new Int32Array(slots.length);
  let length = 0;
  // Of a hundred thousand rows most have the owner of the row before: that is not looked up again.
  let [owner, hides, count] = [0, false, 0];
  const settle = (): void => {
    if (count > 0) counts.set(owner, (counts.get(owner) ?? 0) + count);
    count = 0;
  };
  for (const slot of slots) {
    const [id, by] = [ids[slot] as number, owners[slot] as number];
    if (by === 0 || by === id || isPresent[by] === 0) {
      shown[length++] = slot;
      continue;
    }
    if (by !== owner) {
      settle();
      owner = by;
      hides = isHidden[by] === 1 || isCollapsed(collapsed, index.idText(by));
    }
    count++;
    if (hides) isHidden[id] = 1;
    else shown[length++] = slot;
  }
  settle();
  return { slots: shown.subarray(0, length), groups: [...counts].map(([by, all]) => ({ key: index.idText(by), count: all })) };
}

/** What has no key comes last. */
function compareKeys(a: { readonly key: string }, b: { readonly key: string }): number {
  if (a.key === '' || b.key === '') return b.key.length - a.key.length;
  return compareNames(a.key, b.key);
}
