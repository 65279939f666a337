/**
 * Whether bytes are one well-formed data item of CBOR, and what its heads say. Whoever reads them afterwards need not look whether
 * they end. Refuses in the words of upstream's library (fxamacker/cbor).
 */
import { DecodeError } from '../scalars.ts';
import { halfValue } from './floats.ts';

/** Levels of lists, maps and tags; Go's decoder stops at 10,000 and says so, ours where every walk of the engine does. */
const depthMax = 1_000;
const told = 10_000;
const listMax = 2_147_483_647;
const mapMax = 2_097_152;
const lengthMax = 0x7fff_ffff_ffff_ffffn;
export const indefinite = 31;
export const breakByte = 0xff;

const typeNames = ['positive integer', 'negative integer', 'byte string', 'UTF-8 text string', 'array', 'map', 'tag', 'primitives'] as const;

export function typeNameOf(firstByte: number | undefined): string {
  return typeNames[(firstByte ?? 0) >> 5] as string;
}

export interface Head {
  readonly major: number;
  /** The lower bits of the first byte. */
  readonly info: number;
  /** Rounded beyond 2^53; `HeadReader.exact` has what it is. */
  readonly argument: number;
}

const cutShort = (): DecodeError => new DecodeError('unexpected EOF');
export const notAccepted = (type: string, what: string): DecodeError =>
  new DecodeError(`cbor: data item of cbor type ${type} is not accepted by protocol: ${what}`);

/** Reads heads one after the other. */
export class HeadReader {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The next byte, which stays. */
  get next(): number | undefined {
    return this.bytes[this.at];
  }

  head(): Head {
    const first = this.next;
    if (first === undefined) throw cutShort();
    const [major, info] = [first >> 5, first & 31];
    this.at++;
    if (info < 24) return { major, info, argument: info };
    if (info === indefinite) return { major, info, argument: 0 };
    if (info > 27) throw new DecodeError(`cbor: invalid additional information ${info} for type ${typeNameOf(first)}`);
    const size = 1 << (info - 24);
    if (this.at + size > this.bytes.length) throw cutShort();
    const argument = this.#argument(size);
    this.at += size;
    return { major, info, argument };
  }

  /** The argument of the head that was read last, whatever its size. */
  exact({ info, argument }: Head): bigint {
    return info === 27 ? this.#view.getBigUint64(this.at - 8) : BigInt(argument);
  }

  /** Whether the head that was read last has a longer argument. */
  isBeyond(head: Head, most: bigint): boolean {
    return head.argument >= Number(most) && this.exact(head) > most;
  }

  /** What the head of floating point that was read last is. */
  float({ info, argument }: Head): number {
    if (info === 25) return halfValue(argument);
    return info === 26 ? this.#view.getFloat32(this.at - 4) : this.#view.getFloat64(this.at - 8);
  }

  #argument(size: number): number {
    const { at } = this;
    if (size === 1) return this.bytes[at] as number;
    if (size === 2) return this.#view.getUint16(at);
    return size === 4 ? this.#view.getUint32(at) : this.#view.getUint32(at) * 2 ** 32 + this.#view.getUint32(at + 4);
  }
}

/** Throws DecodeError for what is not exactly one well-formed item. */
export function checkWellFormed(bytes: Uint8Array): void {
  if (bytes.length === 0) throw new DecodeError('EOF');
  const reader = new HeadReader(bytes);
  checkItem(reader, 0);
  const rest = bytes.length - reader.at;
  if (rest > 0) throw new DecodeError(`cbor: ${rest} bytes of extraneous data starting at index ${reader.at}`);
}

function checkItem(reader: HeadReader, depth: number): void {
  const first = reader.next;
  const head = reader.head();
  switch (head.major) {
    case 2:
    case 3:
      return checkString(reader, head, depth);
    case 4:
    case 5:
      return checkCollection(reader, head, deeper(depth));
    case 6:
      if (head.info === indefinite) break;
      return checkTagged(reader, head.argument, deeper(depth));
    case 7:
      if (head.info === indefinite) throw new DecodeError('cbor: unexpected "break" code');
      return checkPrimitive(reader, head);
  }
  if (head.info === indefinite) throw new DecodeError(`cbor: invalid additional information ${indefinite} for type ${typeNameOf(first)}`);
}

function deeper(depth: number): number {
  if (depth >= depthMax) throw new DecodeError(`cbor: exceeded max nested level ${told}`);
  return depth + 1;
}

function checkString(reader: HeadReader, head: Head, depth: number): void {
  const { major, info, argument } = head;
  const type = typeNameOf(major << 5);
  if (info !== indefinite) {
    if (reader.isBeyond(head, lengthMax)) throw new DecodeError(`cbor: ${type} length ${reader.exact(head)} is too large, causing integer overflow`);
    if (argument > reader.bytes.length - reader.at) throw cutShort();
    reader.at += argument;
    return;
  }
  for (let next = reader.next; next !== breakByte; next = reader.next) {
    if (next === undefined) throw cutShort();
    if (next >> 5 !== major) throw new DecodeError(`cbor: wrong element type ${typeNameOf(next)} for indefinite-length ${type}`);
    if ((next & 31) === indefinite) throw new DecodeError(`cbor: indefinite-length ${type} chunk is not definite-length`);
    checkItem(reader, depth);
  }
  reader.at++;
}

function checkCollection(reader: HeadReader, head: Head, depth: number): void {
  const { major, info, argument } = head;
  const isMap = major === 5;
  if (info !== indefinite) {
    if (reader.isBeyond(head, lengthMax))
      throw new DecodeError(`cbor: ${typeNameOf(major << 5)} length ${reader.exact(head)} is too large, it would cause integer overflow`);
    if (!isMap && argument > listMax) throw new DecodeError(`cbor: exceeded max number of elements ${listMax} for CBOR array`);
    if (isMap && argument > mapMax) throw new DecodeError(`cbor: exceeded max number of key-value pairs ${mapMax} for CBOR map`);
    // Every item takes a byte at least, so a length that is not true ends with the bytes.
    for (let left = argument * (isMap ? 2 : 1); left > 0; left--) checkItem(reader, depth);
    return;
  }
  let count = 0;
  for (let next = reader.next; next !== breakByte; next = reader.next, count++) {
    if (next === undefined) throw cutShort();
    checkItem(reader, depth);
  }
  reader.at++;
  if (isMap && count % 2 === 1) throw new DecodeError('cbor: unexpected "break" code');
}

function checkTagged(reader: HeadReader, tag: number, depth: number): void {
  if (reader.next === undefined) throw cutShort();
  if (tag === 2 || tag === 3) throw notAccepted('tag', 'bignum');
  checkItem(reader, depth);
}

function checkPrimitive(reader: HeadReader, head: Head): void {
  if (head.info === 24 && head.argument < 32) throw new DecodeError(`cbor: invalid simple value ${head.argument} for type primitives`);
  if (head.info < 25) return;
  const value = reader.float(head);
  if (Number.isNaN(value)) throw notAccepted('primitives', 'floating-point NaN');
  if (!Number.isFinite(value)) throw notAccepted('primitives', 'floating-point infinity');
}
