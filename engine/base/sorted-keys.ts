/**
 * Entries in order of their keys, as a list of short sorted chunks: insert and delete search two levels and shift one short
 * array, a scan is a plain walk. The one sorted container of the house: the store's index and the caches stand on it (the caches by `sorted-later.ts`). Keys are ASCII, so
 * code-unit order is the byte order etcd promises.
 *
 *   chunks [[a c e] [f h] [k m z]]: find 'h' = last chunk whose first key <= 'h', then binary search in it
 */
import { assert } from './assert.ts';

const chunkMax = 512;

export class SortedKeys<E extends { readonly key: string }> {
  readonly #chunks: E[][] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  insert(entry: E): void {
    const chunkIndex = this.#chunkOf(entry.key);
    const chunk = this.#chunks[chunkIndex];
    this.#size++;
    if (chunk === undefined) {
      this.#chunks.push([entry]);
      return;
    }
    const at = lowerBound(chunk, entry.key);
    assert(chunk[at]?.key !== entry.key, `${entry.key} is new to the index`);
    if (at === chunk.length) chunk.push(entry);
    else chunk.splice(at, 0, entry);
    if (chunk.length <= chunkMax) return;
    // Keys often arrive in order; a full last chunk is left nearly full instead of half empty.
    const appending = at === chunk.length - 1 && chunkIndex === this.#chunks.length - 1;
    this.#chunks.splice(chunkIndex + 1, 0, chunk.splice(appending ? chunkMax : chunkMax >> 1));
  }

  delete(key: string): void {
    const chunkIndex = this.#chunkOf(key);
    const chunk = this.#chunks[chunkIndex];
    const at = chunk === undefined ? 0 : lowerBound(chunk, key);
    assert(chunk?.[at]?.key === key, `${key} is in the index`);
    chunk.splice(at, 1);
    this.#size--;
    if (chunk.length === 0) this.#chunks.splice(chunkIndex, 1);
  }

  /** How many keys come before `key`; all of them without a key. */
  rank(key: string | undefined): number {
    const last = key === undefined ? this.#chunks.length : this.#chunkOf(key);
    let before = 0;
    for (let index = 0; index < last; index++) before += this.#chunks[index]?.length ?? 0;
    const chunk = this.#chunks[last];
    return key === undefined || chunk === undefined ? before : before + lowerBound(chunk, key);
  }

  /** Visits entries from `start` on, before `end`, until the visitor answers false. */
  scan(start: string, end: string | undefined, visit: (entry: E) => boolean): void {
    let chunkIndex = this.#chunkOf(start);
    let at = lowerBound(this.#chunks[chunkIndex] ?? [], start);
    for (; chunkIndex < this.#chunks.length; chunkIndex++, at = 0) {
      const chunk = this.#chunks[chunkIndex] as E[];
      const stop = end === undefined || (chunk.at(-1) as E).key < end ? chunk.length : lowerBound(chunk, end);
      for (; at < stop; at++) if (!visit(chunk[at] as E)) return;
      if (stop < chunk.length) return;
    }
  }

  clear(): void {
    this.#chunks.length = 0;
    this.#size = 0;
  }

  /** Index of the last chunk whose first key is not above `key`; 0 if there is none. */
  #chunkOf(key: string): number {
    let low = 0;
    let high = this.#chunks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (((this.#chunks[middle] as E[])[0] as E).key <= key) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

export function lowerBound(chunk: readonly { readonly key: string }[], key: string): number {
  let low = 0;
  let high = chunk.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((chunk[middle] as { readonly key: string }).key < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
