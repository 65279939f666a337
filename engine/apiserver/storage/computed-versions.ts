/**
 * Versions of a computed collection. What is computed has no revisions: each list, and each event of a watch, gets a number of its own, and
 * the newest lists are kept under theirs. So a client that comes back with one is told exactly what has changed since, and is told to begin
 * anew (410) where its list is no longer known. Outside of history.
 */
import { newExpired } from '../../apimachinery/errors.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import type { ListOptions } from '../../contracts/request.ts';
import type { ListAnswer } from '../../contracts/rest-storage.ts';
import { decodeContinue, encodeContinue } from '../../registry/continue-token.ts';

const listsMax = 16;
/** Of all lists that are kept; the newest is, however long. */
const objectsMax = 50_000;
const prefix = '/';

export class ComputedVersions {
  readonly #kept = new Map<number, readonly KubeObject[]>();
  #last: number;

  /** Numbers go on from `first`: of another process they should be others. */
  constructor(first: number) {
    this.#last = first;
  }

  get last(): number {
    return this.#last;
  }

  next(): number {
    return ++this.#last;
  }

  keep(version: number, objects: readonly KubeObject[]): void {
    this.#kept.delete(version);
    this.#kept.set(version, objects);
    let count = 0;
    for (const list of this.#kept.values()) count += list.length;
    for (const [oldest, list] of this.#kept) {
      if (oldest === version || (this.#kept.size <= listsMax && count <= objectsMax)) return;
      this.#kept.delete(oldest);
      count -= list.length;
    }
  }

  /** The list of a version. Throws 410 Expired where it is not known any more. */
  find(version: string): readonly KubeObject[] {
    const kept = this.#kept.get(Number(version));
    if (kept === undefined) throw newExpired(`too old resource version: ${version} (${this.#last})`);
    return kept;
  }

  /** A list, or the page of it that is asked for: pages are all of the list that the first of them was of. */
  list({ limit = 0, continue: token, resourceVersion = '', resourceVersionMatch }: ListOptions, current: () => readonly KubeObject[]): ListAnswer {
    if (token !== undefined && token !== '') return this.#page(token, limit);
    if (resourceVersionMatch === 'Exact') return this.#from(Number(resourceVersion), this.find(resourceVersion), 0, limit);
    const objects = current();
    const version = this.next();
    this.keep(version, objects);
    return this.#from(version, objects, 0, limit);
  }

  #page(token: string, limit: number): ListAnswer {
    const { startKey, revision } = decodeContinue(token, prefix);
    const objects = this.#kept.get(Number(revision));
    const from = Number.parseInt(startKey.slice(prefix.length), 10);
    if (objects === undefined || !(from >= 0)) throw newExpired(lostPage);
    return this.#from(Number(revision), objects, from, limit);
  }

  #from(version: number, objects: readonly KubeObject[], from: number, limit: number): ListAnswer {
    const to = limit > 0 ? Math.min(from + limit, objects.length) : objects.length;
    const more =
      to < objects.length ? { continue: encodeContinue(`${prefix}${to}`, prefix, version), remainingItemCount: objects.length - to } : undefined;
    return {
      metadata: { resourceVersion: String(version), ...more },
      items: objects.slice(from, to).map((object) => ({ object: atVersion(object, version) })),
    };
  }
}

/** Upstream's words. */
const lostPage =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.';

export function atVersion(object: KubeObject, version: number): KubeObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
}
