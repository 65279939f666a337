/**
 * One revision of one key, as a value that is stored and as the change that made it: most of what a store holds are these, so they are
 * one object, which leads to the one before it.
 */
import { assert } from '../base/assert.ts';
import { type Cause, type Causes, causesOf, packCauses } from '../base/causes.ts';
import { Lazy } from './lazy.ts';
import type { Change, ChangeMeta, Encoding, Stamp, StoredValue } from './store.ts';

export type VersionIdentity = Pick<StoredValue, 'key' | 'createRevision' | 'modRevision' | 'version'>;

/** What is the same for all versions of a store. */
export interface SharedByVersions<V> {
  readonly stamp: Stamp<V> | undefined;
  weigh(value: V): number;
  /** What wire forms take, in all. Those of versions that are gone count until all are dropped. */
  encodedBytes: number;
}

/** What a put and a delete have in common. It is its own meta. */
abstract class Revision<V> implements ChangeMeta {
  readonly key: string;
  readonly modRevision: number;
  virtualMs: number;
  identity: string;
  #causes: Causes;
  /** What the key was before, as far back as is retained. */
  #before: Version<V> | Removal<V> | undefined;

  constructor(key: string, modRevision: number, meta: ChangeMeta, before: Version<V> | Removal<V> | undefined) {
    assert(before === undefined || before.modRevision < modRevision, 'revisions of a key rise');
    this.key = key;
    this.modRevision = modRevision;
    this.virtualMs = meta.virtualMs;
    this.identity = meta.identity;
    this.#causes = packCauses(meta.causes);
    this.#before = before;
  }

  get before(): Version<V> | Removal<V> | undefined {
    return this.#before;
  }

  /** Of a restored one: who made it, and what was before. */
  complete(meta: ChangeMeta, before: Version<V> | Removal<V> | undefined): void {
    this.virtualMs = meta.virtualMs;
    this.identity = meta.identity;
    this.#causes = packCauses(meta.causes);
    this.follow(before);
  }

  /** Of the first one that a restored store knows of a key: what was before. */
  follow(before: Version<V> | Removal<V> | undefined): void {
    assert(this.#before === undefined && (before === undefined || before.modRevision < this.modRevision), 'nothing was known of what was before');
    this.#before = before;
  }

  forgetBefore(): void {
    this.#before = undefined;
  }

  get revision(): number {
    return this.modRevision;
  }

  get previous(): Version<V> | undefined {
    return this.#before instanceof Version ? this.#before : undefined;
  }

  get causes(): readonly Cause[] {
    return causesOf(this.#causes);
  }

  get meta(): ChangeMeta {
    return this;
  }
}

export class Removal<V> extends Revision<V> implements Change<V> {
  get type(): 'delete' {
    return 'delete';
  }

  get current(): undefined {
    return undefined;
  }
}

export class Version<V> extends Revision<V> implements StoredValue<V>, Change<V> {
  readonly createRevision: number;
  readonly version: number;
  #weight: number | undefined;
  #value: V | Lazy<V>;
  /** The stamp until it has done its work; then the wire forms, when there are any. */
  #wire: Stamp<V> | Map<string, Encoding> | undefined;
  readonly #shared: SharedByVersions<V>;

  constructor(
    { key, createRevision, modRevision, version }: VersionIdentity,
    value: V | Lazy<V>,
    meta: ChangeMeta,
    before: Version<V> | Removal<V> | undefined,
    shared: SharedByVersions<V>,
    weight?: number,
  ) {
    super(key, modRevision, meta, before);
    this.createRevision = createRevision;
    this.version = version;
    this.#weight = weight;
    this.#value = value;
    this.#wire = shared.stamp;
    this.#shared = shared;
  }

  get type(): 'put' {
    return 'put';
  }

  get current(): this {
    return this;
  }

  get value(): V {
    if (this.#value instanceof Lazy) this.#value = this.#value.get();
    if (typeof this.#wire === 'function') {
      this.#value = this.#wire(this.#value, this.modRevision);
      this.#wire = undefined;
    }
    return this.#value;
  }

  /** Of a version that was restored it is found out when somebody asks. */
  get weight(): number {
    this.#weight ??= this.#shared.weigh(this.#value instanceof Lazy ? this.#value.get() : this.#value);
    return this.#weight;
  }

  getEncoding<E extends Encoding>(mediaKey: string, make: () => E): E {
    const known = typeof this.#wire === 'object' ? this.#wire.get(mediaKey) : undefined;
    if (known !== undefined) return known as E;
    const encoding = make();
    // Whoever encodes has read the value, or had no need to.
    void this.value;
    const encodings = (this.#wire ?? new Map<string, Encoding>()) as Map<string, Encoding>;
    this.#wire = encodings.set(mediaKey, encoding);
    this.#shared.encodedBytes += encoding.length;
    return encoding;
  }

  dropEncodings(): void {
    if (typeof this.#wire === 'object') this.#wire = undefined;
  }
}
