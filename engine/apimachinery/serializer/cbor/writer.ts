/**
 * Objects as CBOR (RFC 8949), as upstream's serializer writes them: texts and names as byte strings, bytes under tag 22, floating point
 * in the shortest form that keeps the value. Answers of upstream have their keys in any order; ours have the deterministic one, by bytes.
 * Mirrors apimachinery pkg/runtime/serializer/cbor.
 */
import { ByteWriter } from '../../../base/byte-writer.ts';
import { decodeBase64 } from '../../../base/base64.ts';
import type { MessageSchema } from '../../schema.ts';
import type { CompiledField, CompiledMessage, Compiler } from '../compile.ts';
import { floatItem } from './floats.ts';

/** What whole documents begin with: the tag that says of what follows that it is CBOR. */
const selfDescribed = Uint8Array.of(0xd9, 0xd9, 0xf7);
const base64Tag = Uint8Array.of(0xd6);
const [falseItem, trueItem, nullItem] = [Uint8Array.of(0xf4), Uint8Array.of(0xf5), Uint8Array.of(0xf6)];
const objectMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
const startBytes = 1024;
const encoder = new TextEncoder();

/** Major types of RFC 8949. */
const [unsigned, negative, byteString, list, map] = [0, 1, 2, 4, 5] as const;

export class CborWriter {
  readonly #compiler: Compiler;

  constructor(compiler: Compiler) {
    this.#compiler = compiler;
  }

  /** One data item without the tag of whole documents. Fields of `schema` are written as their types; what it does not know as it stands. */
  encode(value: object, schema?: MessageSchema): Uint8Array {
    const writer = new ByteWriter(startBytes);
    if (schema?.custom !== undefined) this.#custom(writer, value);
    else if (schema === undefined) plain(writer, value);
    else this.#message(writer, value, this.#compiler.get(schema));
    return writer.take();
  }

  /** Of a custom object nothing is typed but its metadata. */
  #custom(writer: ByteWriter, value: object): void {
    writeMap(writer, value, (name, part) => {
      if (name === 'metadata') this.#message(writer, part, this.#compiler.mustGet(objectMeta));
      else plain(writer, part);
    });
  }

  #message(writer: ByteWriter, value: unknown, message: CompiledMessage): void {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return plain(writer, value);
    writeMap(writer, value, (name, part) => {
      const field = message.byName.get(name);
      if (field === undefined) plain(writer, part);
      else this.#field(writer, part, field, message);
    });
  }

  #field(writer: ByteWriter, value: unknown, field: CompiledField, owner: CompiledMessage): void {
    const { card } = field;
    if (card === 'list' && Array.isArray(value)) return writeList(writer, value, (element) => this.#one(writer, element, field, owner));
    if (card === 'map' && typeof value === 'object' && value !== null) {
      return writeMap(writer, value, (_name, part) => this.#one(writer, part, field, owner));
    }
    if (card === 'mapOfLists') return plain(writer, value);
    return this.#one(writer, value, field, owner);
  }

  #one(writer: ByteWriter, value: unknown, field: CompiledField, owner: CompiledMessage): void {
    switch (field.scalar) {
      case undefined:
        return this.#message(writer, value, field.message());
      case 'bytes':
        return writeBytes(writer, value);
      case 'double':
        return typeof value === 'number' ? writer.add(floatItem(value)) : plain(writer, value);
      case 'jsonSchemaOrBool':
      case 'jsonSchemaOrArray':
      case 'jsonSchemaOrStrings':
        if (Array.isArray(value)) return writeList(writer, value, (element) => this.#message(writer, element, owner));
        return this.#message(writer, value, owner);
      default:
        return plain(writer, value);
    }
  }
}

/** A whole document. */
export function cborDocument(item: Uint8Array): Uint8Array {
  const writer = new ByteWriter(selfDescribed.length + item.length);
  writer.add(selfDescribed);
  writer.add(item);
  return writer.take();
}

/** A watch event as a document; the object in it is a document of its own. Streams have one such after the other, with nothing in between. */
export function cborEvent(type: string, object: Uint8Array): Uint8Array {
  const writer = new ByteWriter(startBytes + object.length);
  writer.add(selfDescribed);
  writer.add(head(map, 2));
  for (const text of ['type', type, 'object']) plain(writer, text);
  writer.add(cborDocument(object));
  return writer.take();
}

