/** What informers of every transport share: the cache, its indexes, the handlers, and how one change reaches them. */
import { type Cause, writeCause } from '../base/causes.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { ResourceType } from './client.ts';
import { InformerCache } from './informer-cache.ts';
import { type Informer, type InformerEvent, keyOf } from './informer.ts';

export abstract class CachedInformer<T extends KubeObject> implements Informer<T> {
  readonly type: ResourceType<T>;
  protected readonly cache = new InformerCache<T>();
  readonly #handlers: ((event: InformerEvent<T>) => void)[] = [];
  #synced = false;

  constructor(type: ResourceType<T>) {
    this.type = type;
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

  addIndex(index: string, values: (object: T) => readonly string[]): void {
    this.cache.addIndex(index, values);
  }

  addHandler(handler: (event: InformerEvent<T>) => void): void {
    for (const object of this.cache.list()) handler({ type: 'add', object, causes: causesOf(object) });
    this.#handlers.push(handler);
  }

  protected markSynced(): void {
    this.#synced = true;
  }

  /** Puts an object into the cache and tells what that was. */
  protected store(object: T, causes: readonly Cause[]): void {
    const old = this.cache.put(keyOf(object), object);
    this.#tell(old === undefined ? { type: 'add', object, causes } : { type: 'update', object, old, causes });
  }

  protected remove(object: T, causes: readonly Cause[]): void {
    if (this.cache.delete(keyOf(object)) !== undefined) this.#tell({ type: 'delete', object, causes });
  }

  #tell(event: InformerEvent<T>): void {
    for (const handler of this.#handlers) handler(event);
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
