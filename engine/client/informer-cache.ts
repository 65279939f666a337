/** The cache behind an informer: objects by key, listed in key order, with indexes that are kept up to date by each change. */
import { assert } from '../base/assert.ts';
import { must } from '../base/assert.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { SharedTexts } from '../base/shared-values.ts';
import { SortedLater } from '../base/sorted-later.ts';
import type { IndexOptions, Tally } from './informer.ts';

/** An entry is shared between the cache and its indexes; an update touches the entry only. */
interface Entry<T> {
  readonly key: string;
  object: T;
}

interface Index<T> {
  readonly ignoresStatus: boolean;
  readonly values: (object: T) => readonly string[];
  readonly buckets: Map<string, SortedLater<Entry<T>>>;
}

const namespaceIndex = 'namespace';

export class InformerCache<T extends KubeObject> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #indexes = new Map<string, Index<T>>();
  readonly #sorted = new SortedLater<Entry<T>>();
  readonly #tallies: Tally<T>[] = [];

  /** Caches that hold the same objects may share the texts of their keys. */
  readonly #keys: SharedTexts | undefined;

  constructor(keys?: SharedTexts) {
    this.#keys = keys;
    this.addIndex(namespaceIndex, (object) => (object.metadata.namespace ? [object.metadata.namespace] : []), { ignoresStatus: true });
  }

  get(key: string): T | undefined {
    return this.#entries.get(key)?.object;
  }

  list(namespace?: string): readonly T[] {
    if (namespace !== undefined) return this.byIndex(namespaceIndex, namespace);
    return objectsOf(this.#sorted);
  }

  byIndex(name: string, value: string): readonly T[] {
    const bucket = must(this.#indexes.get(name), `index ${name}`).buckets.get(value);
    return bucket === undefined ? [] : objectsOf(bucket);
  }

  indexValues(name: string): readonly string[] {
    return [...must(this.#indexes.get(name), `index ${name}`).buckets.keys()].sort();
  }

  addIndex(name: string, values: (object: T) => readonly string[], { ignoresStatus = false }: IndexOptions = {}): void {
    if (this.#indexes.has(name)) return;
    const index: Index<T> = { values, ignoresStatus, buckets: new Map() };
    this.#indexes.set(name, index);
    for (const entry of this.#entries.values()) for (const value of distinct(values(entry.object))) insert(index, value, entry);
  }

  addTally(tally: Tally<T>): void {
    this.#tallies.push(tally);
    for (const { object } of this.#entries.values()) tally.add(object);
  }

  /** Stores an object and returns the one it replaced. */
  put(key: string, object: T): T | undefined {
    assert(key !== '', 'what is cached has a name');
    const entry = this.#entries.get(key);
    if (entry === undefined) {
      const own = this.#keys?.one(key) ?? key;
      const added: Entry<T> = { key: own, object };
      this.#entries.set(own, added);
      this.#sorted.insert(added);
      for (const index of this.#indexes.values()) for (const value of distinct(index.values(object))) insert(index, value, added);
      for (const tally of this.#tallies) tally.add(object);
      return undefined;
    }
    const old = entry.object;
    entry.object = object;
    const isOfStatus = differsInStatusAlone(object, old);
    for (const index of this.#indexes.values()) if (!isOfStatus || !index.ignoresStatus) move(index, entry, old);
    for (const tally of this.#tallies) {
      tally.remove(old);
      tally.add(object);
    }
    return old;
  }

  delete(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#sorted.delete(key);
    for (const index of this.#indexes.values()) for (const value of distinct(index.values(entry.object))) remove(index, value, key);
    for (const tally of this.#tallies) tally.remove(entry.object);
    return entry.object;
  }

  clear(): void {
    this.#entries.clear();
    this.#sorted.clear();
    for (const index of this.#indexes.values()) index.buckets.clear();
    for (const tally of this.#tallies) tally.clear();
  }
}

function insert<T>(index: Index<T>, value: string, entry: Entry<T>): void {
  let bucket = index.buckets.get(value);
  if (bucket === undefined) {
    bucket = new SortedLater<Entry<T>>();
    index.buckets.set(value, bucket);
  }
  bucket.insert(entry);
}

function remove<T>(index: Index<T>, value: string, key: string): void {
  const bucket = index.buckets.get(value);
  bucket?.delete(key);
  if (bucket?.size === 0) index.buckets.delete(value);
}

function move<T>(index: Index<T>, entry: Entry<T>, old: T): void {
  const before = distinct(index.values(old));
  const after = distinct(index.values(entry.object));
  if (before.length === after.length && before.every((value, i) => value === after[i])) return;
  for (const value of before) remove(index, value, entry.key);
  for (const value of after) insert(index, value, entry);
}

/** Parts that did not change are shared between the revisions of an object. */
function differsInStatusAlone(next: KubeObject, old: KubeObject): boolean {
  const [a, b] = [next.metadata, old.metadata];
  return (
    (next as { readonly spec?: unknown }).spec === (old as { readonly spec?: unknown }).spec &&
    a.labels === b.labels &&
    a.ownerReferences === b.ownerReferences &&
    a.namespace === b.namespace
  );
}

function objectsOf<T>(entries: SortedLater<Entry<T>>): readonly T[] {
  const objects: T[] = [];
  entries.visit(({ object }) => objects.push(object));
  return objects;
}

/** An object stands in a bucket once, however often its values name it. */
function distinct(values: readonly string[]): readonly string[] {
  return values.length < 2 ? values : [...new Set(values)];
}
