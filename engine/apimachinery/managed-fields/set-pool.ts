/**
 * Equal field sets as one object. Thousands of pods of one template are owned field by field by the same managers: the pool finds the set,
 * and every subtree of it, that was stored before. Bounded: what it forgets is only no longer shared.
 *
 *   {"f:a":{},"f:b":{"f:c":{}}}: subtree {"f:c":{}} has key `3 f:c 0,`, becomes number 1; the set has key `3 f:a 0,3 f:b 1,`
 */
import { setOwn } from '../../base/dictionary.ts';
import { must } from '../../base/assert.ts';
import { flat } from '../../base/text.ts';
import { difference, type FieldSet, isEmptySet, leaf, union } from './field-set.ts';
import { fieldAt } from '../../base/plain.ts';

/** Pods of one template share most of their sets, and each has three of its own, which name its address. */
const setsMax = 5_000;
const keysLengthMax = 4_000_000;
/** What is remembered of two sets has a key of both numbers. */
const numberMax = 2 ** 26;
const resultsMax = 3_000;

export class SetPool {
  /** Numbers of the sets that stand for their equals; the leaf is 0. */
  readonly #numbers = new WeakMap<FieldSet, number>([[leaf, 0]]);
  readonly #sets = new Map<string, FieldSet>();
  readonly #unions = new Map<number, FieldSet>();
  readonly #differences = new Map<number, FieldSet>();
  readonly #wholeDifferences = new Map<number, FieldSet>();
  #keysLength = 0;
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
      const child = fieldAt(set, element) as FieldSet;
      const one = this.share(child);
      if (one !== child) isOwn = false;
      setOwn(shared, element, one);
      // The length keeps apart what a user's key could imitate.
      parts.push(`${element.length} ${element} ${this.#numbers.get(one)},`);
    }
    const key = flat(parts);
    const known = this.#sets.get(key);
    if (known !== undefined) return known;
    this.#keysLength += key.length;
    if (this.#sets.size >= setsMax || this.#keysLength > keysLengthMax) this.#forget(key);
    const first = isOwn ? set : shared;
    this.#numbers.set(first, ++this.#last);
    this.#sets.set(key, first);
    return first;
  }

  /** As the function of that name, over sets that stand for their equals: who met the two before has the answer. */
  union(a: FieldSet, b: FieldSet): FieldSet {
    const key = this.#keyOf(a, b);
    return this.#unions.get(key) ?? this.#remember(this.#unions, key, union(a, b));
  }

  difference(a: FieldSet, b: FieldSet): FieldSet {
    const key = this.#keyOf(a, b);
    return this.#differences.get(key) ?? this.#remember(this.#differences, key, difference(a, b));
  }

  /** With all that lies below the members of `b`. */
  wholeDifference(a: FieldSet, b: FieldSet): FieldSet {
    const key = this.#keyOf(a, b);
    return this.#wholeDifferences.get(key) ?? this.#remember(this.#wholeDifferences, key, difference(a, b, true));
  }

  /** -1 for sets that do not stand for their equals, and once there were too many for a key. */
  #keyOf(a: FieldSet, b: FieldSet): number {
    const first = this.#numbers.get(a);
    const second = this.#numbers.get(b);
    return first === undefined || second === undefined || this.#last >= numberMax ? -1 : first * numberMax + second;
  }

  #remember(results: Map<number, FieldSet>, key: number, result: FieldSet): FieldSet {
    const shared = this.share(result);
    if (key < 0) return shared;
    if (results.size >= resultsMax) results.clear();
    results.set(key, shared);
    return shared;
  }

  /** What lives on keeps its number, and what is equal to it gets another one from here on. */
  #forget(key: string): void {
    for (const known of [this.#sets, this.#unions, this.#differences, this.#wholeDifferences]) known.clear();
    this.#keysLength = key.length;
  }
}
