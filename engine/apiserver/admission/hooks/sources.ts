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

/** Configurations that lie on disk, and those of the API. */
export interface Placed<T> {
  readonly onDisk: T;
  readonly api: T;
}

/** Both, those on disk first. They alone are asked about what could shut itself out if it came by the API. */
export class Layers<T> {
  readonly #places: Placed<{ list(): readonly T[] }>;
  #onDisk: readonly T[] = [];
  #api: readonly T[] = [];
  #all: readonly T[] = [];

  constructor(places: Placed<{ list(): readonly T[] }>) {
    this.#places = places;
  }

  list(isExempt: boolean): readonly T[] {
    const onDisk = this.#places.onDisk.list();
    if (isExempt) return onDisk;
    const api = this.#places.api.list();
    if (onDisk.length === 0) return api;
    if (onDisk === this.#onDisk && api === this.#api) return this.#all;
    [this.#onDisk, this.#api] = [onDisk, api];
    this.#all = [...onDisk, ...api];
    return this.#all;
  }
}
