/** What informers of every transport share: the cache, its indexes, the handlers, and how one change reaches them. */
import { assert } from '../base/assert.ts';
import { type Cause, writeCause } from '../base/causes.ts';
import type { SharedTexts } from '../base/shared-values.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { ResourceType } from './client.ts';
import { InformerCache } from './informer-cache.ts';
import { type IndexOptions, type Informer, type InformerEvent, keyOf, type Tally } from './informer.ts';

/** A handler threw: what it is to be told again. Plain data. */
export interface HandlerCrash<T extends KubeObject = KubeObject> {
  /** Its number among the handlers of its informer. */
  readonly handler: number;
  readonly event: InformerEvent<T>;
  /** How often it has thrown at this. */
  readonly attempts: number;
}

/** Back-off before the handler is told again: 1 s, doubling to 5 min. */
export function redeliveryMs(attempts: number): number {
  return Math.min(300_000, 1000 * 2 ** Math.min(attempts - 1, 20));
}

export abstract class CachedInformer<T extends KubeObject> implements Informer<T> {
  readonly type: ResourceType<T>;
  protected readonly cache: InformerCache<T>;
  readonly #handlers: { readonly handle: (event: InformerEvent<T>) => void; readonly owner: string | undefined }[] = [];
  #synced = false;

  constructor(type: ResourceType<T>, keys?: SharedTexts) {
    this.type = type;
    this.cache = new InformerCache<T>(keys);
  }

  get synced(): boolean {
    return this.#synced;
  }

  get(namespace: string | undefined, name: string): T | undefined {
    return this.cache.get(namespace ? `${namespace}/${name}` : name);
  }

  list(namespace?: string): readonly T[] {
    return this.cache.list(namespace);
  }

  byIndex(index: string, value: string): readonly T[] {
    return this.cache.byIndex(index, value);
  }

  indexValues(index: string): readonly string[] {
    return this.cache.indexValues(index);
  }

  addIndex(index: string, values: (object: T) => readonly string[], options?: IndexOptions): void {
    this.cache.addIndex(index, values, options);
  }

  addTally(tally: Tally<T>): void {
    this.cache.addTally(tally);
  }

  addHandler(handle: (event: InformerEvent<T>) => void, owner?: string): void {
    const handler = this.#handlers.push({ handle, owner }) - 1;
    this.tellAll(handler, handler + 1);
  }

  get handlerCount(): number {
    return this.#handlers.length;
  }

  tellAll(from: number, to: number): void {
    assert(from <= to && to <= this.#handlers.length, 'handlers that are told are there');
    for (let handler = from; handler < to; handler++)
      for (const object of this.cache.list()) this.#tellOne(handler, { type: 'add', object, causes: causesOf(object) }, 0);
  }

  /** Tells a handler again what it threw at, on the object as it is now; what is out of date by now is not told. */
  redeliver({ handler, event, attempts }: HandlerCrash<T>): void {
    assert(attempts > 0 && handler < this.#handlers.length, 'what is told again was told to a handler that is there');
    const current = this.cache.get(keyOf(event.object));
    if ((current === undefined) !== (event.type === 'delete')) return;
    this.#tellOne(handler, current === undefined ? event : ({ ...event, object: current } as InformerEvent<T>), attempts);
  }

  /** A handler of `owner` threw: it is told again later, through `redeliver`. */
  protected abstract handlerCrashed(crash: HandlerCrash<T>, owner: string | undefined, error: unknown): void;

  protected markSynced(): void {
    this.#synced = true;
  }

  /** Puts an object into the cache and tells what that was. */
  protected store(object: T, causes: readonly Cause[]): void {
    const old = this.cache.put(keyOf(object), object);
    assert(old === undefined || revisionOf(old) <= revisionOf(object), 'a cache never goes back');
    this.#tell(old === undefined ? { type: 'add', object, causes } : { type: 'update', object, old, causes });
  }

  /** Tells only what differs from the cache. */
  protected replace(items: readonly T[]): void {
    const listed = new Set(items.map(keyOf));
    for (const object of this.cache.list()) if (!listed.has(keyOf(object))) this.remove(object, causesOf(object));
    for (const object of items) {
      const old = this.cache.get(keyOf(object));
      // One of the same name that was made anew while nobody watched is another object.
      if (old !== undefined && old.metadata.uid !== object.metadata.uid) this.remove(old, causesOf(old));
      if (old?.metadata.resourceVersion !== object.metadata.resourceVersion) this.store(object, causesOf(object));
    }
  }

  protected remove(object: T, causes: readonly Cause[]): void {
    if (this.cache.delete(keyOf(object)) !== undefined) this.#tell({ type: 'delete', object, causes });
  }

  #tell(event: InformerEvent<T>): void {
    for (let handler = 0; handler < this.#handlers.length; handler++) this.#tellOne(handler, event, 0);
  }

  #tellOne(handler: number, event: InformerEvent<T>, attempts: number): void {
    const one = this.#handlers[handler];
    try {
      one?.handle(event);
    } catch (error) {
      this.handlerCrashed({ handler, event, attempts: attempts + 1 }, one?.owner, error);
    }
  }
}

export function revisionOf(object: KubeObject): number {
  return Number(object.metadata.resourceVersion);
}

export function causesOf(object: KubeObject): readonly Cause[] {
  return [writeCause(revisionOf(object))];
}

export function idOf({ group, version, resource }: ResourceType): string {
  return `${group}/${version}/${resource}`;
}
