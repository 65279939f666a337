/**
 * The binary form: protobuf messages as gogo-proto marshals the published types, in the `k8s\0` envelope. Scalars that are not
 * pointers are always written, fields stand in the order of their numbers, maps in the order of their keys.
 */
import { decodeBase64, encodeBase64 } from '../../base/base64.ts';
import protobuf from 'protobufjs/minimal.js';
import type { JsonValue } from '../../base/json.ts';
import type { MessageSchema, ScalarType } from '../schema.ts';
import { compactInt64 } from '../../base/int64.ts';
import { formatDurationNanos, formatMicroTime, formatTime, parseDurationNanos, parseTime } from '../time.ts';
import { canonicalSeconds, isCanonicalTime } from './canonical-time.ts';
import { type CompiledField, type CompiledMessage, type Compiler, type InlineGroup, isInline } from './compile.ts';
import { decodeJson, encodeJson, jsonDepthMax } from './json.ts';
import { setOwn } from '../../base/dictionary.ts';
import { DecodeError } from './scalars.ts';
import { isSchemaUnion, readSchemaUnion, writeSchemaUnion } from './schema-union.ts';

type Plain = { [key: string]: JsonValue };
type ReadonlyPlain = { readonly [key: string]: JsonValue };
type Writer = protobuf.Writer;
type Reader = protobuf.Reader;

/** A message takes up to two levels of JSON: the map that holds it, and itself. */
const messageDepthMax = jsonDepthMax / 2;
const bytesWire = 2;
const varintWire = 0;
const textDecoder = new TextDecoder();

export class ProtobufCodec {
  readonly #compiler: Compiler;
  /** Messages open in the document being read. */
  #depth = 0;

  constructor(compiler: Compiler) {
    this.#compiler = compiler;
  }

  encode(object: object, schema: MessageSchema): Uint8Array {
    const writer = protobuf.Writer.create();
    this.#write(writer, object as ReadonlyPlain, this.#compiler.get(schema));
    return writer.finish();
  }

  /** The fields found, in JSON shape but not yet canonical. Throws DecodeError for bytes that are no such message. */
  decode(bytes: Uint8Array, schema: MessageSchema): ReadonlyPlain {
    const reader = protobuf.Reader.create(bytes);
    const object: Plain = {};
    this.#depth = 0;
    try {
      this.#read(reader, reader.len, this.#compiler.get(schema), object);
    } catch (error) {
      if (error instanceof DecodeError) throw error;
      throw new DecodeError(error instanceof RangeError ? 'unexpected EOF' : `proto: ${(error as Error).message}`);
    }
    return object;
  }

