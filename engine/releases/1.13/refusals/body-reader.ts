/**
 * Reads the bytes of a body as the JSON reader of release 1.13 did, to say of a body that does not fit what that said and where it
 * stood. It goes on after a fault, and loses its place: a step back does nothing any more, so it takes words for fields that are none,
 * and its owners put their names in front of the fault all the same. Mirrors json-iterator of mid 2018 (iter.go, iter_skip.go).
 */
const quote = 0x22;
const backslash = 0x5c;
const spaces: ReadonlySet<number> = new Set([0x20, 0x0a, 0x09, 0x0d]);
const digitsInDouble = /^[-+.eE0-9]$/;
const digitsAndPoint = /^[.0-9]$/;
const peekBytes = 10;
const contextBytes = 50;
/** Nothing is told of what lies deeper. */
const depthMax = 1000;

export class BodyReader {
  readonly #bytes: Uint8Array;
  #head = 0;
  #fault: string | undefined;
  #isOver = false;
  /** What stands in front of the fault, the innermost first. */
  readonly #owners: string[] = [];

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The fault with its owners; undefined when the body fits. */
  get fault(): string | undefined {
    return this.#fault === undefined ? undefined : [...this.#owners].reverse().join('') + this.#fault;
  }

  /** Where the reader stands, in bytes. */
  get head(): number {
    return this.#head;
  }

  /** Bytes that were not read yet. */
  get left(): number {
    return this.#bytes.length - this.#head;
  }

  /** What was read since counts as not read. */
  returnTo(head: number): void {
    this.#head = head;
  }

  slice(from: number): string {
    return text(this.#bytes.subarray(from, this.#head));
  }

  /** The first fault stays. */
  report(operation: string, message: string): void {
    if (this.#fault !== undefined) return;
    const from = Math.max(0, this.#head - peekBytes);
    const near = text(this.#bytes.subarray(from, this.#head + peekBytes));
    const around = text(this.#bytes.subarray(Math.max(0, this.#head - contextBytes), this.#head + contextBytes));
    this.#fault = `${operation}: ${message}, error found in #${this.#head - from} byte of ...|${near}|..., bigger context ...|${around}|...`;
  }

  /** Names who was read when there is a fault, whosever it is. */
  own(name: string): void {
    if (this.#fault !== undefined) this.#owners.push(name);
  }

  /** The next byte that is no space; 0 at the end. */
  next(): number {
    while (this.#head < this.#bytes.length) {
      const byte = this.#bytes[this.#head++] ?? 0;
      if (!spaces.has(byte)) return byte;
    }
    this.#end();
    return 0;
  }

  back(): void {
    if (this.#fault === undefined && !this.#isOver) this.#head--;
  }

  readByte(): number {
    if (this.#head < this.#bytes.length) return this.#bytes[this.#head++] ?? 0;
    this.#end();
    return 0;
  }

  /** The byte at hand, which stays. */
  peek(): number {
    return this.#bytes[this.#head] ?? 0;
  }

  /** The rest of a word whose first letter was read. */
  word(rest: string): void {
    for (const letter of rest) {
      if (this.readByte() === letter.charCodeAt(0)) continue;
      this.report(rest.length === 3 ? 'skipThreeBytes' : 'skipFourBytes', `expect ${rest}`);
      return;
    }
  }

  readNull(): boolean {
    if (this.next() === 0x6e) {
      this.word('ull');
      return true;
    }
    this.back();
    return false;
  }

  readString(): string {
    const first = this.next();
    if (first === 0x6e) this.word('ull');
    else if (first === quote) return this.#restOfString();
    else this.report('ReadString', `expects " or n, but found ${shown(first)}`);
    return '';
  }

  /** Whether there is an object with something in it; null counts as none. */
  opens(): boolean {
    const first = this.next();
    if (first === 0x6e) this.word('ull');
    else if (first === 0x7b) {
      if (this.next() === 0x7d) return false;
      this.back();
      return true;
    } else this.report('readObjectStart', `expect { or n, but found ${shown(first)}`);
    return false;
  }

  colon(operation: string, found?: number): boolean {
    const byte = this.next();
    if (byte === 0x3a) return true;
    this.report(operation, `expect : after object field, but found ${shown(found ?? byte)}`);
    return false;
  }

  /** Over one value, of whatever kind. */
  skip(depth = 0): void {
    const first = this.next();
    if (first === quote) this.#restOfString();
    else if (first === 0x6e) this.word('ull');
    else if (first === 0x74) this.word('rue');
    else if (first === 0x66) this.word('alse');
    else if (first === 0x2d || (first >= 0x30 && first <= 0x39)) this.#skipNumber(first);
    else if (first !== 0x5b && first !== 0x7b) this.report('Skip', `do not know how to skip: ${first}`);
    else if (this.#fault === undefined) this.#skipParts();
    else if (depth < depthMax) this.#skipLost(first, depth);
  }

  /** A number that its quick look did not recognize, such as one digit, is read anew: without a step back from what stands behind that digit. */
  #skipNumber(first: number): void {
    const isQuick = first !== 0x30 && digitsAndPoint.test(String.fromCharCode(this.peek()));
    if (this.#fault !== undefined && first !== 0x2d && !isQuick) this.next();
    this.skipDigits();
  }

  skipDigits(): void {
    while (digitsInDouble.test(String.fromCharCode(this.peek()))) this.#head++;
  }

  /** To the end of a list or map that was opened. */
  #skipParts(): void {
    for (let open = 1; open > 0 && !this.#isOver; ) {
      const byte = this.next();
      if (byte === quote) this.#restOfString();
      else if (byte === 0x5b || byte === 0x7b) open++;
      else if (byte === 0x5d || byte === 0x7d) open--;
    }
  }

  /** The same without stepping back: the first thing inside is taken for what opens it. */
  #skipLost(opening: number, depth: number): void {
    const first = this.next();
    if (first === 0x6e) this.word('ull');
    if (first !== opening) return;
    const second = this.next();
    if (opening === 0x5b ? second === 0x5d : second !== quote) return;
    do {
      if (opening === 0x7b) {
        this.readString();
        this.next();
      }
      this.skip(depth + 1);
    } while (this.next() === 0x2c);
  }

  #restOfString(): string {
    const from = this.#head;
    for (let at = from; at < this.#bytes.length; at++) {
      const byte = this.#bytes[at] ?? 0;
      if (byte === quote) {
        this.#head = at + 1;
        return text(this.#bytes.subarray(from, at));
      }
      if (byte === backslash) return this.#escapedString();
      // Not met in JSON that has been parsed, but where the place was lost.
      if (byte < 0x20) return '';
    }
    return this.#escapedString();
  }

  /** A string with escapes is not read once there is a fault. */
  #escapedString(): string {
    const from = this.#head;
    while (this.#fault === undefined && !this.#isOver) {
      const byte = this.readByte();
      if (byte === backslash) this.readByte();
      else if (byte === quote) return unescaped(text(this.#bytes.subarray(from, this.#head - 1)));
    }
    return '';
  }

  #end(): void {
    if (this.#fault === undefined) this.#isOver = true;
  }
}

/** A byte in the fault; what is no ASCII is no letter alone. */
export function shown(byte: number): string {
  return byte < 0x80 ? String.fromCharCode(byte) : '\ufffd';
}

function text(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

function unescaped(written: string): string {
  try {
    return String(JSON.parse(`"${written}"`));
  } catch {
    // No name of a field is written so.
    return '';
  }
}
