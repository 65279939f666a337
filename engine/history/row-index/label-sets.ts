/**
 * Labels of what is stored now, by slot, as numbers: pods of a workload have the same ones, so of a hundred thousand rows a selector is asked of a few sets alone. A row's
 * object is looked for when a selector is first asked of it (or `prepare` does, in slices), and again when the row changed; who asks for no labels pays nothing.
 */
import type { LabelSet, Selector } from '../../apimachinery/labels.ts';
import type { Row } from '../row.ts';
import { IntColumn } from './columns.ts';

const [unread, absent, firstSet] = [0, 1, 2] as const;
/** So many sets may be nobody's any more before all are read anew. */
const staleMax = 10_000;
/** So many rows may have changed before they are read in slices again. */
const changedMax = 2_000;

export class LabelSets {
  readonly #labelsOf: (row: Row) => LabelSet | undefined;
  #setOf = new IntColumn();
  readonly #numbers = new Map<string, number>();
  #sets: LabelSet[] = [];
  /** Most rows have the labels of the row before: to compare them costs a third of writing them down. */
  #last = unread as number;
  /** Slots below have been read once, and so many of them changed since. */
  #prepared = 0;
  #changed = 0;

  /** `labelsOf` is undefined for what is not stored any more. */
  constructor(labelsOf: (row: Row) => LabelSet | undefined) {
    this.#labelsOf = labelsOf;
  }

  /** True of no row that is not stored. May be asked until rows change; `slots`: how many rows there are. */
  matching(selector: Selector, slots: number, rowAt: (slot: number) => Row): (slot: number) => boolean {
    if (this.#sets.length > slots + staleMax) this.#forgetAll();
    const [unjudged, isNot, is] = [0, 1, 2];
    let verdicts = new Uint8Array(this.#sets.length + firstSet);
    verdicts[absent] = isNot;
    return (slot) => {
      let set = this.#setOf.get(slot);
      if (set === unread) this.#setOf.set(slot, (set = this.#read(rowAt(slot))));
      if (set >= verdicts.length) {
        const grown = new Uint8Array(set * 2);
        grown.set(verdicts);
        verdicts = grown;
      }
      if (verdicts[set] === unjudged) verdicts[set] = selector.matches(this.#sets[set - firstSet]) ? is : isNot;
      return verdicts[set] === is;
    };
  }

  /** Reads so many rows that were not read yet; tells whether none is left. `rowAt` is undefined of slots that are nobody's. */
  prepare(most: number, slots: number, rowAt: (slot: number) => Row | undefined): boolean {
    const end = Math.min(slots, this.#prepared + most);
    for (let slot = this.#prepared; slot < end; slot++) {
      const row = rowAt(slot);
      if (row !== undefined && this.#setOf.get(slot) === unread) this.#setOf.set(slot, this.#read(row));
    }
    this.#prepared = end;
    return end === slots;
  }

  /** How many sets are kept. */
  get size(): number {
    return this.#sets.length;
  }

  /** The row in a slot is another, or changed. */
  forget(slot: number): void {
    if (this.#setOf.get(slot) === unread) return;
    this.#setOf.set(slot, unread);
    if (slot >= this.#prepared || ++this.#changed <= changedMax) return;
    this.#prepared = 0;
    this.#changed = 0;
  }

  #forgetAll(): void {
    this.#setOf = new IntColumn();
    this.#numbers.clear();
    this.#sets = [];
    this.#last = unread;
    this.#prepared = 0;
    this.#changed = 0;
  }

  #read(row: Row): number {
    const labels = this.#labelsOf(row);
    if (labels === undefined) return absent;
    if (this.#last >= firstSet && areSame(labels, this.#sets[this.#last - firstSet] as LabelSet)) return this.#last;
    const key = JSON.stringify(labels);
    let number = this.#numbers.get(key);
    if (number === undefined) {
      this.#numbers.set(key, (number = this.#sets.length + firstSet));
      this.#sets.push(labels);
    }
    return (this.#last = number);
  }
}

function areSame(labels: LabelSet, others: LabelSet): boolean {
  let count = 0;
  for (const key in others) {
    if (labels[key] !== others[key]) return false;
    count++;
  }
  for (const _key in labels) count--;
  return count === 0;
}
