/**
 * CBOR as JSON-shaped values: what upstream's decoder makes of it where no type is asked for. Texts may be byte or text strings, bytes
 * that are meant for another encoding become that text, times become RFC 3339, other tags are looked through. Mirrors apimachinery
 * pkg/runtime/serializer/cbor and the modes of fxamacker/cbor that it asks for.
 */
import { setOwn } from '../../../base/dictionary.ts';
import { asBase64Url, encodeBase64 } from '../../../base/base64.ts';
import type { JsonValue } from '../../../base/json.ts';
import { DecodeError } from '../scalars.ts';
import { breakByte, checkWellFormed, type Head, HeadReader, indefinite, notAccepted, typeNameOf } from './items.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const shortBytes = 24;
const nothing = new Uint8Array(0);
const int64Max = 0x7fff_ffff_ffff_ffffn;
const [dateTag, epochTag, base64UrlTag, base64Tag, hexTag] = [0, 1, 21, 22, 23] as const;
/** Later texts that bytes are meant for, by tag. */
type Later = typeof base64UrlTag | typeof base64Tag | typeof hexTag;

export interface CborNames {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Throws DecodeError, in the words of upstream's library. */
export function decodeCbor(bytes: Uint8Array): JsonValue {
  checkWellFormed(bytes);
  return new Reader(bytes).value();
}

export interface CborStruct {
  readonly value: JsonValue;
  /** Where the first key stands that is no text, and so the name of no field. */
  readonly namelessAt: number | undefined;
}

/** The same where a struct is read, which Go calls `owner`: `v1.Pod`. */
export function decodeCborStruct(bytes: Uint8Array, owner: string): CborStruct {
  checkWellFormed(bytes);
  const reader = new Reader(bytes, owner);
  const value = reader.value();
  return { value, namelessAt: reader.namelessAt };
}

/** What a document calls itself, whatever stands beside. Throws DecodeError where it is no map, or names something twice. */
export function cborNames(bytes: Uint8Array): CborNames {
  checkWellFormed(bytes);
  return new Reader(bytes).names();
}

class Reader {
  readonly #heads: HeadReader;
  readonly #owner: string | undefined;
  /** Of the struct that is read; a fault anywhere in it is told of it. */
  #field: string | undefined;
  #depth = 0;
  namelessAt: number | undefined;

  constructor(bytes: Uint8Array, owner?: string) {
    this.#heads = new HeadReader(bytes);
    this.#owner = owner;
  }

  value(later?: Later): JsonValue {
    const first = this.#heads.next;
    const head = this.#heads.head();
    switch (head.major) {
      case 0:
      case 1:
        return this.#integer(head);
      case 2:
        return later === undefined ? textOf(this.#content(head), decoder) : laterText(this.#content(head), later);
      case 3:
        return this.#text(head);
      case 4:
        return this.#list(head, later);
      case 5:
        return this.#map(head, later);
      case 6:
        return this.#tagged(head.argument, later);
      default:
        return this.#primitive(head, first);
    }
  }

  names(): CborNames {
    let head = this.#heads.head();
    while (head.major === 6) head = this.#heads.head();
    if (head.major !== 5) return noNames(head);
    const found: { [name: string]: JsonValue } = {};
    this.#each(head, (index) => {
      const isText = this.#isTextNext();
      const key = this.value();
      if (isText) mustBeNew(found, key as string, index);
      const isName = isText && (key === 'apiVersion' || key === 'kind');
      const type = typeNameOf(this.#heads.next);
      const value = isName ? this.value() : this.#skipped();
      if (isName && value !== null && typeof value !== 'string')
        throw new DecodeError(`cbor: cannot unmarshal ${type} into Go struct field v1.TypeMeta.${String(key)} of type string`);
      if (isText) setOwn(found, key as string, value);
    });
    const nameOf = (name: 'apiVersion' | 'kind'): string => (typeof found[name] === 'string' ? found[name] : '');
    return { apiVersion: nameOf('apiVersion'), kind: nameOf('kind') };
  }

  #isTextNext(): boolean {
    const major = (this.#heads.next ?? 0) >> 5;
    return major === 2 || major === 3;
  }

  /** Past the next item, whatever it holds: it is well formed. */
  #skipped(): null {
    const { major, info, argument } = this.#heads.head();
    if (major === 6) return this.#skipped();
    if (major === 2 || major === 3) this.#content({ major, info, argument });
    if (major === 4 || major === 5) this.#eachItem({ major, info, argument }, () => this.#skipped());
    return null;
  }

  #text(head: Head): string {
    try {
      return textOf(this.#content(head), strictDecoder);
    } catch (error) {
      if (error instanceof TypeError) throw new DecodeError('cbor: invalid UTF-8 string');
      throw error;
    }
  }

