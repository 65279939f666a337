/** One line of a log: a checksum, a separator, a JSON object whose first member is its type (SESSION-FILE.md F1). */
import { crc32 } from 'node:zlib';
import type { JsonObject, JsonValue } from '../base/json.ts';

/** What is written. Values are JSON, whole numbers may be `bigint`. */
export interface LogRecord {
  readonly t: string;
}

export const checksumLength = 8;
const plain = 0x20;
const exact = 0x2b;
/** Where the type stands: after checksum, separator and `{"t":"`. */
const typeStart = checksumLength + 1 + '{"t":"'.length;
const quote = 0x22;

export function encodeLine(record: LogRecord): Buffer {
  const body = encodeBody(record);
  return Buffer.from(`${crc32(body).toString(16).padStart(checksumLength, '0')}${body}\n`);
}

/**
 * The same line of a record whose last member is a long list, made of so many items at a time: between two steps others have their turn.
 * Its last step is the line.
 */
export function* encodeLongLine<T extends LogRecord>(
  record: T,
  name: string,
  items: readonly JsonValue[],
  step: number,
): Generator<Buffer | undefined> {
  const open = `${JSON.stringify(record).slice(0, -1)},"${name}":[`;
  const pieces: Buffer[] = [Buffer.from(` ${open}`)];
  for (let at = 0; at < items.length; at += step) {
    let text: string;
    try {
      text = JSON.stringify(items.slice(at, at + step));
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      // One that is exact is made at once: they are rare.
      yield encodeLine({ ...record, [name]: items });
      return;
    }
    pieces.push(Buffer.from(`${at === 0 ? '' : ','}${text.slice(1, -1)}`));
    yield undefined;
  }
  pieces.push(Buffer.from(']}'));
  const sum = pieces.reduce((before, piece) => crc32(piece, before), 0);
  yield Buffer.concat([Buffer.from(sum.toString(16).padStart(checksumLength, '0')), ...pieces, Buffer.from('\n')]);
}

/** The record of a line without its line feed; undefined for a damaged one. */
export function decodeLine(line: Buffer): LogRecord | undefined {
  if (!isWhole(line)) return undefined;
  const text = line.toString('utf8', checksumLength + 1);
  return (line[checksumLength] === exact ? toExact(JSON.parse(text) as JsonValue) : JSON.parse(text)) as LogRecord;
}

/** Whether the checksum is right, of a line or of a part of a block that is one. */
export function isWhole(line: Buffer, start = 0, end = line.length): boolean {
  const separator = line[start + checksumLength];
  if (end - start <= checksumLength || (separator !== plain && separator !== exact)) return false;
  return checksumOf(line, start) === crc32(line.subarray(start + checksumLength, end));
}

/** Undefined where it is no eight lower-case hex digits. */
function checksumOf(line: Buffer, start: number): number | undefined {
  let sum = 0;
  for (let at = start; at < start + checksumLength; at++) {
    const byte = line[at] as number;
    const digit = byte >= 0x30 && byte <= 0x39 ? byte - 0x30 : byte >= 0x61 && byte <= 0x66 ? byte - 0x57 : -1;
    if (digit < 0) return undefined;
    sum = sum * 16 + digit;
  }
  return sum;
}

/** The type that a line gives itself, damaged or not. */
export function typeOf(line: Buffer): string {
  const end = line.indexOf(quote, typeStart);
  return end < 0 ? '' : line.toString('latin1', typeStart, Math.min(end, typeStart + 32));
}

/** Whether a line in a block begins with these bytes, behind its checksum and separator; the first of them, up to `from`, are not looked at. */
export function beginsWith(block: Buffer, start: number, bytes: Buffer, from = 0): boolean {
  const begin = start + checksumLength + 1;
  for (let at = from; at < bytes.length; at++) if (block[begin + at] !== bytes[at]) return false;
  return true;
}

/** A line whose last member is long: what stands before it is decoded now, the member when it is asked for. */
export interface SplitLine<T extends LogRecord> {
  /** Without the last member. */
  readonly record: T;
  /** Name of that member; undefined where there is none. */
  readonly lastName: string | undefined;
  last(): JsonValue;
}

/**
 * Undefined for a damaged line, which is kept until its last member was asked for. The last member has one of the names. No text within a JSON text holds an unescaped quote, and the
 * members before hold no objects: so the first `,"NAME":` begins it.
 */
export function splitLine<T extends LogRecord>(line: Buffer, names: readonly string[]): SplitLine<T> | undefined {
  if (!isWhole(line)) return undefined;
  if (line[checksumLength] === exact) {
    const record = decodeLine(line) as T & { readonly [name: string]: JsonValue };
    const lastName = names.find((name) => Object.hasOwn(record, name));
    return { record, lastName, last: () => record[lastName ?? ''] as JsonValue };
  }
  const beginning = line.subarray(0, startBytes);
  const found = placeOf(beginning, names) ?? (beginning.length < line.length ? placeOf(line, names) : undefined);
  const { end, lastName } = found ?? { end: line.length - 1, lastName: undefined };
  const record = JSON.parse(`${line.toString('utf8', checksumLength + 1, end)}}`) as T;
  const start = end + `,"${lastName}":`.length;
  return { record, lastName, last: () => JSON.parse(line.toString('utf8', start, line.length - 1)) as JsonValue };
}

/** What stands before the last member is mostly shorter: the rest, which may be long, is hardly ever looked through. */
const startBytes = 512;

/** Where the first of these members begins. */
function placeOf(line: Buffer, names: readonly string[]): { readonly end: number; readonly lastName: string } | undefined {
  let found: { readonly end: number; readonly lastName: string } | undefined;
  for (const name of names) {
    const end = line.indexOf(`,"${name}":`);
    if (end >= 0 && end < (found?.end ?? line.length)) found = { end, lastName: name };
  }
  return found;
}

function encodeBody(record: LogRecord): string {
  try {
    return ` ${JSON.stringify(record)}`;
  } catch (error) {
    // Whole numbers beyond 2^53 are rare: only then is every value looked at.
    if (!(error instanceof TypeError)) throw error;
    return `+${JSON.stringify(fromExact(record as unknown as JsonObject))}`;
  }
}

function fromExact(value: JsonValue): JsonValue {
  if (typeof value === 'bigint') return { $int: value.toString() };
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(fromExact);
  const members = Object.entries(value as JsonObject)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]): [string, JsonValue] => [name, fromExact(member)]);
  const isPlain = members.every(([name]) => name !== '$int' && name !== '$object' && name !== '__proto__');
  return isPlain ? Object.fromEntries(members) : { $object: members };
}

function toExact(value: JsonValue): JsonValue {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(toExact);
  const object = value as JsonObject;
  if (typeof object['$int'] === 'string') return BigInt(object['$int']);
  if (Array.isArray(object['$object'])) {
    return Object.fromEntries((object['$object'] as readonly (readonly [string, JsonValue])[]).map(([name, member]) => [name, toExact(member)]));
  }
  return Object.fromEntries(Object.entries(object).map(([name, member]) => [name, toExact(member)]));
}
