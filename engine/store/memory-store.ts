/**
 * The store in memory: one revision counter over the key index, the change log and the watch hub. Values are taken as they
 * are, by reference. Mirrors etcd server/storage/mvcc/kvstore.go.
 */
import { assert } from '../base/assert.ts';
import { ChangeLog } from './change-log.ts';
import { KeyIndex } from './key-index.ts';
import type { Lazy } from './lazy.ts';
import { type PastOwner, unknownMeta, UnreadPast } from './past.ts';
import { prefixEnd } from './prefix.ts';
import {
  type Change,
  type ChangeMeta,
  type CheckpointChange,
  type CommitResult,
  CompactedError,
  FutureRevisionError,
  type RangeOptions,
  type RangeResult,
  type Store,
  type StoreCheckpoint,
  type StoredValue,
  type StoreOptions,
  type StoreLoad,
  type Watcher,
  type WatchOptions,
  type WriteFailure,
  type WriteOperation,
  type WriteResult,
} from './store.ts';
import { Removal, type SharedByVersions, Version, type VersionIdentity } from './version.ts';
import { WatchHub } from './watch-hub.ts';

/** An empty store; the first write gets revision 2, as in etcd, so that 0 can mean "not asked for" and 1 "from the beginning". */
export function createStore<V = unknown>(options: StoreOptions<V> = {}): Store<V> {
  return new MemoryStore<V>(options);
}

/** A store that goes on where the checkpoint was taken. Values are shared with it. */
export function restoreStore<V = unknown>(checkpoint: StoreCheckpoint<V>, options: StoreOptions<V> = {}): Store<V> {
  const store = new MemoryStore<V>(options);
  store.load(checkpoint);
  return store;
}

/** Wire forms may take so much; then all are dropped. */
const encodedBytesMax = 256 << 20;

class MemoryStore<V> implements Store<V> {
  #revision = 1;
  #compacted = 0;
  /** Below this reads beside history are refused too. */
  #expired = 0;
  #isLenient = false;
  #retained = 0;
  /** Prefixes retained for a shorter time than the rest. */
  readonly #retainedByPrefix = new Map<string, number>();
  readonly #index = new KeyIndex<V>();
  readonly #log = new ChangeLog<V>();
  readonly #hub = new WatchHub<V>(() => this.#revision);
  readonly #options: StoreOptions<V>;
  readonly #shared: SharedByVersions<V>;
  #isLoading = false;
  #livingWeight = 0;
  /** Of a restored store, until it is asked for or freed. */
  #past: UnreadPast<V> | undefined;

  constructor(options: StoreOptions<V>) {
    this.#options = options;
    this.#shared = { stamp: options.stamp, weigh: (value) => this.weigh(value), encodedBytes: 0 };
  }

  get quota(): number {
    return this.#options.quota ?? Number.POSITIVE_INFINITY;
  }

  get isLoading(): boolean {
    return this.#isLoading;
  }

  get livingWeight(): number {
    return this.#livingWeight;
  }

  weigh(value: V, old?: StoredValue<V>): number {
    return this.#options.weigh?.(value, old) ?? 0;
  }

  fits(operations: readonly WriteOperation<V>[]): boolean {
    let weight = 0;
    for (const operation of operations) if (operation.type === 'put') weight += operation.weight ?? this.weigh(operation.value as V);
    return weight === 0 || this.#livingWeight + weight <= this.quota;
  }

  currentRevision(): number {
    return this.#revision;
  }

