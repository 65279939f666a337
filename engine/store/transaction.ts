/**
 * The store as one request sees it: reads find its own writes, and nobody else sees these before the commit. A transaction that is
 * thrown away leaves nothing behind, so a dry run is one that is not committed. Mirrors etcd's Txn as apiserver pkg/storage/etcd3 uses it.
 *
 *   store a@3 b@5     get a -> a@3     put a, delete b, put c     range -> a' c     commit -> a@6, b deleted@7, c@8
 */
import { assert } from '../base/assert.ts';
import { prefixEnd } from './prefix.ts';
import type {
  Change,
  ChangeMeta,
  CommitResult,
  Encoding,
  RangeOptions,
  RangeResult,
  Store,
  StoredValue,
  StoreView,
  WriteFailure,
  WriteOperation,
} from './store.ts';

/** A write that waits for its commit. Before it, `value` is what was given; after it, what is stored, with its revision. */
export interface PendingWrite<V = unknown> extends StoredValue<V> {
  /** Of the commit; undefined while there was none. */
  readonly revision: number | undefined;
}

/** A removal that waits for its commit. */
export interface PendingRemoval {
  readonly revision: number | undefined;
}

export class Transaction<V> implements StoreView<V> {
  readonly #store: Store<V>;
  readonly #baseRevision: number;
  readonly #operations: WriteOperation<V>[] = [];
  /** In the order of the operations. */
  readonly #pending: Pending<V>[] = [];
  /** What each written key is now; undefined when it was removed. */
  #written: Map<string, Pending<V> | undefined> | undefined;
  /** Revisions at which single keys were first seen, 0 for none. */
  #seen: Map<string, number> | undefined;
  #isOver = false;

  constructor(store: Store<V>) {
    this.#store = store;
    this.#baseRevision = store.currentRevision();
  }

  get isEmpty(): boolean {
    return this.#operations.length === 0;
  }

