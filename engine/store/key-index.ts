/**
 * Every key with its versions. The living and the dead are ordered apart, so that a list of the present never walks past a
 * deleted key or an old version. Mirrors the purpose of etcd server/storage/mvcc/key_index.go.
 *
 *   key a: put@3 put@5 delete@8 put@9   last = 9, before it x8, before that 5, then 3
 *   at revision 4 -> 3, at 7 -> 5, at 8 -> nothing, at 2 -> nothing
 */
import { assert } from '../base/assert.ts';
import { SortedKeys } from '../base/sorted-keys.ts';
import type { StoredValue } from './store.ts';
import { Removal, Version } from './version.ts';

interface KeyRecord<V> {
  readonly key: string;
  /** Leads to those before it. */
  last: Version<V> | Removal<V>;
}

export class KeyIndex<V> {
  readonly #records = new Map<string, KeyRecord<V>>();
  readonly #living = new SortedKeys<KeyRecord<V>>();
  readonly #dead = new SortedKeys<KeyRecord<V>>();
  /** Those that live and may have versions before their last: of most of what a store holds there is one alone. */
  readonly #changed = new Set<KeyRecord<V>>();

  get(key: string): Version<V> | undefined {
    return livingOf(this.#records.get(key));
  }

  /** What was last written to a key, be it a removal. */
  last(key: string): Version<V> | Removal<V> | undefined {
    return this.#records.get(key)?.last;
  }

  getAt(key: string, revision: number): Version<V> | undefined {
    const record = this.#records.get(key);
    return record === undefined ? undefined : versionAt(record, revision);
  }

  put(next: Version<V>): void {
    const record = this.#records.get(next.key);
    if (record === undefined) {
      const born: KeyRecord<V> = { key: next.key, last: next };
      this.#records.set(next.key, born);
      this.#living.insert(born);
      return;
    }
    assert(record.last.modRevision < next.modRevision && record.last === next.before, 'versions of a key rise');
    if (record.last instanceof Removal) {
      this.#dead.delete(record.key);
      this.#living.insert(record);
    }
    record.last = next;
    this.#changed.add(record);
  }

  remove(removal: Removal<V>): void {
    const record = this.#records.get(removal.key) as KeyRecord<V>;
    assert(record.last === removal.before, 'what is removed lived');
    record.last = removal;
    this.#changed.delete(record);
    this.#living.delete(removal.key);
    this.#dead.insert(record);
  }

  count(start: string, end: string | undefined): number {
    return Math.max(0, this.#living.rank(end) - this.#living.rank(start));
  }

  /** The first `limit` living values. */
  list(start: string, end: string | undefined, limit: number): StoredValue<V>[] {
    const items: StoredValue<V>[] = [];
    this.#living.scan(start, end, (record) => items.push(record.last as Version<V>) < limit);
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

  /** The version that was made at a revision, if it is remembered. */
  find(key: string, modRevision: number): Version<V> | undefined {
    const found = this.getAt(key, modRevision);
    return found?.modRevision === modRevision ? found : undefined;
  }

  /** Puts the last versions of an earlier time before what there is. */
  precede(earlier: ReadonlyMap<string, Version<V> | Removal<V>>): void {
    for (const [key, last] of earlier) {
      const record = this.#records.get(key);
      if (record === undefined) {
        assert(last instanceof Removal, `${key} is known if it lived`);
        const dead: KeyRecord<V> = { key, last };
        this.#records.set(key, dead);
        this.#dead.insert(dead);
        continue;
      }
      let first = record.last;
      while (first !== last && first.before !== undefined) first = first.before;
      if (first !== last && first.modRevision > last.modRevision) first.follow(last);
      if (record.last instanceof Version) this.#changed.add(record);
    }
  }

  /** Wire forms are made again when they are asked for. */
  dropEncodings(): void {
    for (const { last } of this.#records.values()) {
      for (let version: Version<V> | Removal<V> | undefined = last; version !== undefined; version = version.before) {
        if (version instanceof Version) version.dropEncodings();
      }
    }
  }

  /** Forgets the versions that no revision from `floor` on can see. */
  forget(floor: number, start: string, end: string | undefined): void {
    for (const record of this.#changed) {
      if (record.key < start || (end !== undefined && record.key >= end)) continue;
      dropBelow(record, floor);
      if (record.last.before === undefined) this.#changed.delete(record);
    }
    const gone: string[] = [];
    this.#dead.scan(start, end, (record) => {
      dropBelow(record, floor);
      if (record.last.modRevision <= floor) gone.push(record.key);
      return true;
    });
    for (const key of gone) {
      this.#records.delete(key);
      this.#dead.delete(key);
    }
  }
}

function livingOf<V>(record: KeyRecord<V> | undefined): Version<V> | undefined {
  return record?.last instanceof Version ? record.last : undefined;
}

/** The last version made at or before `revision`; undefined when the key did not live then. */
function versionAt<V>({ last }: KeyRecord<V>, revision: number): Version<V> | undefined {
  let version: Version<V> | Removal<V> | undefined = last;
  while (version !== undefined && version.modRevision > revision) version = version.before;
  return version instanceof Version ? version : undefined;
}

function dropBelow<V>({ last }: KeyRecord<V>, floor: number): void {
  let version: Version<V> | Removal<V> | undefined = last;
  while (version !== undefined && version.modRevision > floor) version = version.before;
  version?.forgetBefore();
}