  #content({ info, argument }: Head): Uint8Array {
    const { bytes } = this.#heads;
    if (argument === 0 && info !== indefinite) return nothing;
    if (info !== indefinite) {
      const start = this.#heads.at;
      this.#heads.at += argument;
      return bytes.subarray(start, this.#heads.at);
    }
    const pieces: number[] = [];
    while (this.#heads.next !== breakByte) for (const byte of this.#content(this.#heads.head())) pieces.push(byte);
    this.#heads.at++;
    return Uint8Array.from(pieces);
  }

  #list(head: Head, later: Later | undefined): JsonValue {
    if (head.argument === 0 && head.info !== indefinite) return [];
    const values: JsonValue[] = [];
    this.#eachItem(head, () => values.push(this.value(later)));
    return values;
  }

  #map(head: Head, later: Later | undefined): JsonValue {
    if (head.argument === 0 && head.info !== indefinite) return {};
    const values: { [name: string]: JsonValue } = {};
    const isStruct = this.#depth++ === 0 && this.#owner !== undefined;
    this.#each(head, (index) => {
      const type = typeNameOf(this.#heads.next);
      if (!this.#isTextNext()) {
        if (!isStruct) throw new DecodeError(`cbor: cannot unmarshal ${type} into ${this.#place()} of type string`);
        this.namelessAt ??= index;
        this.#skipped();
        this.#skipped();
        return;
      }
      const key = this.value() as string;
      mustBeNew(values, key, index);
      if (isStruct) this.#field = key;
      setOwn(values, key, this.value(later));
    });
    this.#depth--;
    return values;
  }

  #place(): string {
    return this.#owner === undefined || this.#field === undefined ? 'Go value' : `Go struct field ${this.#owner}.${this.#field}`;
  }

  #integer(head: Head): JsonValue {
    const { major, argument } = head;
    if (argument < Number.MAX_SAFE_INTEGER) return major === 0 ? argument : -1 - argument;
    const exact = this.#heads.exact(head);
    const value = major === 0 ? exact : -1n - exact;
    if (exact > int64Max) {
      const place = this.#place();
      const why = `${value} overflows ${place === 'Go value' ? "Go's int64" : 'int64'}`;
      throw new DecodeError(`cbor: cannot unmarshal ${typeNameOf(major << 5)} into ${place} of type int64 (${why})`);
    }
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }

  #each(head: Head, entry: (index: number) => void): void {
    const count = head.info === indefinite ? Infinity : head.argument;
    for (let index = 0; index < count; index++) {
      if (head.info === indefinite && this.#heads.next === breakByte) break;
      entry(index);
    }
    if (head.info === indefinite) this.#heads.at++;
  }

  #eachItem(head: Head, item: () => void): void {
    this.#each(head, () => {
      item();
      if (head.major === 5) item();
    });
  }

  #tagged(tag: number, later: Later | undefined): JsonValue {
    const first = this.#heads.next;
    if (tag === base64UrlTag || tag === base64Tag || tag === hexTag) return this.value(tag as Later);
    if (tag === dateTag && (first ?? 0) >> 5 !== 3)
      throw new DecodeError(`cbor: tag number 0 must be followed by text string, got ${typeNameOf(first)}`);
    if (tag !== epochTag) return this.value(later);
    const seconds = this.value();
    if (typeof seconds !== 'number')
      throw new DecodeError(`cbor: tag number 1 must be followed by integer or floating-point number, got ${typeNameOf(first)}`);
    return timeText(seconds);
  }

  #primitive(head: Head, first: number | undefined): JsonValue {
    if (head.info > 24) return this.#heads.float(head);
    if (first === 0xf4 || first === 0xf5) return first === 0xf5;
    if (first === 0xf6) return null;
    throw notAccepted('primitives', `simple value ${head.argument} is not recognized`);
  }
}

function noNames({ major, info, argument }: Head): CborNames {
  if (major === 7 && info === 22) return { apiVersion: '', kind: '' };
  if (major === 7 && info <= 24 && info !== 20 && info !== 21) throw notAccepted('primitives', `simple value ${argument} is not recognized`);
  const why = major === 4 ? ' (cannot decode CBOR array to struct without toarray option)' : '';
  throw new DecodeError(`cbor: cannot unmarshal ${typeNameOf(major << 5)} into Go value of type v1.TypeMeta${why}`);
}

function mustBeNew(values: object, key: string, index: number): void {
  if (Object.hasOwn(values, key)) throw new DecodeError(`cbor: found duplicate map key ${JSON.stringify(key)} at map element index ${index}`);
}

/** Short texts of ASCII, as most are, cost less without the platform's decoder. */
function textOf(bytes: Uint8Array, otherwise: TextDecoder): string {
  if (bytes.length > shortBytes) return otherwise.decode(bytes);
  let text = '';
  for (const byte of bytes) {
    if (byte > 0x7f) return otherwise.decode(bytes);
    text += String.fromCharCode(byte);
  }
  return text;
}

function laterText(bytes: Uint8Array, later: Later): string {
  if (later === hexTag) return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const text = encodeBase64(bytes);
  return later === base64Tag ? text : asBase64Url(text);
}

/** RFC 3339 with as much of a second as there is. */
function timeText(seconds: number): string {
  const time = new Date(seconds * 1000);
  if (Number.isNaN(time.getTime())) throw new DecodeError('cbor: decoded time cannot be represented in RFC3339 format with sub-second precision');
  return time.toISOString().replace(/\.?0*Z$/, 'Z');
}
