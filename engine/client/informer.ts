/**
 * Caches of the cluster's objects, fed by watches (client-go's shared informers). One factory per simulated process; an informer
 * per resource is shared by everybody in that process. Deliveries arrive after a virtual latency, in order, several at once when
 * they arrived close together. Handlers are synchronous and must not mutate objects.
 */
import type { Cause } from '../base/causes.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { ResourceType } from './client.ts';

/** A change as a handler sees it. `causes` is what a reaction to it was caused by: the write's revision. */
export type InformerEvent<T extends KubeObject> =
  | { readonly type: 'add'; readonly object: T; readonly causes: readonly Cause[] }
  | { readonly type: 'update'; readonly object: T; readonly old: T; readonly causes: readonly Cause[] }
  | { readonly type: 'delete'; readonly object: T; readonly causes: readonly Cause[] };

/**
 * Sums over the objects of a cache, kept by each change: what is replaced is removed first. Objects never change, so what was added
 * can be taken off again. A cache that is filled anew clears it.
 */
export interface Tally<T extends KubeObject> {
  add(object: T): void;
  remove(object: T): void;
  clear(): void;
}

export interface Lister<T extends KubeObject> {
  get(namespace: string | undefined, name: string): T | undefined;
  /** Objects of a namespace, or all, in key order. */
  list(namespace?: string): readonly T[];
  /** Objects whose index function gave this value, in key order. */
  byIndex(index: string, value: string): readonly T[];
  /** All values that the index function gave for what is there, in order. */
  indexValues(index: string): readonly string[];
}

export interface IndexOptions {
  /** The values follow from namespace, labels, owners and spec alone: a change of the status alone asks for none. */
  readonly ignoresStatus?: boolean;
}

export interface Informer<T extends KubeObject> extends Lister<T> {
  readonly type: ResourceType<T>;
  /** True once the first list has been delivered. */
  readonly synced: boolean;
  /**
   * Handlers run in the order in which they were added; one added late sees an `add` per object in the cache. One that throws costs
   * the others nothing: it is a crash of `owner`, and it is told the same again later, on the object as it is then.
   */
  addHandler(handler: (event: InformerEvent<T>) => void, owner?: string): void;
  /** How many handlers there are. */
  readonly handlerCount: number;
  /** Tells some of the handlers, by number, what is in the cache, as if they were added now. */
  tellAll(from: number, to: number): void;
  /** Adds an index before or after the informer has started. */
  addIndex(index: string, values: (object: T) => readonly string[], options?: IndexOptions): void;
  /** Adds sums over the cache before or after the informer has started; handlers see them as they see the cache. */
  addTally(tally: Tally<T>): void;
}

export interface InformerFactory {
  informer<T extends KubeObject>(type: ResourceType<T>): Informer<T>;
  /** Whether there is one: that of a kind that is served no more goes. Absent where none ever does. */
  has?(type: ResourceType): boolean;
}

/** `namespace/name`, or `name` for cluster-scoped objects. */
export function keyOf(object: KubeObject): string {
  const { namespace, name } = object.metadata;
  return namespace ? `${namespace}/${name}` : `${name}`;
}

export function splitKey(key: string): { readonly namespace: string | undefined; readonly name: string } {
  const slash = key.indexOf('/');
  return slash < 0 ? { namespace: undefined, name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
