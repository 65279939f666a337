/** Reads gzip files. See RFC 1951 and 1952. */
import { assert } from './assert.ts';
import { checksum } from './stored-gzip.ts';

/** What it holds, or why nobody can tell. */
export type Inflated = Uint8Array | 'invalid' | 'too large';

/** Members that follow each other are one text. Nothing is made beyond `sizeMax`. */
export function gunzip(bytes: Uint8Array, sizeMax: number): Inflated {
  const source = new Source(bytes);
  const out = new Target(sizeMax);
  try {
    do {
      skipHeader(source);
      const from = out.size;
      inflate(source, out);
      source.align();
      if (source.uint32() !== checksum(out.bytes(from)) || source.uint32() !== out.size - from) return 'invalid';
    } while (!source.isAtEnd);
  } catch (error) {
    if (error instanceof InflateFault) return error.reason;
    throw error;
  }
  return out.bytes();
}

class InflateFault extends Error {
  readonly reason: 'invalid' | 'too large';

  constructor(reason: 'invalid' | 'too large') {
    super(`a gzip file is ${reason}`);
    this.name = 'InflateFault';
    this.reason = reason;
  }
}

/** Bits from the lowest of each byte on. */
class Source {
  readonly #bytes: Uint8Array;
  #at = 0;
  #held = 0;
  #count = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw new InflateFault('invalid');
    return byte;
  }

  bits(count: number): number {
    while (this.#count < count) {
      this.#held |= this.byte() << this.#count;
      this.#count += 8;
    }
    const value = this.#held & ((1 << count) - 1);
    this.#held >>>= count;
    this.#count -= count;
    assert(this.#count < 8, 'no more is read than is asked for: what follows begins at a byte');
    return value;
  }

  align(): void {
    this.#held = 0;
    this.#count = 0;
  }

  skip(count: number): void {
    this.#at += count;
  }

  uint16(): number {
    return this.byte() | (this.byte() << 8);
  }

  uint32(): number {
    return (this.uint16() | (this.uint16() << 16)) >>> 0;
  }
}

class Target {
  readonly #sizeMax: number;
  #bytes = new Uint8Array(1 << 12);
  size = 0;

  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax;
  }

  put(byte: number): void {
    if (this.size >= this.#sizeMax) throw new InflateFault('too large');
    if (this.size === this.#bytes.length) {
      const wider = new Uint8Array(2 * this.size);
      wider.set(this.#bytes);
      this.#bytes = wider;
    }
    this.#bytes[this.size++] = byte;
  }

  repeat(distance: number, length: number): void {
    assert(distance > 0, 'what is repeated has been written');
    if (distance > this.size) throw new InflateFault('invalid');
    for (let left = length; left > 0; left--) this.put(this.#bytes[this.size - distance] ?? 0);
  }

  bytes(from = 0): Uint8Array {
    return this.#bytes.slice(from, this.size);
  }
}

const flagBits = { headerChecksum: 2, extra: 4, name: 8, comment: 16 } as const;

function skipHeader(source: Source): void {
  if (source.byte() !== 0x1f || source.byte() !== 0x8b || source.byte() !== 8) throw new InflateFault('invalid');
  const flags = source.byte();
  source.skip(6);
  if (flags & flagBits.extra) source.skip(source.uint16());
  for (const text of [flagBits.name, flagBits.comment]) if (flags & text) while (source.byte() !== 0);
  if (flags & flagBits.headerChecksum) source.skip(2);
}

/** Codes of one alphabet: how many there are of each length, and their symbols in order. */
interface Codes {
  readonly counts: readonly number[];
  readonly symbols: readonly number[];
}

const lengthMax = 15;

function codesOf(lengths: readonly number[]): Codes {
  const counts = Array.from({ length: lengthMax + 1 }, (_, length) => (length === 0 ? 0 : lengths.filter((one) => one === length).length));
  const symbols = [...lengths.keys()].filter((symbol) => lengths[symbol] !== 0).sort((a, b) => (lengths[a] ?? 0) - (lengths[b] ?? 0) || a - b);
  return { counts, symbols };
}

function symbolOf(source: Source, { counts, symbols }: Codes): number {
  let [code, first, index] = [0, 0, 0];
  for (let length = 1; length <= lengthMax; length++) {
    code |= source.bits(1);
    const count = counts[length] ?? 0;
    if (code - first < count) return symbols[index + code - first] ?? 0;
    index += count;
    first = (first + count) << 1;
    code <<= 1;
  }
  throw new InflateFault('invalid');
}

function inflate(source: Source, out: Target): void {
  for (let isLast = false; !isLast; ) {
    isLast = source.bits(1) === 1;
    const kind = source.bits(2);
    if (kind === 0) stored(source, out);
    else if (kind === 1) block(source, out, fixedLengths, fixedDistances);
    else if (kind === 2) block(source, out, ...dynamicCodes(source));
    else throw new InflateFault('invalid');
  }
}

function stored(source: Source, out: Target): void {
  source.align();
  const length = source.uint16();
  if (source.uint16() !== (~length & 0xffff)) throw new InflateFault('invalid');
  for (let left = length; left > 0; left--) out.put(source.byte());
}

const fixedLengths = codesOf(Array.from({ length: 288 }, (_, symbol) => (symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8)));
const fixedDistances = codesOf(Array.from({ length: 30 }, () => 5));
const codeOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

function dynamicCodes(source: Source): readonly [Codes, Codes] {
  const [literals, distances, count] = [source.bits(5) + 257, source.bits(5) + 1, source.bits(4) + 4];
  const own = Array.from(codeOrder, () => 0);
  for (const symbol of codeOrder.slice(0, count)) own[symbol] = source.bits(3);
  const codes = codesOf(own);
  const lengths: number[] = [];
  while (lengths.length < literals + distances) {
    const symbol = symbolOf(source, codes);
    if (symbol < 16) lengths.push(symbol);
    else if (symbol === 16) lengths.push(...again(3 + source.bits(2), lengths.at(-1)));
    else lengths.push(...again(symbol === 17 ? 3 + source.bits(3) : 11 + source.bits(7), 0));
  }
  return [codesOf(lengths.slice(0, literals)), codesOf(lengths.slice(literals, literals + distances))];
}

function again(times: number, length: number | undefined): readonly number[] {
  if (length === undefined) throw new InflateFault('invalid');
  return Array.from({ length: times }, () => length);
}

const endOfBlock = 256;
const lengthBase = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258];
const lengthBits = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];

function block(source: Source, out: Target, literals: Codes, distances: Codes): void {
  for (;;) {
    const symbol = symbolOf(source, literals);
    if (symbol === endOfBlock) return;
    if (symbol < endOfBlock) {
      out.put(symbol);
      continue;
    }
    const index = symbol - endOfBlock - 1;
    const base = lengthBase[index];
    if (base === undefined) throw new InflateFault('invalid');
    const length = base + source.bits(lengthBits[index] ?? 0);
    const far = symbolOf(source, distances);
    if (far >= 30) throw new InflateFault('invalid');
    // From the fourth distance on each bit more is used twice.
    const extra = far < 4 ? 0 : (far >> 1) - 1;
    const start = far < 4 ? far + 1 : ((2 + (far & 1)) << extra) + 1;
    out.repeat(start + source.bits(extra), length);
  }
}
