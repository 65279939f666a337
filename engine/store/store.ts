/**
 * The contract of the store: etcd's promises, in memory. It knows keys, revisions and opaque immutable values, never kinds.
 * SPEC.md numbers the rules; `memory-store.ts` keeps them. Mirrors what apiserver pkg/storage/etcd3 asks of etcd.
 */

import type { Lazy } from './lazy.ts';

/** One version of one key. `value` is shared, never copied and never changed. */
export interface StoredValue<V = unknown> {
  readonly key: string;
  /** As it was written, stamped with `modRevision` when it is first read. */
  readonly value: V;
  /** Revision of the write that brought the key (back) to life. */
  readonly createRevision: number;
  /** Revision of the write that made this version. */
  readonly modRevision: number;
  /** How often the key was written since its creation; 1 for a new key. */
  readonly version: number;
  /** About how many bytes of memory it takes; 0 where nobody told the store how to weigh. */
  readonly weight: number;
  /** The wire form under `mediaKey`, made on first demand and kept as long as this version. */
  getEncoding<E extends Encoding>(mediaKey: string, make: () => E): E;
}

export type Encoding = string | Uint8Array;

/** Who wrote, when, and why (law 4). Remembered per revision. */
export interface ChangeMeta {
  readonly virtualMs: number;
  readonly identity: string;
  readonly causes: readonly string[];
}

/**
 * One revision. A put has `current`; an update has both; a delete has only `previous`, the last living version. What retention has
 * freed is no `previous` any more, which only those can tell who still hold a change that is not remembered.
 */
export interface Change<V = unknown> {
  readonly type: 'put' | 'delete';
  readonly revision: number;
  readonly key: string;
  readonly current?: StoredValue<V> | undefined;
  readonly previous?: StoredValue<V> | undefined;
  readonly meta: ChangeMeta;
}

/** A write that did not happen: nothing changed and no revision was used. */
export interface WriteFailure<V = unknown> {
  readonly type: 'failure';
  readonly reason: 'exists' | 'missing' | 'mismatch';
  readonly current: StoredValue<V> | undefined;
}

export type WriteResult<V = unknown> = Change<V> | WriteFailure<V>;

export interface RangeOptions {
  /** Every key that begins with this text. Empty or absent: every key. */
  readonly prefix?: string | undefined;
  /** First key, inclusive; with `prefix`, where in it to begin (the place a continue token names). */
  readonly start?: string | undefined;
  /** First key no longer included; absent: to the end of `prefix`. */
  readonly end?: string | undefined;
  /** Most items to return; absent or 0: all. */
  readonly limit?: number | undefined;
  /** State at this revision; absent or 0: now. */
  readonly revision?: number | undefined;
  /** Looks beneath the compacted floor, down to what retention kept. For the past, never for clients of the present. */
  readonly history?: boolean | undefined;
}

export interface RangeResult<V = unknown> {
  readonly items: readonly StoredValue<V>[];
  /** The revision at which the items are consistent. */
  readonly revision: number;
  /** Whether `limit` cut items off. */
  readonly more: boolean;
  /** Living keys from `start` to `end`, whatever `limit` says. */
  readonly count: number;
}

export interface WatchOptions<V = unknown> {
  /** Keys under this prefix, which is empty or ends in `/`. Either this or `key`. */
  readonly prefix?: string | undefined;
  /** Exactly this key. */
  readonly key?: string | undefined;
  /** The first change delivered is the first after this revision (a client's resourceVersion); absent: after now. */
  readonly afterRevision?: number | undefined;
  readonly onChanges: (changes: readonly Change<V>[]) => void;
  /** Everything up to `revision` has been delivered. Called by `notifyProgress` and `tellProgress`. */
  readonly onProgress?: ((revision: number) => void) | undefined;
}

export interface Watcher {
  /** Nothing is delivered afterwards, not even what is on its way. */
  cancel(): void;
  /** As `notifyProgress`, for this watcher alone. */
  tellProgress(): void;
}

/** Plain data, JSON-able if the values are: the state at the compacted floor and every change since (law 9). */
export interface StoreCheckpoint<V = unknown> {
  readonly revision: number;
  readonly compactedRevision: number;
  /** In key order. */
  readonly entries: readonly CheckpointEntry<V>[];
  /** In revision order. */
  readonly changes: readonly CheckpointChange<V>[];
}

export interface CheckpointEntry<V = unknown> {
  readonly key: string;
  readonly value: V;
  readonly createRevision: number;
  readonly modRevision: number;
  readonly version: number;
  /** Where it is known. */
  readonly weight?: number | undefined;
}

export type CheckpointChange<V = unknown> =
  | {
      readonly type: 'put';
      readonly revision: number;
      readonly key: string;
      readonly value: V;
      readonly meta: ChangeMeta;
      readonly weight?: number | undefined;
    }
  | { readonly type: 'delete'; readonly revision: number; readonly key: string; readonly meta: ChangeMeta };

/** A checkpoint whose old values may be made when they are asked for. */
export interface StoreLoad<V = unknown> extends StoreCheckpoint<V | Lazy<V>> {
  /** Changes up to here are told to no watcher: those that there are know of them, or look at the whole afterwards. */
  readonly toldUpTo?: number;
  /** There when `entries` are not the state at the floor but a later one: what was between the two, read when somebody asks for it. */
  readonly past?: StorePast<V | Lazy<V>> | undefined;
}

