/** Configurations of webhooks and policies by name, and what is made of each once for as long as it does not change. */
import type { KubeObject } from '../../../apimachinery/object.ts';

/** Stored objects below a prefix, with a number that rises when one of them changes. */
export interface WatchedObjects {
  readonly generation: number;
  list(): readonly KubeObject[];
}

/** `make` is called again for an object that changed; the others keep what was made of them. */
export class MadeOf<T> {
  readonly #objects: WatchedObjects;
  readonly #make: (object: KubeObject) => T;
  #generation = -1;
  #byObject = new Map<KubeObject, T>();
  #made: readonly T[] = [];

  constructor(objects: WatchedObjects, make: (object: KubeObject) => T) {
    this.#objects = objects;
    this.#make = make;
  }

  /** In order of name. */
  list(): readonly T[] {
    if (this.#objects.generation === this.#generation) return this.#made;
    this.#generation = this.#objects.generation;
    const sorted = [...this.#objects.list()].sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
    const next = new Map(sorted.map((object) => [object, this.#byObject.get(object) ?? this.#make(object)] as const));
    this.#byObject = next;
    this.#made = [...next.values()];
    return this.#made;
  }
}
