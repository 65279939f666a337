/** Numbers by slot, side by side in memory, so that those of a hundred thousand rows are read in passing. They grow as they are written. */

const lengthFirst = 1_024;

export class FloatColumn {
  #values = new Float64Array(lengthFirst);

  get(slot: number): number {
    return this.#values[slot] as number;
  }

  set(slot: number, value: number): void {
    if (slot >= this.#values.length) {
      const grown = new Float64Array(Math.max(slot + 1, this.#values.length * 2));
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[slot] = value;
  }
}

export class IntColumn {
  #values = new Int32Array(lengthFirst);

  /** 0 where nothing was written. */
  get(slot: number): number {
    return slot < this.#values.length ? (this.#values[slot] as number) : 0;
  }

  set(slot: number, value: number): void {
    if (slot >= this.#values.length) {
      const grown = new Int32Array(Math.max(slot + 1, this.#values.length * 2));
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[slot] = value;
  }
}

/** Texts one after the other, so that all are searched in passing: each on its own lies somewhere else in memory. */
interface Piece {
  readonly first: number;
  readonly text: string;
  /** Where each begins, and where one after the last would. */
  readonly starts: Int32Array;
}

const pieceLength = 4_096;
/** In no text that has a number. */
const between = '\n';

/** Texts by number, so that rows hold and compare numbers; '' is 0. */
export class Numbered {
  readonly #numbers = new Map<string, number>([['', 0]]);
  readonly #texts: string[] = [''];
  /** Made when something is searched; what came after the last is searched one by one. */
  readonly #pieces: Piece[] = [];

  get size(): number {
    return this.#texts.length;
  }

  of(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.#texts.length;
      this.#texts.push(text);
      this.#numbers.set(text, number);
    }
    return number;
  }

  /** Undefined where no row has it. */
  find(text: string): number | undefined {
    return this.#numbers.get(text);
  }

  text(number: number): string {
    return this.#texts[number] as string;
  }

  /** 1 for each number whose text has `part`, which is not ''. */
  having(part: string): Uint8Array {
    const found = new Uint8Array(this.size);
    if (part.includes(between)) return found;
    let rest = this.#pieces.length * pieceLength;
    for (; rest + pieceLength <= this.size; rest += pieceLength) this.#pieces.push(pieceOf(this.#texts, rest));
    for (const piece of this.#pieces) searchPiece(piece, part, found);
    for (; rest < this.size; rest++) if (this.text(rest).includes(part)) found[rest] = 1;
    return found;
  }
}

function pieceOf(texts: readonly string[], first: number): Piece {
  const own = texts.slice(first, first + pieceLength);
  const starts = new Int32Array(own.length + 1);
  for (const [place, text] of own.entries()) starts[place + 1] = (starts[place] as number) + text.length + between.length;
  return { first, text: own.join(between), starts };
}

function searchPiece({ first, text, starts }: Piece, part: string, found: Uint8Array): void {
  let place = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, starts[place])) {
    while ((starts[place + 1] as number) <= at) place++;
    found[first + place++] = 1;
  }
}