export interface StorePast<V = unknown> {
  /** `entries` are the state at this revision. */
  readonly revision: number;
  /** First what lived at the floor and is another or none in `entries`, then the changes since. */
  read(): Iterator<PastPiece<V>>;
}

/** `known` is a put whose version is among the entries of the load. */
export type PastPiece<V = unknown> =
  | ({ readonly type: 'entry' } & CheckpointEntry<V>)
  | { readonly type: 'known'; readonly revision: number; readonly key: string; readonly meta: ChangeMeta }
  | CheckpointChange<V>;

/** One write of a transaction. `value` is absent in a removal. */
export interface WriteOperation<V = unknown> {
  readonly type: 'put' | 'delete';
  readonly key: string;
  readonly value?: V | undefined;
  /** Of the value, where it is known already. */
  readonly weight?: number | undefined;
  /** The revision that the key must still have, 0 for a key that must not live; absent where an earlier operation wrote it. */
  readonly expected?: number | undefined;
}

export type CommitResult<V = unknown> =
  /** In the order of the operations, one revision each. */
  | { readonly type: 'committed'; readonly changes: readonly Change<V>[] }
  /** Nothing was written: this key is not as the transaction saw it. */
  | { readonly type: 'moved'; readonly key: string };

/** Writes a revision into a value, where its readers look for it. Makes a new value, or gives back one that has it. */
export type Stamp<V> = (value: V, revision: number) => V;

export interface StoreOptions<V> {
  readonly stamp?: Stamp<V>;
  /** About how many bytes of memory a value takes. Whether it is stamped, or what it replaces, must make no difference. */
  weigh?(value: V, old?: StoredValue<V>): number;
  /** What all living values together may weigh; without it as much as they like. */
  readonly quota?: number;
}

/** What can be read: the store itself, or the store as a transaction sees it. */
export interface StoreView<V = unknown> {
  currentRevision(): number;
  get(key: string, revision?: number, history?: boolean): StoredValue<V> | undefined;
  /** Living keys under a prefix, now. */
  count(prefix: string): number;
  /** In byte order of keys, consistent at one revision. */
  range(options: RangeOptions): RangeResult<V>;
}

export interface Store<V = unknown> extends StoreView<V> {
  /** What all living values together may weigh, and what they weigh. */
  readonly quota: number;
  readonly livingWeight: number;
  /**
   * While a checkpoint is taken up, watchers are told of changes that led to it, whose values need not have been made yet: who rebuilds
   * afterwards what it derives looks at none of them.
   */
  readonly isLoading: boolean;
  /** `old` is what the value replaces: the weight is the same with it, and sooner known. */
  weigh(value: V, old?: StoredValue<V>): number;
  /** Whether there is space for what the operations put. As in etcd, what they replace or remove makes none for them. */
  fits(operations: readonly WriteOperation<V>[]): boolean;

  /** Skips revisions: the next write gets `revision + 1`. For forks, and for revisions reserved arithmetically. */
  advanceRevisionTo(revision: number): void;

  /** All operations or none. Watchers see the changes when all are made, in order. */
  commit(operations: readonly WriteOperation<V>[], meta: ChangeMeta): CommitResult<V>;
  create(key: string, value: V, meta: ChangeMeta): WriteResult<V>;
  /** Without `expectedModRevision` whatever is there is replaced. */
  update(key: string, expectedModRevision: number | undefined, value: V, meta: ChangeMeta): WriteResult<V>;
  remove(key: string, expectedModRevision: number | undefined, meta: ChangeMeta): WriteResult<V>;

  watch(options: WatchOptions<V>): Watcher;
  /** Tells every watcher how far it has seen (the source of bookmarks). */
  notifyProgress(): void;

  /** The visible floor, or inside `leniently` the lower one: reads at it and watches after it still work. */
  compactedRevision(): number;
  /** Raises the visible floor and erases nothing; a lower floor changes nothing. */
  compact(revision: number): void;
  /** For reads and watches that are no part of history: inside `act` the floor is what was expired or freed, not the visible one. */
  leniently<T>(act: () => T): T;
  /** Raises the floor of such reads too, up to the visible floor. */
  expire(revision: number): void;
  /** Frees what only revisions below `floor` need, everywhere or under a prefix. Never above the visible floor. */
  retain(floor: number, prefix?: string): void;

  changeAt(revision: number): Change<V> | undefined;
  /** Remembered changes with `afterRevision < revision <= throughRevision`, seen through compaction but not through retention. */
  changesBetween(afterRevision: number, throughRevision: number, options?: { readonly prefix?: string }): readonly Change<V>[];

  /** Reads so many pieces more of what a restored store does not know yet; true when it knows all. Who asks for old revisions need not. */
  recall(piecesMax?: number): boolean;

  checkpoint(): StoreCheckpoint<V>;
  /** Fills an empty store, so that those who already watch it go on with the restored history. */
  load(checkpoint: StoreLoad<V>): void;
}

/** The revision asked for lies below the floor (410 Expired to a client). */
export class CompactedError extends Error {
  readonly compactRevision: number;
  constructor(compactRevision: number) {
    super('mvcc: required revision has been compacted');
    this.name = 'CompactedError';
    this.compactRevision = compactRevision;
  }
}

/** The revision asked for has not been issued yet. */
export class FutureRevisionError extends Error {
  readonly currentRevision: number;
  constructor(currentRevision: number) {
    super('mvcc: required revision is a future revision');
    this.name = 'FutureRevisionError';
    this.currentRevision = currentRevision;
  }
}
