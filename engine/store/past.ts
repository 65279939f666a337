/**
 * What a restored store does not know yet: versions and changes between its floor and the state that it was given. It is read when
 * somebody asks for a revision of that time, or bit by bit before; most of it nobody ever asks for.
 *
 *   given at 20:  a@12 b@18          read:  old a@3, put a@12 (is there), put c@14, delete c@16, put b@18 (is there)
 *   afterwards:   a@12 -> a@3, b@18, and c, which is dead: removal@16 -> c@14
 */
import { assert } from '../base/assert.ts';
import type { Change, ChangeMeta, CheckpointEntry, PastPiece, StorePast } from './store.ts';
import { Removal, type SharedByVersions, Version, type VersionIdentity } from './version.ts';
import type { Lazy } from './lazy.ts';

type Any<V> = Version<V> | Removal<V>;
type Value<V> = V | Lazy<V>;
type PastChange<V> = Exclude<PastPiece<Value<V>>, { readonly type: 'entry' }>;

export interface PastOwner<V> {
  readonly shared: SharedByVersions<V>;
  /** The version that the store has of a key at a revision. */
  find(key: string, modRevision: number): Version<V> | undefined;
  /** Whether nothing of that time is kept of a key. */
  isFreed(key: string): boolean;
}

export class UnreadPast<V> {
  /** The store was given its state at this revision. */
  readonly revision: number;
  /** The last of each key, as far as it has been read. */
  readonly last = new Map<string, Any<V>>();
  readonly changes: (Any<V> & Change<V>)[] = [];
  readonly #owner: PastOwner<V>;
  readonly #pieces: Iterator<PastPiece<Value<V>>>;

  /** What is below it is not read. */
  readonly floor: number;

  constructor({ revision, read }: StorePast<Value<V>>, floor: number, owner: PastOwner<V>) {
    assert(floor < revision, 'there is a past');
    this.floor = floor;
    this.revision = revision;
    this.#owner = owner;
    this.#pieces = read();
  }

  /** Reads so many pieces more; true when there are no more. */
  read(piecesMax: number): boolean {
    for (let count = 0; count < piecesMax; count++) {
      const { value: piece, done } = this.#pieces.next();
      if (done === true) return true;
      if (this.#owner.isFreed(piece.key)) continue;
      if (piece.type === 'entry') this.#takeEntry(piece);
      else this.#takeChange(piece);
    }
    return false;
  }

  /** What was freed while it was read. */
  forgetFreed(): void {
    for (const key of this.last.keys()) if (this.#owner.isFreed(key)) this.last.delete(key);
  }

  #takeEntry(entry: CheckpointEntry<Value<V>>): void {
    this.last.set(entry.key, this.#version(entry, entry.value, unknownMeta, undefined));
  }

  #takeChange(piece: PastChange<V>): void {
    const { key, revision, meta } = piece;
    const before = this.last.get(key);
    assert(revision > (this.changes.at(-1)?.modRevision ?? 0) && revision <= this.revision, 'the past is read in its order');
    const own = before?.key ?? key;
    let next: Any<V> & Change<V>;
    if (piece.type === 'known') next = this.#known(key, revision, meta, before);
    else if (piece.type === 'delete') next = new Removal<V>(own, revision, meta, before);
    else {
      const { createRevision = revision, version = 0 } = before instanceof Version ? before : {};
      next = this.#version(
        { key: own, createRevision, modRevision: revision, version: version + 1, weight: piece.weight },
        piece.value,
        meta,
        before,
      );
    }
    this.last.set(own, next);
    this.changes.push(next);
  }

  #known(key: string, revision: number, meta: ChangeMeta, before: Any<V> | undefined): Version<V> {
    const known = this.#owner.find(key, revision);
    assert(known, `${key}@${revision} is among the entries`);
    known.complete(meta, before);
    return known;
  }

  #version(
    { weight, ...identity }: VersionIdentity & { readonly weight?: number | undefined },
    value: Value<V>,
    meta: ChangeMeta,
    before: Any<V> | undefined,
  ): Version<V> {
    return new Version(identity, value, meta, before, this.#owner.shared, weight);
  }
}

/** Of what was there at the floor: those changes are not remembered. */
export const unknownMeta: ChangeMeta = { virtualMs: 0, identity: '', causes: [] };
