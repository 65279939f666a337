/**
 * Every key with its versions. The living and the dead are ordered apart, so that a list of the present never walks past a
 * deleted key or an old version. Mirrors the purpose of etcd server/storage/mvcc/key_index.go.
 *
 *   key a: put@3 put@5 delete@8 put@9   versions [3 5 x8 9], current = version 9
 *   at revision 4 -> 3, at 7 -> 5, at 8 -> nothing, at 2 -> nothing
 */
import { assert } from '../base/assert.ts';
import { SortedKeys } from '../base/sorted-keys.ts';
import { Lazy } from './lazy.ts';
import type { Encoding, Stamp, StoredValue } from './store.ts';

interface Tombstone {
  readonly modRevision: number;
  readonly version: 0;
}

interface KeyRecord<V> {
  readonly key: string;
  current: StoredValue<V> | undefined;
  /** By rising revision; the last is the present one. */
  versions: (StoredValue<V> | Tombstone)[];
}

const fewVersions = 8;

export class KeyIndex<V> {
  readonly #records = new Map<string, KeyRecord<V>>();
  readonly #living = new SortedKeys<KeyRecord<V>>();
  readonly #dead = new SortedKeys<KeyRecord<V>>();

  get(key: string): StoredValue<V> | undefined {
    return this.#records.get(key)?.current;
  }

  getAt(key: string, revision: number): StoredValue<V> | undefined {
    const record = this.#records.get(key);
    return record === undefined ? undefined : versionAt(record, revision);
  }

  put(next: StoredValue<V>): void {
    const record = this.#records.get(next.key);
    if (record === undefined) {
      const born: KeyRecord<V> = { key: next.key, current: next, versions: [next] };
      this.#records.set(next.key, born);
      this.#living.insert(born);
      return;
    }
    assert((record.versions.at(-1)?.modRevision ?? 0) < next.modRevision, 'versions of a key rise');
    if (record.current === undefined) {
      this.#dead.delete(record.key);
      this.#living.insert(record);
    }
    record.current = next;
    this.#remember(record, next);
  }

  remove(key: string, revision: number): void {
    const record = this.#records.get(key) as KeyRecord<V>;
    record.current = undefined;
    this.#remember(record, { modRevision: revision, version: 0 });
    this.#living.delete(key);
    this.#dead.insert(record);
  }

  /** Most keys have a few versions: a list that grows by itself would keep room for seventeen. */
  #remember(record: KeyRecord<V>, version: StoredValue<V> | Tombstone): void {
    if (record.versions.length < fewVersions) record.versions = record.versions.concat(version);
    else record.versions.push(version);
  }

  count(start: string, end: string | undefined): number {
    return Math.max(0, this.#living.rank(end) - this.#living.rank(start));
  }

  /** The first `limit` living values. */
  list(start: string, end: string | undefined, limit: number): StoredValue<V>[] {
    const items: StoredValue<V>[] = [];
    this.#living.scan(start, end, (record) => items.push(record.current as StoredValue<V>) < limit);
    return items;
  }

  /** The first `limit` values alive at `revision`: the dead that lived then, merged with the living. */
  listAt(start: string, end: string | undefined, revision: number, limit: number): StoredValue<V>[] {
    const dead: StoredValue<V>[] = [];
    this.#dead.scan(start, end, (record) => {
      const value = versionAt(record, revision);
      return value === undefined || dead.push(value) < limit;
    });
    const items: StoredValue<V>[] = [];
    let nextDead = 0;
    this.#living.scan(start, end, (record) => {
      while (nextDead < dead.length && (dead[nextDead] as StoredValue<V>).key < record.key) items.push(dead[nextDead++] as StoredValue<V>);
      const value = versionAt(record, revision);
      if (value !== undefined) items.push(value);
      return items.length < limit;
    });
    while (nextDead < dead.length && items.length < limit) items.push(dead[nextDead++] as StoredValue<V>);
    if (items.length > limit) items.length = limit;
    return items;
  }

  /** Wire forms are made again when they are asked for. */
  dropEncodings(): void {
    for (const { versions } of this.#records.values()) for (const version of versions) if (version instanceof Version) version.dropEncodings();
  }

  /** Forgets the versions that no revision from `floor` on can see. */
  forget(floor: number, start: string, end: string | undefined): void {
    this.#living.scan(start, end, (record) => dropBelow(record, floor));
    const gone: string[] = [];
    this.#dead.scan(start, end, (record) => {
      dropBelow(record, floor);
      if (record.versions.length === 1 && (record.versions[0] as Tombstone).modRevision <= floor) gone.push(record.key);
      return true;
    });
    for (const key of gone) {
      this.#records.delete(key);
      this.#dead.delete(key);
    }
  }
}

export type VersionIdentity = Pick<StoredValue, 'key' | 'createRevision' | 'modRevision' | 'version'>;

export interface SharedByVersions<V> {
  weigh(value: V): number;
  /** What wire forms take, in all. Those of versions that are gone count until all are dropped. */
  encodedBytes: number;
}

/** Makes one version; a class so that all versions share one shape and the encodings stay out of sight. */
export class Version<V> implements StoredValue<V> {
  readonly key: string;
  readonly createRevision: number;
  readonly modRevision: number;
  readonly version: number;
  #weight: number | undefined;
  #value: V | Lazy<V>;
  /** Gone when it has done its work. */
  #stamp: Stamp<V> | undefined;
  #encodings: Map<string, Encoding> | undefined;
  readonly #shared: SharedByVersions<V>;

  constructor(identity: VersionIdentity, value: V | Lazy<V>, stamp: Stamp<V> | undefined, shared: SharedByVersions<V>, weight?: number) {
    this.key = identity.key;
    this.#value = value;
    this.createRevision = identity.createRevision;
    this.modRevision = identity.modRevision;
    this.version = identity.version;
    this.#weight = weight;
    this.#stamp = stamp;
    this.#shared = shared;
  }

  get value(): V {
    if (this.#value instanceof Lazy) this.#value = this.#value.get();
    if (this.#stamp !== undefined) {
      this.#value = this.#stamp(this.#value, this.modRevision);
      this.#stamp = undefined;
    }
    return this.#value;
  }

  /** Of a version that was restored it is found out when somebody asks. */
  get weight(): number {
    this.#weight ??= this.#shared.weigh(this.#value instanceof Lazy ? this.#value.get() : this.#value);
    return this.#weight;
  }

  getEncoding<E extends Encoding>(mediaKey: string, make: () => E): E {
    this.#encodings ??= new Map();
    let encoding = this.#encodings.get(mediaKey);
    if (encoding === undefined) {
      encoding = make();
      this.#encodings.set(mediaKey, encoding);
      this.#shared.encodedBytes += encoding.length;
    }
    return encoding as E;
  }

  dropEncodings(): void {
    this.#encodings = undefined;
  }
}

function versionAt<V>(record: KeyRecord<V>, revision: number): StoredValue<V> | undefined {
  const { current } = record;
  if (current !== undefined && current.modRevision <= revision) return current;
  const index = lastIndexAt(record, revision);
  const version = record.versions[index];
  return version === undefined || version.version === 0 ? undefined : (version as StoredValue<V>);
}

/** Index of the last version made at or before `revision`; -1 if there is none. */
function lastIndexAt<V>(record: KeyRecord<V>, revision: number): number {
  let low = 0;
  let high = record.versions.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((record.versions[middle] as Tombstone).modRevision <= revision) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function dropBelow<V>(record: KeyRecord<V>, floor: number): true {
  const seen = lastIndexAt(record, floor);
  if (seen > 0) record.versions.splice(0, seen);
  return true;
}
