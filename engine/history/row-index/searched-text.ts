/** A text that is searched: in the id of a row, in its kind and in the node that it is on. */
import type { RowIndex } from './row-index.ts';

/** For one query: thousands of rows share a kind and a node, in whose names it is looked for once. */
export class SearchedText {
  readonly #index: RowIndex;
  readonly #text: string;
  readonly #kinds = new Map<number, boolean>();
  readonly #nodes = new Map<number, boolean>();

  /** `text` is lower case. */
  constructor(index: RowIndex, text: string) {
    this.#index = index;
    this.#text = text;
  }

  isOf(slot: number): boolean {
    const index = this.#index;
    if (index.idText(index.id(slot)).includes(this.#text)) return true;
    return this.#isIn(this.#kinds, index.kind(slot), (kind) => kind.toLowerCase()) || this.#isIn(this.#nodes, index.place(slot), (node) => node);
  }

  #isIn(known: Map<number, boolean>, word: number, read: (word: string) => string): boolean {
    let isIn = known.get(word);
    if (isIn === undefined) known.set(word, (isIn = read(this.#index.word(word)).includes(this.#text)));
    return isIn;
  }
}
