/**
 * Entries in order of their keys for those who come and go more often than they are listed: an entry finds its place when somebody
 * looks, not when it comes. Caches keep every object in several lists, most of which nobody asks for.
 */
import { SortedKeys } from './sorted-keys.ts';

export class SortedLater<E extends { readonly key: string }> {
  readonly #sorted = new SortedKeys<E>();
  /** Came since somebody looked, by key. */
  readonly #fresh = new Map<string, E>();

  get size(): number {
    return this.#sorted.size + this.#fresh.size;
  }

  /** Whoever inserts knows that the key is not there. */
  insert(entry: E): void {
    this.#fresh.set(entry.key, entry);
  }

  delete(key: string): void {
    if (!this.#fresh.delete(key)) this.#sorted.delete(key);
  }

  /** All entries, in order. Throws for a key that came twice. */
  visit(see: (entry: E) => void): void {
    this.#settle();
    this.#sorted.scan('', undefined, (entry) => {
      see(entry);
      return true;
    });
  }

  clear(): void {
    this.#sorted.clear();
    this.#fresh.clear();
  }

  #settle(): void {
    for (const entry of this.#fresh.values()) this.#sorted.insert(entry);
    this.#fresh.clear();
  }
}
