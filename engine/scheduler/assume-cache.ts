/** What the scheduler takes objects to be before the API tells so (util/assumecache). */
import type { KubeObject } from '../apimachinery/object.ts';
import { type Informer, type InformerEvent, keyOf } from '../client/informer.ts';
import { Action, type ClusterChange, type EventResource } from './framework/cluster-events.ts';

/** What a piece of news may mean for pods that wait. */
export function changeOf<T extends KubeObject>(event: InformerEvent<T>, resource: EventResource): ClusterChange {
  if (event.type === 'add') return { resource, action: Action.add, new: event.object };
  if (event.type === 'delete') return { resource, action: Action.delete, old: event.object };
  return { resource, action: Action.updateOther, old: event.old, new: event.object };
}

/** An informer's objects, some of them assumed to be otherwise. */
export class AssumeCache<T extends KubeObject> {
  readonly informer: Informer<T>;
  readonly #assumed = new Map<string, T>();

  /** `onNews` hears of every object that is now as the API told, and of those that are gone. */
  constructor(informer: Informer<T>, onNews: (object: T, isGone: boolean) => void = () => {}) {
    this.informer = informer;
    informer.addHandler(({ type, object }) => {
      const assumed = this.#assumed.get(keyOf(object));
      if (assumed !== undefined && type !== 'delete' && revisionOf(object) < revisionOf(assumed)) return;
      this.#assumed.delete(keyOf(object));
      onNews(object, type === 'delete');
    });
  }

  list(): readonly T[] {
    return this.informer.list().map((known) => this.newest(known));
  }

  get(namespace: string | undefined, name: string): T | undefined {
    const known = this.informer.get(namespace, name);
    return known === undefined ? this.#assumed.get(keyOf({ metadata: { namespace, name } } as T)) : this.newest(known);
  }

  newest(known: T): T {
    return this.#assumed.get(keyOf(known)) ?? known;
  }

  assume(object: T): T {
    const { namespace, name = '' } = object.metadata;
    const known = this.informer.get(namespace, name);
    // What is newer than the news, or as new and changed here, holds until there are newer ones.
    if (known === undefined && this.#assumed.has(keyOf(object))) return this.assumeMade(object);
    if (known !== undefined && revisionOf(known) <= revisionOf(object) && known !== object) this.#assumed.set(keyOf(object), object);
    return object;
  }

  /** One that was made here, of which there is no news yet. */
  assumeMade(object: T): T {
    const { namespace, name = '' } = object.metadata;
    if (this.informer.get(namespace, name) !== undefined) return this.assume(object);
    this.#assumed.set(keyOf(object), object);
    return object;
  }

  restore(object: T): void {
    this.#assumed.delete(keyOf(object));
  }
}

function revisionOf({ metadata }: KubeObject): number {
  return Number(metadata.resourceVersion);
}
