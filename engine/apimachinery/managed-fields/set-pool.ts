/**
 * Equal field sets as one object. Thousands of pods of one template are owned field by field by the same managers: the pool finds the set,
 * and every subtree of it, that was stored before. Bounded: what it forgets is only no longer shared.
 *
 *   {"f:a":{},"f:b":{"f:c":{}}}: subtree {"f:c":{}} has key `3 f:c 0,`, becomes number 1; the set has key `3 f:a 0,3 f:b 1,`
 */
import { setOwn } from '../../base/dictionary.ts';
import { must } from '../../base/assert.ts';
import { flat } from '../../base/text.ts';
import { type FieldSet, isEmptySet, leaf } from './field-set.ts';

/** Pods of one template share most of their sets, and each has three of its own, which name its address. */
const setsMax = 5_000;

export class SetPool {
  /** Numbers of the sets that stand for their equals; the leaf is 0. */
  #numbers = new WeakMap<FieldSet, number>([[leaf, 0]]);
  readonly #sets = new Map<string, FieldSet>();
  #last = 0;

  /** Whether this very object stands for its equals. */
  has(set: object): boolean {
    return this.#numbers.has(set as FieldSet);
  }

  /** Never that of another set, of those that stand for their equals. */
  numberOf(set: FieldSet): number {
    return must(this.#numbers.get(set), 'the number of a pooled set');
  }

  /** The one object for everything equal to `set`. */
  share(set: FieldSet): FieldSet {
    if (this.#numbers.has(set)) return set;
    if (isEmptySet(set)) return leaf;
    const parts: string[] = [];
    let isOwn = true;
    const shared: { [element: string]: FieldSet } = {};
    for (const element in set) {
      const child = set[element] as FieldSet;
      const one = this.share(child);
      if (one !== child) isOwn = false;
      setOwn(shared, element, one);
      // The length keeps apart what a user's key could imitate.
      parts.push(`${element.length} ${element} ${this.#numbers.get(one)},`);
    }
    const key = flat(parts);
    const known = this.#sets.get(key);
    if (known !== undefined) return known;
    if (this.#sets.size >= setsMax) this.#forget();
    const first = isOwn ? set : shared;
    this.#numbers.set(first, ++this.#last);
    this.#sets.set(key, first);
    return first;
  }

  /** Numbers are never used twice, so what is known under an old one is found no more. */
  #forget(): void {
    this.#sets.clear();
    this.#numbers = new WeakMap([[leaf, 0]]);
  }
}
