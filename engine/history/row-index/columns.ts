/** Numbers by slot, side by side in memory, so that those of a hundred thousand rows are read in passing. They grow as they are written. */

const lengthFirst = 1_024;

export class FloatColumn {
  #values = new Float64Array(lengthFirst);

  /** For who reads many; others once it grows. */
  get values(): Float64Array {
    return this.#values;
  }

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

  /** For who reads many; others once it grows. */
  get values(): Int32Array {
    return this.#values;
  }

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

/** Of each list where it begins, how many it has, for how many there is room, and 1 where none is less than the one before it: side by side, for they are read together. */
const [startAt, countAt, roomAt, risingAt, listWidth] = [0, 1, 2, 3, 4] as const;

/** Short lists of numbers by slot, one after the other in memory. */
export class FloatLists {
  #values = new Float64Array(lengthFirst);
  #lists = new Int32Array(lengthFirst * listWidth);
  #slotCount = 0;
  #end = 0;
  /** Places that lists have left because they had become too long for them. */
  #left = 0;

  set(slot: number, count: number, valueAt: (index: number) => number): void {
    const at = slot * listWidth;
    if (at >= this.#lists.length) {
      const grown = new Int32Array(Math.max(at + listWidth, this.#lists.length * 2));
      grown.set(this.#lists);
      this.#lists = grown;
    }
    if (count > (this.#lists[at + roomAt] as number)) this.#move(slot, count);
    const start = this.#lists[at + startAt] as number;
    let [isRising, before] = [1, Number.NEGATIVE_INFINITY];
    for (let index = 0; index < count; index++) {
      const value = valueAt(index);
      if (value < before) isRising = 0;
      this.#values[start + index] = before = value;
    }
    this.#lists[at + countAt] = count;
    this.#lists[at + risingAt] = isRising;
  }

  /** The greatest from one number to another, both counted; −1 where there is none. */
  greatestWithin(slot: number, from: number, to: number): number {
    const [at, lists, values] = [slot * listWidth, this.#lists, this.#values];
    if (at >= lists.length) return -1;
    const start = lists[at + startAt] as number;
    const isRising = lists[at + risingAt] === 1;
    let greatest = -1;
    for (let place = start + (lists[at + countAt] as number) - 1; place >= start; place--) {
      const value = values[place] as number;
      if (isRising && value <= to) return value >= from ? value : -1;
      if (value >= from && value <= to && value > greatest) greatest = value;
    }
    return greatest;
  }

  #move(slot: number, count: number): void {
    const [at, lists] = [slot * listWidth, this.#lists];
    this.#left += lists[at + roomAt] as number;
    lists[at + countAt] = 0;
    this.#slotCount = Math.max(this.#slotCount, slot + 1);
    const room = count + (count >> 1) + 1;
    if (this.#end + room > this.#values.length) this.#grow(room);
    lists[at + startAt] = this.#end;
    lists[at + roomAt] = room;
    this.#end += room;
  }

  /** Without the places that were left. */
  #grow(room: number): void {
    const [before, lists] = [this.#values, this.#lists];
    const isWasteful = this.#left > this.#end / 3;
    this.#values = new Float64Array(isWasteful ? before.length + room : (before.length + room) * 2);
    let end = 0;
    for (let at = 0; at < this.#slotCount * listWidth; at += listWidth) {
      const [start, count] = [lists[at + startAt] as number, lists[at + countAt] as number];
      this.#values.set(before.subarray(start, start + count), end);
      lists[at + startAt] = end;
      if (count === 0) lists[at + roomAt] = 0;
      end += lists[at + roomAt] as number;
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