  #write(writer: Writer, object: ReadonlyPlain, message: CompiledMessage): void {
    for (const entry of message.wire) {
      if (isInline(entry)) this.#writeInline(writer, object, entry);
      else this.#writeField(writer, object[entry.name], entry);
    }
  }

  #writeInline(writer: Writer, object: ReadonlyPlain, group: InlineGroup): void {
    const message = group.message();
    if (group.pointer && !message.json.some((field) => object[field.name] !== undefined)) return;
    writer.uint32((group.number << 3) | bytesWire).fork();
    this.#write(writer, object, message);
    writer.ldelim();
  }

  #writeField(writer: Writer, value: JsonValue | undefined, field: CompiledField): void {
    switch (field.card) {
      case 'list':
        if (value !== undefined && value !== null) this.#writeList(writer, value as readonly JsonValue[], field);
        return;
      case 'map':
      case 'mapOfLists':
        if (value !== undefined && value !== null) this.#writeMap(writer, value as ReadonlyPlain, field);
        return;
      default:
        if (value === undefined || value === null) {
          if (!field.pointer) this.#writeZero(writer, field);
        } else this.#writeOne(writer, field.number, value, field);
    }
  }

  #writeZero(writer: Writer, field: CompiledField): void {
    if (field.scalar === undefined) this.#writeOne(writer, field.number, {}, field);
    else if (field.scalar === 'bytes' || isSchemaUnion(field.scalar)) return;
    else writeScalar(writer, field.number, zeroOf(field.scalar), field.scalar);
  }

  #writeOne(writer: Writer, number: number, value: JsonValue, field: CompiledField): void {
    if (field.scalar !== undefined) {
      if (isSchemaUnion(field.scalar))
        writeSchemaUnion(writer, number, field.scalar, value, (schema) => this.#write(writer, schema, this.#jsonSchemaMessage()));
      else writeScalar(writer, number, value, field.scalar);
      return;
    }
    writer.uint32((number << 3) | bytesWire).fork();
    this.#write(writer, value as ReadonlyPlain, field.message());
    writer.ldelim();
  }

  #writeList(writer: Writer, list: readonly JsonValue[], field: CompiledField): void {
    if (field.wrapped) {
      writer.uint32((field.number << 3) | bytesWire).fork();
      for (const element of list) this.#writeOne(writer, 1, element, field);
      writer.ldelim();
      return;
    }
    for (const element of list) this.#writeOne(writer, field.number, element, field);
  }

  #writeMap(writer: Writer, map: ReadonlyPlain, field: CompiledField): void {
    for (const key of Object.keys(map).sort()) {
      writer.uint32((field.number << 3) | bytesWire).fork();
      writer.uint32((1 << 3) | bytesWire).string(key);
      const value = map[key] as JsonValue;
      if (field.card === 'mapOfLists')
        this.#writeList(writer, (value ?? []) as readonly JsonValue[], { ...field, number: 2, card: 'list', wrapped: true });
      else this.#writeOne(writer, 2, value, field);
      writer.ldelim();
    }
  }

  #read(reader: Reader, end: number, message: CompiledMessage, object: Plain): void {
    if (++this.#depth > messageDepthMax) throw new DecodeError('proto: exceeded max depth');
    while (reader.pos < end) {
      const tag = reader.uint32();
      const entry = message.byNumber.get(tag >>> 3);
      const wire = tag & 7;
      if (entry === undefined) reader.skipType(wire);
      else if (isInline(entry)) this.#read(reader, endOfMessage(reader, wire), entry.message(), object);
      else this.#readField(reader, wire, entry, object);
    }
    if (reader.pos !== end) throw new DecodeError('unexpected EOF');
    this.#depth--;
  }

  #readField(reader: Reader, wire: number, field: CompiledField, object: Plain): void {
    switch (field.card) {
      case 'list': {
        const list = (object[field.name] ??= []) as JsonValue[];
        if (field.wrapped) list.push(...this.#readItems(reader, wire, field));
        else if (wire === bytesWire && field.scalar !== undefined && wireOf(field.scalar) !== bytesWire) readPacked(reader, field.scalar, list);
        else list.push(this.#readOne(reader, wire, field));
        return;
      }
      case 'map':
      case 'mapOfLists':
        this.#readEntry(reader, wire, field, (object[field.name] ??= {}) as Plain);
        return;
      default:
        object[field.name] = this.#readOne(reader, wire, field);
    }
  }

  #readOne(reader: Reader, wire: number, field: CompiledField): JsonValue {
    if (field.scalar !== undefined) {
      if (!isSchemaUnion(field.scalar)) return readScalarWire(reader, wire, field.scalar);
      return readSchemaUnion(reader, endOfMessage(reader, wire), field.scalar, (limit) => {
        const inner: Plain = {};
        this.#read(reader, limit, this.#jsonSchemaMessage(), inner);
        return inner;
      });
    }
    const object: Plain = {};
    this.#read(reader, endOfMessage(reader, wire), field.message(), object);
    return object;
  }

  /** The items of a wrapped list. */
  #readItems(reader: Reader, wire: number, field: CompiledField): readonly JsonValue[] {
    const end = endOfMessage(reader, wire);
    const items: JsonValue[] = [];
    while (reader.pos < end) {
      const tag = reader.uint32();
      if (tag >>> 3 === 1) items.push(this.#readOne(reader, tag & 7, field));
      else reader.skipType(tag & 7);
    }
    return items;
  }

  #readEntry(reader: Reader, wire: number, field: CompiledField, map: Plain): void {
    const end = endOfMessage(reader, wire);
    let key = '';
    let value: JsonValue | undefined;
    while (reader.pos < end) {
      const tag = reader.uint32();
      if (tag >>> 3 === 1) key = reader.string();
      else if (tag >>> 3 === 2) value = field.card === 'mapOfLists' ? this.#readItems(reader, tag & 7, field) : this.#readOne(reader, tag & 7, field);
      else reader.skipType(tag & 7);
    }
    setOwn(map, key, value ?? (field.card === 'mapOfLists' ? [] : field.scalar === undefined ? {} : zeroOf(field.scalar)));
  }

  #jsonSchemaMessage(): CompiledMessage {
    return this.#compiler.mustGet('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps');
  }
}

