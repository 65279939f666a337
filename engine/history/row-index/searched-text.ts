/** A text that is searched: in the id of a row, in its kind and in the node that it is on. */
import type { RowIndex } from './row-index.ts';

/** So many ids are looked at one by one: what changed since the same was asked is little. */
const fewMax = 1_000;

type Rows = Pick<RowIndex, 'id' | 'idText' | 'idsHaving' | 'kind' | 'place' | 'word'>;

/** For one query: thousands of rows share a kind and a node, in whose names it is looked for once. */
export class SearchedText {
  readonly #index: Rows;
  readonly #text: string;
  readonly #kinds = new Map<number, boolean>();
  readonly #nodes = new Map<number, boolean>();
  #asked = 0;
  #ids: Uint8Array | undefined;

  /** `text` is lower case, and not ''. */
  constructor(index: Rows, text: string) {
    this.#index = index;
    this.#text = text;
  }

  isOf(slot: number): boolean {
    const index = this.#index;
    return (
      this.#isInId(index.id(slot)) ||
      this.#isIn(this.#kinds, index.kind(slot), (kind) => kind.toLowerCase()) ||
      this.#isIn(this.#nodes, index.place(slot), (node) => node)
    );
  }

  #isInId(id: number): boolean {
    if (this.#ids === undefined && ++this.#asked <= fewMax) return this.#index.idText(id).includes(this.#text);
    this.#ids ??= this.#index.idsHaving(this.#text);
    return this.#ids[id] === 1;
  }

  #isIn(known: Map<number, boolean>, word: number, read: (word: string) => string): boolean {
    let isIn = known.get(word);
    if (isIn === undefined) known.set(word, (isIn = read(this.#index.word(word)).includes(this.#text)));
    return isIn;
  }
}
