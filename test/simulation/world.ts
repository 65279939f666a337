/**
 * The judge's own view of a cluster: what stands in the store, told by its changes alone, with when each thing last changed. Checkers
 * read it; it shares no code with the informers and caches that it judges.
 */
import type { ObjectMeta } from '../../engine/apimachinery/object.ts';
import type { Change } from '../../engine/store/store.ts';

/** Any stored object, as loosely as a judge wants to look at it. */
export interface Thing {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: ObjectMeta;
}

export interface WorldClock {
  nowMs(): number;
}

export class World {
  readonly #clock: WorldClock;
  readonly #shelves = new Map<string, Map<string, Thing>>();
  readonly #changedMs = new Map<string, number>();
  /** By controller UID: keys of the pods that it controls. */
  readonly #podsOf = new Map<string, Set<string>>();
  readonly #lastMs = new Map<string, number>();

  constructor(clock: WorldClock) {
    this.#clock = clock;
  }

  get nowMs(): number {
    return this.#clock.nowMs();
  }

  apply({ key, current, previous }: Pick<Change, 'key' | 'current' | 'previous'>): void {
    const prefix = prefixOf(key);
    const shelf = this.#shelves.get(prefix) ?? new Map<string, Thing>();
    this.#shelves.set(prefix, shelf);
    const now = current?.value as Thing | undefined;
    if (now === undefined) {
      shelf.delete(key);
      this.#changedMs.delete(key);
    } else {
      shelf.set(key, now);
      this.#changedMs.set(key, this.nowMs);
    }
    this.#lastMs.set(`${prefix} ${(now ?? (previous?.value as Thing | undefined))?.metadata.namespace ?? ''}`, this.nowMs);
    if (prefix === 'pods') this.#index(key, now, previous?.value as Thing | undefined);
  }

  /** Everything under a storage prefix such as `pods` or `services/specs`. */
  all<T extends Thing>(prefix: string, namespace?: string): readonly T[] {
    const found = [...(this.#shelves.get(prefix)?.values() ?? [])] as T[];
    return namespace === undefined ? found : found.filter(({ metadata }) => metadata.namespace === namespace);
  }

  get<T extends Thing>(prefix: string, namespace: string | undefined, name: string): T | undefined {
    return this.#shelves.get(prefix)?.get(`/registry/${prefix}/${namespace === undefined ? '' : `${namespace}/`}${name}`) as T | undefined;
  }

  everything(): readonly Thing[] {
    return [...this.#shelves.values()].flatMap((shelf) => [...shelf.values()]);
  }

  podsOf<T extends Thing>(controllerUid: string | undefined): readonly T[] {
    const shelf = this.#shelves.get('pods');
    return [...(this.#podsOf.get(controllerUid ?? '') ?? [])].flatMap((key) => (shelf?.get(key) as T | undefined) ?? []);
  }

  /** How long this object has been as it is. */
  ageMs(prefix: string, { metadata: { namespace, name = '' } }: Thing): number {
    return this.nowMs - (this.#changedMs.get(`/registry/${prefix}/${namespace === undefined ? '' : `${namespace}/`}${name}`) ?? this.nowMs);
  }

  /** How long nothing of this kind has changed in a namespace. */
  calmMs(prefix: string, namespace = ''): number {
    return this.nowMs - (this.#lastMs.get(`${prefix} ${namespace}`) ?? Number.NEGATIVE_INFINITY);
  }

  #index(key: string, now: Thing | undefined, before: Thing | undefined): void {
    const from = controllerUid(before);
    const to = controllerUid(now);
    if (from === to) return;
    if (from !== undefined) this.#podsOf.get(from)?.delete(key);
    if (to === undefined) return;
    const keys = this.#podsOf.get(to) ?? new Set();
    this.#podsOf.set(to, keys.add(key));
  }
}

/** `pods`, `services/specs`: the part of a key between `/registry/` and the name of the object or its namespace. */
export function prefixOf(key: string): string {
  const [, , first = '', second = ''] = key.split('/');
  return first === 'services' || first.includes('.') ? `${first}/${second}` : first;
}

export function controllerUid(thing: Thing | undefined): string | undefined {
  return thing?.metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid;
}

/** Label selectors of the form that the swarm writes. */
export function selects(selector: { readonly [key: string]: string } | undefined, labels: { readonly [key: string]: string } = {}): boolean {
  return selector !== undefined && Object.entries(selector).every(([key, value]) => labels[key] === value);
}

export function nameOf({ kind, metadata }: Thing): string {
  return `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`;
}