function endOfMessage(reader: Reader, wire: number): number {
  if (wire !== bytesWire) throw new DecodeError(`proto: wrong wireType = ${wire}`);
  const length = reader.uint32();
  const end = reader.pos + length;
  if (end > reader.len) throw new DecodeError('unexpected EOF');
  return end;
}

function zeroOf(scalar: ScalarType): JsonValue {
  switch (scalar) {
    case 'bool':
      return false;
    case 'string':
      return '';
    case 'quantity':
      return '0';
    case 'duration':
      return '0s';
    case 'time':
    case 'microTime':
    case 'rawExtension':
    case 'fieldsV1':
    case 'json':
    case 'jsonSchemaOrBool':
    case 'jsonSchemaOrArray':
    case 'jsonSchemaOrStrings':
      return null;
    case 'bytes':
      return '';
    default:
      return 0;
  }
}

function writeScalar(writer: Writer, number: number, value: JsonValue, scalar: ScalarType): void {
  const tag = number << 3;
  switch (scalar) {
    case 'string':
      writer.uint32(tag | bytesWire).string(value as string);
      return;
    case 'bool':
      writer.uint32(tag).bool(value as boolean);
      return;
    case 'int32':
    case 'uint32':
      writer.uint32(tag).int32(value as number);
      return;
    case 'int64':
    case 'uint64':
      writeInt64(writer.uint32(tag), value as number | bigint);
      return;
    case 'double':
      writer.uint32(tag | 1).double(value as number);
      return;
    case 'bytes':
      writer.uint32(tag | bytesWire).bytes(decodeBase64(value as string));
      return;
    default:
      writer.uint32(tag | bytesWire).fork();
      writeSpecial(writer, value, scalar);
      writer.ldelim();
  }
}

/** Types that are small messages of their own on the wire. */
function writeSpecial(writer: Writer, value: JsonValue, scalar: ScalarType): void {
  switch (scalar) {
    case 'quantity':
      writer.uint32((1 << 3) | bytesWire).string(value as string);
      return;
    case 'intOrString':
      writer.uint32(1 << 3).int32(typeof value === 'string' ? 1 : 0);
      writer.uint32(2 << 3).int32(typeof value === 'number' ? value : 0);
      writer.uint32((3 << 3) | bytesWire).string(typeof value === 'string' ? value : '');
      return;
    case 'time':
    case 'microTime': {
      if (value === null) return;
      if (scalar === 'time' && isCanonicalTime(value as string)) {
        writeInt64(writer.uint32(1 << 3), canonicalSeconds(value as string));
        writer.uint32(2 << 3).int32(0);
        return;
      }
      const microseconds = Math.round((parseTime(value as string) ?? 0) * 1000);
      const seconds = Math.floor(microseconds / 1_000_000);
      writeInt64(writer.uint32(1 << 3), seconds);
      writer.uint32(2 << 3).int32(scalar === 'time' ? 0 : (microseconds - seconds * 1_000_000) * 1000);
      return;
    }
    case 'duration':
      writeInt64(writer.uint32(1 << 3), compactInt64(parseDurationNanos(value as string) ?? 0n));
      return;
    default:
      if (value !== null) writer.uint32((1 << 3) | bytesWire).string(encodeJson(value));
  }
}