/** A document that is a list whose items are items already, in pieces: `fields` are what stands beside them. */
export function* cborList(
  fields: object,
  itemsKey: string,
  items: { readonly length: number; at(index: number): Uint8Array } | null,
): Iterable<Uint8Array> {
  const entries = ordered({ ...fields, [itemsKey]: null });
  yield selfDescribed;
  yield head(map, entries.length);
  for (const { key, name, value } of entries) {
    yield key;
    if (name !== itemsKey) yield itemOf(value);
    else if (items === null) yield nullItem;
    else {
      yield head(list, items.length);
      for (let index = 0; index < items.length; index++) yield items.at(index);
    }
  }
}

function itemOf(value: unknown): Uint8Array {
  const writer = new ByteWriter(startBytes);
  plain(writer, value);
  return writer.take();
}

function plain(writer: ByteWriter, value: unknown): void {
  if (typeof value === 'string') {
    const bytes = encoder.encode(value);
    writer.add(head(byteString, bytes.length));
    writer.add(bytes);
  } else if (typeof value === 'number') writer.add(Number.isSafeInteger(value) && !Object.is(value, -0) ? integer(BigInt(value)) : floatItem(value));
  else if (typeof value === 'bigint') writer.add(BigInt.asIntN(64, value) === value ? integer(value) : floatItem(Number(value)));
  else if (typeof value === 'boolean') writer.add(value ? trueItem : falseItem);
  else if (Array.isArray(value)) writeList(writer, value, (element) => plain(writer, element));
  else if (typeof value === 'object' && value !== null) writeMap(writer, value, (_name, part) => plain(writer, part));
  else writer.add(nullItem);
}

function writeBytes(writer: ByteWriter, value: unknown): void {
  if (typeof value !== 'string') return plain(writer, value);
  const bytes = decodeBase64(value);
  writer.add(base64Tag);
  writer.add(head(byteString, bytes.length));
  writer.add(bytes);
}

function writeList(writer: ByteWriter, values: readonly unknown[], write: (value: unknown) => void): void {
  writer.add(head(list, values.length));
  for (const value of values) write(value);
}

function writeMap(writer: ByteWriter, values: object, write: (name: string, value: unknown) => void): void {
  const entries = ordered(values);
  writer.add(head(map, entries.length));
  for (const { key, name, value } of entries) {
    writer.add(key);
    write(name, value);
  }
}

interface Entry {
  readonly key: Uint8Array;
  readonly name: string;
  readonly value: unknown;
}

/** By the bytes of their keys, which begin with the length. What is undefined is not there, as in JSON. */
function ordered(values: object): readonly Entry[] {
  const entries: Entry[] = [];
  for (const [name, value] of Object.entries(values)) if (value !== undefined) entries.push({ key: itemOf(name), name, value });
  return entries.sort((a, b) => byBytes(a.key, b.key));
}

function byBytes(a: Uint8Array, b: Uint8Array): number {
  for (let at = 0; at < a.length && at < b.length; at++) if (a[at] !== b[at]) return (a[at] as number) - (b[at] as number);
  return a.length - b.length;
}

function integer(value: bigint): Uint8Array {
  return value < 0n ? head(negative, -1n - value) : head(unsigned, value);
}

/** Major type and argument, in the fewest bytes. */
function head(major: number, argument: number | bigint): Uint8Array {
  const first = major << 5;
  if (argument < 24) return Uint8Array.of(first | Number(argument));
  if (argument < 0x100) return Uint8Array.of(first | 24, Number(argument));
  const bytes = new Uint8Array(argument < 0x10000 ? 3 : argument < 0x1_0000_0000 ? 5 : 9);
  const view = new DataView(bytes.buffer);
  bytes[0] = first | (bytes.length === 3 ? 25 : bytes.length === 5 ? 26 : 27);
  if (bytes.length === 3) view.setUint16(1, Number(argument));
  else if (bytes.length === 5) view.setUint32(1, Number(argument));
  else view.setBigUint64(1, BigInt(argument));
  return bytes;
}
