/** Objects of a cache in key order. An entry is shared between the cache and its indexes; an update touches the entry only. */
export interface Entry<T> {
  readonly key: string;
  object: T;
}

/** An index bucket: entries sorted by key, with binary insertion. */
export class SortedEntries<T> {
  readonly #entries: Entry<T>[] = [];

  get size(): number {
    return this.#entries.length;
  }

  add(entry: Entry<T>): void {
    this.#entries.splice(this.#position(entry.key), 0, entry);
  }

  remove(key: string): void {
    const position = this.#position(key);
    if (this.#entries[position]?.key === key) this.#entries.splice(position, 1);
  }

  objects(): readonly T[] {
    return this.#entries.map((entry) => entry.object);
  }

  #position(key: string): number {
    const entries = this.#entries;
    let low = 0;
    let high = entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((entries[middle] as Entry<T>).key < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
