/** Reading one scalar of a document as its Go type would, with the error texts of Go's JSON decoder. */
import { decodeBase64, encodeBase64 } from '../../base/base64.ts';
import type { JsonValue } from '../../base/json.ts';
import { canonicalQuantity } from '../quantity-text.ts';
import { QuantityError } from '../quantity.ts';
import type { ScalarType } from '../schema.ts';
import { durationFault } from '../duration-fault.ts';
import { type Instant, readTime as readInstant, type TimeLayout } from '../rfc3339.ts';
import { formatDurationNanos, microTimeText, formatTime, parseDurationNanos } from '../time.ts';
import { base64Fault, isBase64 } from './base64-fault.ts';

export interface Mismatch {
  readonly value: JsonValue;
  readonly goType: string;
  /** What the Go type is underneath, where its name does not tell. */
  readonly kind: 'string' | 'slice' | 'map' | undefined;
  /** Its type has a reader of its own, which does not know where the value stands. */
  readonly readsItself?: boolean;
}

/** The document cannot be read as its kind: 400, with a text as Go's decoder words it. */
export class DecodeError extends Error {
  /** What was there and the Go type that was wanted, where the types do not fit. */
  readonly mismatch: Mismatch | undefined;

  constructor(message: string, mismatch?: Mismatch, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DecodeError';
    this.mismatch = mismatch;
  }
}

/** Whether Go's decoder stops there: types with readers of their own are not read past. */
export function breaksOff({ message, mismatch }: DecodeError): boolean {
  return mismatch === undefined ? !message.startsWith('illegal base64') : mismatch.readsItself === true;
}

const int32Max = 0x7fffffff;
const int32Min = -0x80000000;
const int64Max = 0x7fffffffffffffffn;
const int64Min = -0x8000000000000000n;
/** Times that are written as they are read, but for the last days of months, of which not every one exists. */
const secondsText = /^(?!0001-01-01T00:00:00)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;
const microText = /^(?!0001-01-01T00:00:00)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6}Z$/;

/** The first instant of the year 1, which Go takes for none at all. */
const zeroTimeMs = -62_135_596_800_000;

const badQuantity = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** `owner` is the Go struct, `path` the JSON path from the root. */
export function typeError(value: JsonValue, owner: string, path: string, goType: string, kind?: Mismatch['kind']): DecodeError {
  // Go names fields only, not the places in a list.
  const fields = path.replace(/\[\d+\]/g, '');
  const where = path === '' ? `Go value of type ${goType}` : `Go struct field ${owner}.${fields} of type ${goType}`;
  return new DecodeError(`json: cannot unmarshal ${describe(value, goType)} into ${where}`, { value, goType, kind });
}

/** Of a type that is read from JSON of the type `made` by itself. */
function ownError(value: JsonValue, owner: string, path: string, made: string): DecodeError {
  return new DecodeError(typeError(value, owner, path, made).message, { value, goType: made, kind: undefined, readsItself: true });
}

export function readScalar(value: JsonValue, type: ScalarType, owner: string, path: () => string): JsonValue {
  switch (type) {
    case 'string':
      if (typeof value === 'string') return value;
      throw typeError(value, owner, path(), 'string');
    case 'bool':
      if (typeof value === 'boolean') return value;
      throw typeError(value, owner, path(), 'bool');
    case 'int32':
    case 'uint32':
      if (isInt32(value)) return value;
      throw typeError(value, owner, path(), 'int32');
    case 'int64':
    case 'uint64':
      return readInt64(value, owner, path);
    case 'double':
      if (typeof value === 'number') return value;
      if (typeof value === 'bigint') return Number(value);
      throw typeError(value, owner, path(), 'float64');
    case 'bytes':
      return readBytes(value, owner, path);
    case 'quantity':
      return readQuantity(value);
    case 'intOrString':
      if (typeof value === 'string' || isInt32(value)) return value;
      throw ownError(value, owner, path(), 'int32');
    case 'time':
      return readTime(value, owner, path);
    case 'microTime':
      return readMicroTime(value, owner, path);
    case 'duration':
      return readDuration(value, owner, path);
    case 'jsonSchemaOrArray':
    case 'jsonSchemaOrStrings':
      return Array.isArray(value) && value.length === 0 ? null : value;
    default:
      return value;
  }
}

function isInt32(value: JsonValue): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value <= int32Max && value >= int32Min;
}

function readInt64(value: JsonValue, owner: string, path: () => string): JsonValue {
  // Integers beyond 2^53 are bigints; a double of that size was written with an exponent, which Go takes for no integer.
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  if (typeof value === 'bigint' && value <= int64Max && value >= int64Min) return value;
  throw typeError(value, owner, path(), 'int64');
}

/** As base64. Throws DecodeError. */
export function readBytes(value: JsonValue, owner: string, path: () => string): string {
  if (Array.isArray(value)) return bytesOf(value, owner, path);
  if (typeof value !== 'string') throw typeError(value, owner, path(), '[]uint8');
  const packed = /[\r\n]/.test(value) ? value.replace(/[\r\n]/g, '') : value;
  const fault = isBase64(packed) ? undefined : base64Fault(value);
  if (fault !== undefined) throw new DecodeError(`illegal base64 data at input byte ${fault}`);
  // Of the last letter before the padding only some bits are read.
  return packed.endsWith('=') ? packed.slice(0, -4) + encodeBase64(decodeBase64(packed.slice(-4))) : packed;
}

/** Go takes a list of small numbers, too. */
function bytesOf(list: readonly JsonValue[], owner: string, path: () => string): string {
  const bytes = list.map((byte) => {
    if (byte === null) return 0;
    if (typeof byte !== 'number' || !Number.isInteger(byte) || byte < 0 || byte > 255) throw typeError(byte, owner, path(), 'uint8');
    return byte;
  });
  return encodeBase64(Uint8Array.from(bytes));
}

function readQuantity(value: JsonValue): JsonValue {
  const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value;
  if (typeof text !== 'string') throw new DecodeError(badQuantity);
  try {
    return canonicalQuantity(text);
  } catch (error) {
    if (error instanceof QuantityError) throw new DecodeError(error.message);
    throw error;
  }
}

function readTime(value: JsonValue, owner: string, path: () => string): JsonValue {
  if (typeof value !== 'string') throw ownError(value, owner, path(), 'string');
  if (secondsText.test(value)) return value;
  return textOf(value, 'seconds', ({ secondMs }) => formatTime(secondMs));
}

function readMicroTime(value: JsonValue, owner: string, path: () => string): JsonValue {
  if (typeof value !== 'string') throw ownError(value, owner, path(), 'string');
  if (microText.test(value)) return value;
  return textOf(value, 'micros', ({ secondMs, fraction }) => microTimeText(secondMs, fraction));
}

function textOf(text: string, layout: TimeLayout, format: (instant: Instant) => string): JsonValue {
  const read = readInstant(text, layout);
  if (typeof read === 'string') throw new DecodeError(read);
  return read.secondMs === zeroTimeMs && Number(read.fraction) === 0 ? null : format(read);
}

function readDuration(value: JsonValue, owner: string, path: () => string): JsonValue {
  if (typeof value !== 'string') throw ownError(value, owner, path(), 'string');
  const nanos = parseDurationNanos(value);
  if (nanos === undefined) throw new DecodeError(`time: ${durationFault(value)}`);
  return formatDurationNanos(nanos);
}

function describe(value: JsonValue, goType: string): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'bigint':
    case 'number':
      // Go shows a number only where one was wanted and this one does not fit.
      return /^u?int|^float/.test(goType) ? `number ${value}` : 'number';
    default:
      return 'object';
  }
}
