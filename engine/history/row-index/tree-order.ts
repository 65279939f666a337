/**
 * Rows in tree order: owners before what they own, roots by namespace, kind and name, what one owns by age. When rows come or go, only the roots
 * that are new are compared with others; the rest is put together from numbers.
 */
import { compareNames } from '../../component-helpers/name-order.ts';
import type { Row } from '../row.ts';

/** What is known of rows by slot. */
export interface TreeRows {
  /** Slots in the order of creation. */
  readonly creation: readonly number[];
  readonly idCount: number;
  row(slot: number): Row;
  id(slot: number): number;
  owner(slot: number): number;
  /** How many rows have this id. */
  lives(id: number): number;
}

export class TreeOrder {
  /** In their order, as of the last time. */
  #roots: readonly number[] = [];

  of(rows: TreeRows): Int32Array {
    const { creation } = rows;
    const isRoot = (slot: number): boolean => {
      const owner = rows.owner(slot);
      return owner === 0 || owner === rows.id(slot) || rows.lives(owner) === 0;
    };
    this.#roots = this.#sortRoots(creation.filter(isRoot), rows);
    return new Walk(rows, isRoot).from(this.#roots);
  }

  #sortRoots(roots: readonly number[], rows: TreeRows): readonly number[] {
    const now = new Set(roots);
    const kept = this.#roots.filter((slot) => now.has(slot));
    for (const slot of kept) now.delete(slot);
    return merge(kept, sortRoots([...now], rows), (a, b) => compareRoots(rows.row(a), rows.row(b)));
  }
}

class Walk {
  readonly #rows: TreeRows;
  /** Where the children of an id begin among all children; they are by age. */
  readonly #starts: Int32Array;
  readonly #children: Int32Array;
  readonly #isTaken: Uint8Array;
  readonly #order: Int32Array;
  #length = 0;

  constructor(rows: TreeRows, isRoot: (slot: number) => boolean) {
    const { creation, idCount } = rows;
    this.#rows = rows;
    this.#starts = new Int32Array(idCount + 1);
    this.#isTaken = new Uint8Array(idCount);
    this.#order = new Int32Array(creation.length);
    const starts = this.#starts;
    let childCount = 0;
    for (const slot of creation) {
      if (isRoot(slot)) continue;
      starts[rows.owner(slot) + 1] = (starts[rows.owner(slot) + 1] as number) + 1;
      childCount++;
    }
    for (let id = 0; id < idCount; id++) starts[id + 1] = (starts[id + 1] as number) + (starts[id] as number);
    this.#children = new Int32Array(childCount);
    const next = starts.slice();
    for (const slot of creation) {
      if (isRoot(slot)) continue;
      const at = next[rows.owner(slot)] as number;
      this.#children[at] = slot;
      next[rows.owner(slot)] = at + 1;
    }
  }

  from(roots: readonly number[]): Int32Array {
    for (const root of roots) this.#visit(root);
    // Owners in a circle have no root.
    if (this.#length < this.#order.length) for (const slot of this.#children) this.#addCircle(this.#rows.owner(slot));
    return this.#order;
  }

  /** Several lives of an owner share what they own: it follows the first of them. */
  #visit(root: number): void {
    const stack = [root];
    for (let slot = stack.pop(); slot !== undefined; slot = stack.pop()) {
      this.#order[this.#length++] = slot;
      const id = this.#rows.id(slot);
      if (this.#isTaken[id] === 1) continue;
      this.#isTaken[id] = 1;
      for (let at = (this.#starts[id + 1] as number) - 1; at >= (this.#starts[id] as number); at--) stack.push(this.#children[at] as number);
    }
  }

  #addCircle(id: number): void {
    if (this.#isTaken[id] === 1) return;
    this.#isTaken[id] = 1;
    for (let at = this.#starts[id] as number; at < (this.#starts[id + 1] as number); at++) this.#order[this.#length++] = this.#children[at] as number;
  }
}

/** Those of one namespace and kind are compared by their names alone. */
function sortRoots(slots: readonly number[], rows: TreeRows): readonly number[] {
  const groups = new Map<string, Map<string, number[]>>();
  for (const slot of slots) {
    const { namespace, kind } = rows.row(slot);
    let kinds = groups.get(namespace);
    if (kinds === undefined) groups.set(namespace, (kinds = new Map<string, number[]>()));
    const group = kinds.get(kind);
    if (group === undefined) kinds.set(kind, [slot]);
    else group.push(slot);
  }
  const byText = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => compareNames(a, b);
  const byName = (a: number, b: number): number => compareLives(rows.row(a), rows.row(b));
  const kindsInOrder = [...groups].sort(byText).flatMap(([, kinds]) => [...kinds].sort(byText));
  return kindsInOrder.flatMap(([, group]) => group.sort(byName));
}

/** Of two that are sorted, the second short. */
function merge(long: readonly number[], short: readonly number[], compare: (a: number, b: number) => number): readonly number[] {
  if (long.length === 0) return short;
  const merged: number[] = [];
  let taken = 0;
  for (const one of short) {
    let [low, high] = [taken, long.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(long[middle] as number, one) < 0) low = middle + 1;
      else high = middle;
    }
    for (; taken < low; taken++) merged.push(long[taken] as number);
    merged.push(one);
  }
  for (; taken < long.length; taken++) merged.push(long[taken] as number);
  return merged;
}

function compareRoots(a: Row, b: Row): number {
  return compareNames(a.namespace, b.namespace) || compareNames(a.kind, b.kind) || compareLives(a, b);
}

function compareLives(a: Row, b: Row): number {
  return compareNames(a.name, b.name) || a.createdRevision - b.createdRevision;
}