  advanceRevisionTo(revision: number): void {
    assert(Number.isSafeInteger(revision) && revision >= this.#revision, `revision ${revision} is not below ${this.#revision}`);
    this.#revision = revision;
  }

  get(key: string, revision = 0, history = false): StoredValue<V> | undefined {
    if (revision === 0) return this.#index.get(key);
    this.#checkReadable(revision, history, key);
    this.#know(revision);
    return this.#index.getAt(key, revision);
  }

  count(prefix: string): number {
    return this.#index.count(prefix, prefixEnd(prefix));
  }

  range({ prefix = '', start = prefix, end = prefixEnd(prefix), limit = 0, revision = 0, history = false }: RangeOptions): RangeResult<V> {
    const from = start < prefix ? prefix : start;
    const most = limit > 0 ? limit : Number.MAX_SAFE_INTEGER;
    if (revision === 0 || revision === this.#revision) {
      const items = this.#index.list(from, end, most);
      const count = items.length < most ? items.length : this.#index.count(from, end);
      return { items, revision: this.#revision, more: count > items.length, count };
    }
    this.#checkReadable(revision, history, prefix);
    this.#know(revision);
    const items = this.#index.listAt(from, end, revision, most);
    const count = items.length < most ? items.length : this.#countAt(from, end, revision);
    return { items, revision, more: count > items.length, count };
  }

  commit(operations: readonly WriteOperation<V>[], meta: ChangeMeta): CommitResult<V> {
    for (const { key, expected } of operations) {
      assert(key !== '', 'a key is not empty');
      if (expected !== undefined && (this.#index.get(key)?.modRevision ?? 0) !== expected) return { type: 'moved', key };
    }
    const changes = operations.map((operation) => this.#apply(operation, meta));
    this.#hub.publish(changes);
    return { type: 'committed', changes };
  }

  create(key: string, value: V, meta: ChangeMeta): WriteResult<V> {
    assert(key !== '', 'a key is not empty');
    const previous = this.#index.get(key);
    return previous === undefined ? this.#published(this.#put(key, value, undefined, meta)) : failure('exists', previous);
  }

  update(key: string, expectedModRevision: number | undefined, value: V, meta: ChangeMeta): WriteResult<V> {
    const previous = this.#index.get(key);
    if (previous === undefined) return failure('missing', undefined);
    if (expectedModRevision !== undefined && previous.modRevision !== expectedModRevision) return failure('mismatch', previous);
    return this.#published(this.#put(key, value, previous, meta));
  }

  remove(key: string, expectedModRevision: number | undefined, meta: ChangeMeta): WriteResult<V> {
    const previous = this.#index.get(key);
    if (previous === undefined) return failure('missing', undefined);
    if (expectedModRevision !== undefined && previous.modRevision !== expectedModRevision) return failure('mismatch', previous);
    return this.#published(this.#drop(previous, meta));
  }

  watch(options: WatchOptions<V>): Watcher {
    const after = options.afterRevision ?? this.#revision;
    assert(Number.isSafeInteger(after) && after >= 0, `watch after revision ${after}`);
    if (after < this.compactedRevision()) throw new CompactedError(this.compactedRevision());
    this.#know(after);
    const { key, prefix = '' } = options;
    const wants = key === undefined ? (name: string) => name.startsWith(prefix) : (name: string) => name === key;
    const replay = after < this.#revision ? this.#log.between(after, this.#revision, wants) : [];
    // A watch from a revision not issued yet waits for it, as in etcd.
    return this.#hub.add(options, Math.max(after, this.#revision), replay);
  }

  notifyProgress(): void {
    this.#hub.notifyProgress();
  }

  compactedRevision(): number {
    return this.#isLenient ? Math.max(this.#expired, this.#retained) : this.#compacted;
  }

  leniently<T>(act: () => T): T {
    const before = this.#isLenient;
    this.#isLenient = true;
    try {
      return act();
    } finally {
      this.#isLenient = before;
    }
  }

  expire(revision: number): void {
    assert(revision <= this.#compacted, `revision ${revision} is expired beneath the visible floor ${this.#compacted}`);
    this.#expired = Math.max(this.#expired, revision);
  }

  compact(revision: number): void {
    if (revision > this.#revision) throw new FutureRevisionError(this.#revision);
    this.#compacted = Math.max(this.#compacted, revision);
  }

  retain(floor: number, prefix = ''): void {
    assert(floor <= this.#compacted, `retention floor ${floor} is not above the visible floor ${this.#compacted}`);
    if (floor <= this.#retainedFloor(prefix)) return;
    if (prefix === '') this.#retained = floor;
    else this.#retainedByPrefix.set(prefix, floor);
    if (prefix === '' && floor >= (this.#past?.revision ?? 0)) this.#past = undefined;
    this.#forget(floor, prefix);
  }

  #forget(floor: number, prefix: string): void {
    this.#index.forget(floor, prefix, prefixEnd(prefix));
    this.#log.forget(floor, prefix);
  }

  changeAt(revision: number): Change<V> | undefined {
    this.#know(revision - 1);
    return this.#log.at(revision);
  }

  changesBetween(afterRevision: number, throughRevision: number, { prefix = '' }: { readonly prefix?: string } = {}): readonly Change<V>[] {
    const floor = this.#retainedFloor(prefix);
    if (afterRevision < floor) throw new CompactedError(floor);
    this.#know(afterRevision);
    return this.#log.between(afterRevision, throughRevision, (key) => key.startsWith(prefix));
  }

  recall(piecesMax = Number.POSITIVE_INFINITY): boolean {
    const past = this.#past;
    if (past === undefined) return true;
    if (!past.read(piecesMax)) return false;
    assert(this.#retained < past.revision, 'what was freed is not read');
    past.forgetFreed();
    this.#past = undefined;
    this.#index.precede(past.last);
    this.#log.precede(past.changes);
    if (this.#retained > past.floor) this.#forget(this.#retained, '');
    for (const [prefix, floor] of this.#retainedByPrefix) this.#forget(floor, prefix);
    return true;
  }

  /** Before somebody looks at a revision. */
  #know(revision: number): void {
    if (revision < (this.#past?.revision ?? 0)) this.recall();
  }

  checkpoint(): StoreCheckpoint<V> {
    const floor = this.#compacted;
    this.#know(floor);
    const entries = this.#index.listAt('', undefined, floor, Number.MAX_SAFE_INTEGER).map(({ key, value, createRevision, modRevision, version }) => {
      return { key, value, createRevision, modRevision, version };
    });
    const changes = this.#log
      .between(floor, this.#revision, () => true)
      .map(({ revision, key, current, meta: { virtualMs, identity, causes } }): CheckpointChange<V> => {
        const meta = { virtualMs, identity, causes };
        return current === undefined ? { type: 'delete', revision, key, meta } : { type: 'put', revision, key, value: current.value, meta };
      });
    return { revision: this.#revision, compactedRevision: floor, entries, changes };
  }

  /** Fills an empty store: the state at the floor, or a later one, then the changes since, each at its own revision. */
  load({ revision, compactedRevision, entries, changes, toldUpTo = 0, past }: StoreLoad<V>): void {
    assert(this.#index.count('', undefined) === 0, 'a checkpoint is restored into an empty store');
    for (const { key, value, createRevision, modRevision, version, weight } of entries) {
      this.#add({ key, createRevision, modRevision, version }, value, unknownMeta, undefined, weight);
    }
    this.#revision = Math.max(1, past?.revision ?? compactedRevision);
    this.#compacted = compactedRevision;
    this.#retained = compactedRevision;
    this.#expired = compactedRevision;
    if (past !== undefined && past.revision > compactedRevision) this.#past = new UnreadPast(past, compactedRevision, this.#pastOwner());
    this.#isLoading = true;
    for (const change of changes) {
      this.advanceRevisionTo(change.revision - 1);
      const previous = this.#index.get(change.key);
      let told: Change<V> | undefined;
      if (change.type === 'put') told = this.#put(change.key, change.value, previous, change.meta, change.weight);
      else if (previous !== undefined) told = this.#drop(previous, change.meta);
      if (told !== undefined && told.revision > toldUpTo) this.#published(told);
    }
    this.#isLoading = false;
    this.#livingWeight = this.#index.list('', undefined, Number.MAX_SAFE_INTEGER).reduce((sum, { weight }) => sum + weight, 0);
    this.advanceRevisionTo(revision);
  }

  #pastOwner(): PastOwner<V> {
    return {
      shared: this.#shared,
      find: (key, modRevision) => this.#index.find(key, modRevision),
      isFreed: (key) => this.#retainedFloor(key) >= (this.#past?.revision ?? Number.POSITIVE_INFINITY),
    };
  }

  #put(key: string, value: V | Lazy<V>, previous: Version<V> | undefined, meta: ChangeMeta, weight?: number): Change<V> {
    const revision = ++this.#revision;
    const { createRevision = revision, version = 0 } = previous ?? {};
    const before = this.#index.last(key);
    // All versions of a key hold one text.
    const own = before?.key ?? key;
    assert(own === key && previous === before?.current, 'a key has one name, and what is replaced is what there was');
    const current = this.#add({ key: own, createRevision, modRevision: revision, version: version + 1 }, value, meta, before, weight);
    this.#weighed(current, previous);
    return this.#logged(current);
  }

  #add(identity: VersionIdentity, value: V | Lazy<V>, meta: ChangeMeta, before: Version<V> | Removal<V> | undefined, weight?: number): Version<V> {
    if (this.#shared.encodedBytes > encodedBytesMax) {
      this.#index.dropEncodings();
      this.#shared.encodedBytes = 0;
    }
    const version = new Version(identity, value, meta, before, this.#shared, weight);
    this.#index.put(version);
    return version;
  }

  /** While a checkpoint is loaded nothing is weighed: who weighs looks at values, and the old ones are not made yet. */
  #weighed(current: StoredValue<V> | undefined, previous: StoredValue<V> | undefined): void {
    if (!this.#isLoading) this.#livingWeight += (current?.weight ?? 0) - (previous?.weight ?? 0);
  }

  #drop(previous: Version<V>, meta: ChangeMeta): Change<V> {
    const removal = new Removal<V>(previous.key, ++this.#revision, meta, previous);
    this.#weighed(undefined, previous);
    this.#index.remove(removal);
    return this.#logged(removal);
  }

  #apply({ type, key, value, weight }: WriteOperation<V>, meta: ChangeMeta): Change<V> {
    const previous = this.#index.get(key);
    if (type === 'put') return this.#put(key, value as V, previous, meta, weight);
    assert(previous, `${key} lives when a transaction removes it`);
    return this.#drop(previous, meta);
  }

  #logged(change: Change<V>): Change<V> {
    this.#log.append(change);
    return change;
  }

  #published(change: Change<V>): Change<V> {
    this.#hub.publish([change]);
    return change;
  }

  /** Today's count with the births and deaths since taken back: a page of an old list costs its page, not the whole list. */
  #countAt(start: string, end: string | undefined, revision: number): number {
    // Beneath the visible floor parts of the log may be gone.
    if (revision < this.#compacted) return this.#index.listAt(start, end, revision, Number.MAX_SAFE_INTEGER).length;
    let count = this.#index.count(start, end);
    for (const { type, previous } of this.#log.between(revision, this.#revision, (key) => key >= start && (end === undefined || key < end))) {
      if (type === 'delete') count++;
      else if (previous === undefined) count--;
    }
    return count;
  }

  #checkReadable(revision: number, history: boolean, prefix: string): void {
    if (revision > this.#revision) throw new FutureRevisionError(this.#revision);
    const floor = history ? this.#retainedFloor(prefix) : this.compactedRevision();
    if (revision < floor) throw new CompactedError(floor);
  }

  /** From here on everything under `prefix` is remembered, but for prefixes inside it that are kept shorter on purpose. */
  #retainedFloor(prefix: string): number {
    let floor = this.#retained;
    for (const [shorter, shorterFloor] of this.#retainedByPrefix) if (prefix.startsWith(shorter)) floor = Math.max(floor, shorterFloor);
    return floor;
  }
}

function failure<V>(reason: WriteFailure<V>['reason'], current: StoredValue<V> | undefined): WriteFailure<V> {
  return { type: 'failure', reason, current };
}
