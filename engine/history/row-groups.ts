/** Rows put together by owner, node, namespace or kind, in a stable order, with collapsed groups left out. Owners keep the tree. */
import type { TimelineGroup } from '../api/sim/v1alpha1/timeline.ts';
import type { RowIndex } from './row-index/row-index.ts';

export type RowGrouping = 'owner' | 'node' | 'namespace' | 'kind' | 'none';
export interface GroupedRows {
  /** Slots. */
  readonly slots: Int32Array;
  readonly groups: readonly TimelineGroup[];
}

const wordOf: Readonly<Record<Exclude<RowGrouping, 'owner' | 'none'>, (index: RowIndex, slot: number) => number>> = {
  node: (index, slot) => index.place(slot),
  namespace: (index, slot) => index.namespace(slot),
  kind: (index, slot) => index.kind(slot),
};

export function isRowGrouping(text: string): text is RowGrouping {
  return text === 'owner' || text === 'none' || Object.hasOwn(wordOf, text);
}

export function groupRows(index: RowIndex, slots: Int32Array, by: RowGrouping, collapsed: ReadonlySet<string>): GroupedRows {
  if (by === 'none') return { slots, groups: [] };
  if (by === 'owner') return groupByOwner(index, slots, collapsed);
  const lists = new Map<number, number[]>();
  for (const slot of slots) {
    const word = wordOf[by](index, slot);
    const list = lists.get(word);
    if (list === undefined) lists.set(word, [slot]);
    else list.push(slot);
  }
  const ordered = [...lists].map(([word, list]) => ({ ...keyOf(index.word(word)), list })).sort(compareKeys);
  const shown = new Int32Array(slots.length);
  let length = 0;
  for (const { key, list } of ordered) {
    if (isCollapsed(collapsed, key)) continue;
    shown.set(list, length);
    length += list.length;
  }
  return { slots: shown.subarray(0, length), groups: ordered.map(({ key, list }) => ({ key, count: list.length })) };
}

/** `*` turns the others into exceptions, so that a request that collapses thousands is short. */
function isCollapsed(collapsed: ReadonlySet<string>, key: string): boolean {
  return collapsed.has('*') !== collapsed.has(key);
}

/** Rows come in tree order, so an owner has been seen before what it owns. */
function groupByOwner(index: RowIndex, slots: Int32Array, collapsed: ReadonlySet<string>): GroupedRows {
  const { idCount } = index;
  const isPresent = new Uint8Array(idCount);
  for (const slot of slots) isPresent[index.id(slot)] = 1;
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
    const [id, by] = [index.id(slot), index.owner(slot)];
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

interface Key {
  readonly key: string;
  readonly stem: string;
}

function keyOf(key: string): Key {
  return { key, stem: key.replace(/\d+$/, '') };
}

/** `node-2` before `node-10`; what has no key comes last. */
function compareKeys(a: Key, b: Key): number {
  if (a.key === '' || b.key === '') return b.key.length - a.key.length;
  if (a.stem === b.stem && a.key.length !== b.key.length) return a.key.length - b.key.length;
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}
