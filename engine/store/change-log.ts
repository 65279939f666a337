/**
 * All remembered changes by rising revision. Revisions may have gaps (skipped or freed ones), so positions are searched;
 * without gaps the first guess is right.
 */
import { assert } from '../base/assert.ts';
import type { Change } from './store.ts';

export class ChangeLog<V> {
  #changes: Change<V>[] = [];

  append(change: Change<V>): void {
    assert(change.revision > (this.#changes.at(-1)?.revision ?? 0), 'revisions rise');
    this.#changes.push(change);
  }

  /** Puts changes before all there are. */
  precede(earlier: readonly Change<V>[]): void {
    assert((earlier.at(-1)?.revision ?? 0) < (this.#changes[0]?.revision ?? Number.POSITIVE_INFINITY), 'they are earlier');
    this.#changes = [...earlier, ...this.#changes];
  }

  at(revision: number): Change<V> | undefined {
    const change = this.#changes[this.#firstAfter(revision - 1)];
    return change?.revision === revision ? change : undefined;
  }

  between(afterRevision: number, throughRevision: number, wants: (key: string) => boolean): Change<V>[] {
    const found: Change<V>[] = [];
    for (let index = this.#firstAfter(afterRevision); index < this.#changes.length; index++) {
      const change = this.#changes[index] as Change<V>;
      if (change.revision > throughRevision) break;
      if (wants(change.key)) found.push(change);
    }
    return found;
  }

  forget(floor: number, prefix: string): void {
    const kept = this.#firstAfter(floor);
    if (prefix === '') this.#changes = this.#changes.slice(kept);
    else this.#changes = this.#changes.filter((change, index) => index >= kept || !change.key.startsWith(prefix));
  }

  #firstAfter(revision: number): number {
    const guess = revision - (this.#changes[0]?.revision ?? 0);
    if (this.#changes[guess]?.revision === revision) return guess + 1;
    let low = 0;
    let high = this.#changes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#changes[middle] as Change<V>).revision <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