function wireOf(scalar: ScalarType): number {
  switch (scalar) {
    case 'bool':
    case 'int32':
    case 'uint32':
    case 'int64':
    case 'uint64':
      return varintWire;
    case 'double':
      return 1;
    default:
      return bytesWire;
  }
}

/** Numbers of a list in one run of bytes, as other encoders than upstream's may write them. */
function readPacked(reader: Reader, scalar: ScalarType, list: JsonValue[]): void {
  const end = endOfMessage(reader, bytesWire);
  while (reader.pos < end) list.push(readScalarWire(reader, wireOf(scalar), scalar));
  if (reader.pos !== end) throw new DecodeError('unexpected EOF');
}

function readScalarWire(reader: Reader, wire: number, scalar: ScalarType): JsonValue {
  if (wire !== wireOf(scalar)) throw new DecodeError(`proto: wrong wireType = ${wire}`);
  switch (scalar) {
    case 'string':
      return reader.string();
    case 'bool':
      return reader.bool();
    case 'int32':
      return reader.int32();
    case 'uint32':
      return reader.uint32();
    case 'int64':
    case 'uint64':
      return readInt64(reader);
    case 'double':
      return reader.double();
    case 'bytes':
      return encodeBase64(reader.bytes());
    default:
      return readSpecial(reader, endOfMessage(reader, wire), scalar);
  }
}

function readSpecial(reader: Reader, end: number, scalar: ScalarType): JsonValue {
  const found: JsonValue[] = [];
  while (reader.pos < end) {
    const tag = reader.uint32();
    found[tag >>> 3] = (tag & 7) === bytesWire ? readBytesOf(reader, scalar) : readInt64(reader);
  }
  if (reader.pos !== end) throw new DecodeError('unexpected EOF');
  switch (scalar) {
    case 'quantity':
      return found[1] ?? '0';
    case 'intOrString':
      return found[1] === 1 ? (found[3] ?? '') : (found[2] ?? 0);
    case 'time':
      return found.length === 0 ? null : formatTime(Number(found[1] ?? 0) * 1000);
    case 'microTime':
      return found.length === 0 ? null : formatMicroTime(Number(found[1] ?? 0) * 1000 + Number(found[2] ?? 0) / 1e6);
    case 'duration':
      return formatDurationNanos(BigInt((found[1] ?? 0) as number | bigint));
    default:
      return found[1] === undefined || found[1] === '' ? null : decodeJson(found[1] as string).value;
  }
}

function readBytesOf(reader: Reader, scalar: ScalarType): JsonValue {
  return scalar === 'quantity' || scalar === 'intOrString' ? reader.string() : textDecoder.decode(reader.bytes());
}

function writeInt64(writer: Writer, value: number | bigint): void {
  // Small numbers take the writer's shorter path; their bytes are the same.
  if (typeof value === 'number' && value >= 0 && value <= 0x7fffffff) writer.uint32(value);
  else if (typeof value === 'number') writer.int64(value);
  else writer.int64(toLongBits(value) as never);
}

/** The two halves that protobufjs takes for a 64-bit integer. */
function toLongBits(value: bigint): { readonly low: number; readonly high: number; readonly unsigned: boolean } {
  return { low: Number(BigInt.asIntN(32, value)), high: Number(BigInt.asIntN(32, value >> 32n)), unsigned: false };
}

function readInt64(reader: Reader): number | bigint {
  const value = reader.int64() as unknown as number | { toNumber(): number; toString(): string };
  if (typeof value === 'number') return value;
  const number = value.toNumber();
  return Number.isSafeInteger(number) ? number : BigInt(value.toString());
}
