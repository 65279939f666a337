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

/** Short lists of numbers by slot, one after the other in memory. */
export class FloatLists {
  #values = new Float64Array(lengthFirst);
  readonly #starts = new IntColumn();
  readonly #counts = new IntColumn();
  readonly #rooms = new IntColumn();
  #slotCount = 0;
  #end = 0;
  /** Places that lists have left because they had become too long for them. */
  #left = 0;

  set(slot: number, count: number, valueAt: (index: number) => number): void {
    if (count > this.#rooms.get(slot)) this.#move(slot, count);
    const start = this.#starts.get(slot);
    for (let index = 0; index < count; index++) this.#values[start + index] = valueAt(index);
    this.#counts.set(slot, count);
  }

  /** The greatest from one number to another, both counted; −1 where there is none. */
  greatestWithin(slot: number, from: number, to: number): number {
    const [start, values] = [this.#starts.get(slot), this.#values];
    let greatest = -1;
    for (let at = start + this.#counts.get(slot) - 1; at >= start; at--) {
      const value = values[at] as number;
      if (value >= from && value <= to && value > greatest) greatest = value;
    }
    return greatest;
  }

  #move(slot: number, count: number): void {
    this.#left += this.#rooms.get(slot);
    this.#counts.set(slot, 0);
    this.#slotCount = Math.max(this.#slotCount, slot + 1);
    const room = count + (count >> 1) + 1;
    if (this.#end + room > this.#values.length) this.#grow(room);
    this.#starts.set(slot, this.#end);
    this.#rooms.set(slot, room);
    this.#end += room;
  }

  /** Without the places that were left. */
  #grow(room: number): void {
    const before = this.#values;
    const isWasteful = this.#left > this.#end / 3;
    this.#values = new Float64Array(isWasteful ? before.length + room : (before.length + room) * 2);
    let end = 0;
    for (let slot = 0; slot < this.#slotCount; slot++) {
      const [start, count] = [this.#starts.get(slot), this.#counts.get(slot)];
      this.#values.set(before.subarray(start, start + count), end);
      this.#starts.set(slot, end);
      if (count === 0) this.#rooms.set(slot, 0);
      end += this.#rooms.get(slot);
    }
    this.#end = end;
    this.#left = 0;
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
  /** Of each so many texts once these are here: who searches first would wait for all. What came after the last is searched one by one. */
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
      if (this.#texts.length % pieceLength === 0) this.#pieces.push(pieceOf(this.#texts, this.#texts.length - pieceLength));
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
    for (const piece of this.#pieces) searchPiece(piece, part, found);
    for (let rest = this.#pieces.length * pieceLength; rest < this.size; rest++) if (this.text(rest).includes(part)) found[rest] = 1;
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
