/** Lines that are kept as text, many of them: as places in the blocks that they were read in, without an object for each. */
import type { LineAt } from './log-reader.ts';

export class KeptLines {
  readonly #blocks: Buffer[] = [];
  /** Of each line its block, by number, and where it begins and ends there. */
  readonly #places: number[] = [];

  add({ block, start, end }: LineAt): void {
    if (this.#blocks.at(-1) !== block) this.#blocks.push(block);
    this.#places.push(this.#blocks.length - 1, start, end);
  }

  /** In the order in which they came. */
  *[Symbol.iterator](): Generator<Buffer> {
    const places = this.#places;
    for (let at = 0; at < places.length; at += 3) yield (this.#blocks[places[at] as number] as Buffer).subarray(places[at + 1], places[at + 2]);
  }
}