  /** A written key that another wrote meanwhile. One found by a range was not seen alone: what is younger than the transaction has moved. */
  get movedKey(): string | undefined {
    if (this.#store.currentRevision() === this.#baseRevision) return undefined;
    for (const { key, expected } of this.#operations) {
      const revision = this.#store.get(key)?.modRevision ?? 0;
      if (expected !== undefined && (revision !== expected || revision > this.#baseRevision)) return key;
    }
    return undefined;
  }

  /** Whether the store has space for the writes. */
  get fits(): boolean {
    return this.#store.fits(this.#operations);
  }

  /** What it puts that weighs at least so much. */
  heavyWrites(weight: number): readonly PendingWrite<V>[] {
    return this.#pending.filter((pending, index) => this.#operations[index]?.type === 'put' && pending.weight >= weight);
  }

  currentRevision(): number {
    return this.#store.currentRevision();
  }

  get(key: string, revision = 0, history = false): StoredValue<V> | undefined {
    if (revision !== 0) return this.#store.get(key, revision, history);
    if (this.#written?.has(key) === true) return this.#written.get(key);
    const found = this.#store.get(key);
    this.#saw(key, found);
    return found;
  }

  count(prefix: string): number {
    let count = this.#store.count(prefix);
    for (const [key, now] of this.#written ?? []) {
      if (key.startsWith(prefix)) count += Number(now !== undefined) - Number(this.#store.get(key) !== undefined);
    }
    return count;
  }

  range(options: RangeOptions): RangeResult<V> {
    if (this.#written === undefined) return this.#store.range(options);
    const { prefix = '', start = prefix, end = prefixEnd(prefix), limit = 0, revision = 0 } = options;
    const isInside = (key: string): boolean => key >= prefix && key >= start && (end === undefined || key < end);
    const mine = revision === 0 ? [...this.#written].filter(([key]) => isInside(key)) : [];
    if (mine.length === 0) return this.#store.range(options);
    const base = this.#store.range({ ...options, limit: 0 });
    const merged = new Map<string, StoredValue<V>>(base.items.map((item) => [item.key, item]));
    for (const [key, now] of mine) {
      if (now === undefined) merged.delete(key);
      else merged.set(key, now);
    }
    const all = [...merged.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
    const items = limit > 0 ? all.slice(0, limit) : all;
    return { items, revision: base.revision, more: items.length < all.length, count: all.length };
  }

  /** Fails when the key lives. */
  create(key: string, value: V): PendingWrite<V> | WriteFailure<V> {
    const current = this.get(key);
    return current === undefined ? this.#put(key, value, undefined) : { type: 'failure', reason: 'exists', current };
  }

  /** Fails when the key does not live. */
  update(key: string, value: V): PendingWrite<V> | WriteFailure<V> {
    const current = this.get(key);
    return current === undefined ? missing : this.#put(key, value, current);
  }

  /** Fails when the key does not live. */
  remove(key: string): PendingRemoval | WriteFailure<V> {
    const current = this.get(key);
    if (current === undefined) return missing;
    return this.#add({ type: 'delete', key }, current, undefined);
  }

  /** All writes or none, each with a revision of its own. A transaction is committed once; an empty one commits nothing. */
  commit(meta: ChangeMeta): CommitResult<V> {
    assert(!this.#isOver, 'a transaction is committed once');
    const moved = this.movedKey;
    if (moved !== undefined) return { type: 'moved', key: moved };
    const result: CommitResult<V> = this.isEmpty ? { type: 'committed', changes: [] } : this.#store.commit(this.#operations, meta);
    if (result.type === 'moved') return result;
    this.#isOver = true;
    result.changes.forEach((change, index) => (this.#pending[index] as Pending<V>).settle(change));
    return result;
  }

  #put(key: string, value: V, previous: StoredValue<V> | undefined): PendingWrite<V> {
    return this.#add({ type: 'put', key, value, weight: this.#store.weigh(value, previous) }, previous, value);
  }

  #add(operation: WriteOperation<V>, previous: StoredValue<V> | undefined, value: V | undefined): Pending<V> {
    assert(!this.#isOver, 'a committed transaction takes no writes');
    const { key } = operation;
    this.#written ??= new Map();
    const expected = this.#written.has(key) ? undefined : (this.#seen?.get(key) ?? 0);
    const pending = new Pending<V>(key, value as V, previous, operation.weight ?? 0);
    this.#operations.push(expected === undefined ? operation : { ...operation, expected });
    this.#pending.push(pending);
    this.#written.set(key, operation.type === 'put' ? pending : undefined);
    return pending;
  }

  #saw(key: string, found: StoredValue<V> | undefined): void {
    this.#seen ??= new Map();
    if (!this.#seen.has(key)) this.#seen.set(key, found?.modRevision ?? 0);
  }
}

const missing: WriteFailure<never> = { type: 'failure', reason: 'missing', current: undefined };

class Pending<V> implements PendingWrite<V> {
  readonly key: string;
  readonly createRevision: number;
  readonly version: number;
  readonly weight: number;
  #change: Change<V> | undefined;
  readonly #value: V;
  readonly #seenRevision: number;

  constructor(key: string, value: V, previous: StoredValue<V> | undefined, weight: number) {
    this.key = key;
    this.weight = weight;
    this.#value = value;
    this.#seenRevision = previous?.modRevision ?? 0;
    this.createRevision = previous?.createRevision ?? 0;
    this.version = (previous?.version ?? 0) + 1;
  }

  settle(change: Change<V>): void {
    this.#change = change;
  }

  get revision(): number | undefined {
    return this.#change?.revision;
  }

  /** That of the version before until the commit gives it one. */
  get modRevision(): number {
    return this.#change?.revision ?? this.#seenRevision;
  }

  get value(): V {
    return this.#change?.current === undefined ? this.#value : this.#change.current.value;
  }

  getEncoding<E extends Encoding>(mediaKey: string, make: () => E): E {
    return this.#change?.current === undefined ? make() : this.#change.current.getEncoding(mediaKey, make);
  }
}
