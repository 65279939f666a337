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

/** Texts by number, so that rows hold and compare numbers; '' is 0. */
export class Numbered {
  readonly #numbers = new Map<string, number>([['', 0]]);
  readonly #texts: string[] = [''];

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
}
