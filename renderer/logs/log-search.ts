/** Lines with a text in them, found as they come; small letters find large ones too. */
import type { LineStore } from './log-lines.ts';

export class LogSearch {
  readonly #lines: LineStore;
  readonly #text: string;
  readonly #exact: boolean;
  #hits: number[] = [];
  #searched = 0;

  constructor(lines: LineStore, text: string) {
    this.#lines = lines;
    this.#exact = text !== text.toLowerCase();
    this.#text = text;
  }

  /** Their numbers, oldest first. */
  hits(): readonly number[] {
    const { first, count } = this.#lines;
    for (let number = Math.max(this.#searched, first); number < first + count; number++)
      if (this.placeIn(this.#lines.at(number)?.plain ?? '', 0) >= 0) this.#hits.push(number);
    this.#searched = first + count;
    const gone = this.#hits.findIndex((number) => number >= first);
    if (gone !== 0) this.#hits = gone < 0 ? [] : this.#hits.slice(gone);
    return this.#hits;
  }

  get length(): number {
    return this.#text.length;
  }

  /** Where the text next stands in a line, or -1. */
  placeIn(line: string, from: number): number {
    if (this.#text === '') return -1;
    return (this.#exact ? line : line.toLowerCase()).indexOf(this.#text, from);
  }
}
