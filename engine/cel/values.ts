/**
 * Values of CEL. Whole numbers are bigint, doubles are number, lists are arrays, maps are Maps by `mapKey`; what a library adds is a
 * CelObject.
 */
import type { JsonValue } from '../base/json.ts';
import type { CelType } from './types.ts';

export class Unsigned {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

/** A value of a type that is not CEL's own. */
export interface CelObject {
  /** The name of its type. */
  readonly celType: string;
  equals?(other: CelValue): boolean;
  /** Of a field; undefined when there is none. */
  field?(name: string): CelValue | undefined;
  /** What stands at an index, where the object has such. */
  element?(index: CelValue): CelValue;
  /** How many characters, elements or bytes a cost goes by; 1 when absent. */
  readonly size?: number;
  /** Whether `has` finds it: false for fields that have but their zero value. Absent where `field` says so. */
  isSet?(name: string): boolean;
  /** Whether it says nothing; false when absent. */
  isZero?(): boolean;
  /** Its form in JSON, where it has one. */
  json?(): JsonValue | undefined;
}

/** A type as a value: `type(1) == int`. */
export class CelTypeValue implements CelObject {
  readonly celType = 'type';
  readonly name: string;
  /** What a checker calls it, where it stands in an expression. */
  readonly of: CelType | undefined;

  constructor(name: string, of?: CelType) {
    this.name = name;
    this.of = of;
  }

  equals(other: CelValue): boolean {
    return other instanceof CelTypeValue && other.name === this.name;
  }

  toString(): string {
    return this.name;
  }
}

export interface CelMap {
  get(key: CelValue): CelValue | undefined;
  has(key: CelValue): boolean;
  keys(): readonly CelValue[];
  readonly isCelMap: true;
  /** How many entries it has, where those are more than its keys tell. */
  readonly size?: number;
  /** Where it is equal in a way of its own. */
  equals?(other: CelValue): boolean;
}

/** How a list is compared and added to that is a set or a map. */
export interface ListTraits {
  equals(other: readonly CelValue[]): boolean;
  plus(other: readonly CelValue[]): CelList;
}

export type CelList = readonly CelValue[] & { readonly traits?: ListTraits };

export type CelValue = bigint | number | string | boolean | null | Unsigned | Uint8Array | CelList | CelMap | CelObject;

/** What evaluation ends with; the text is upstream's. */
export class CelError extends Error {
  /** What the evaluation had cost until it failed. */
  cost?: number;

  constructor(message: string) {
    super(message);
    this.name = 'CelError';
  }
}

export function isMap(value: CelValue): value is CelMap {
  return typeof value === 'object' && value !== null && 'isCelMap' in value;
}

export function isList(value: CelValue): value is CelList {
  return Array.isArray(value);
}

export function isObject(value: CelValue): value is CelObject {
  return typeof value === 'object' && value !== null && 'celType' in value;
}

/** What costs go by: of what has no length 1. */
export function sizeOf(value: CelValue): number {
  if (typeof value === 'string') return codePoints(value);
  if (value instanceof Uint8Array || isList(value)) return value.length;
  if (isMap(value)) return value.size ?? value.keys().length;
  return isObject(value) ? (value.size ?? 1) : 1;
}

function codePoints(text: string): number {
  let count = text.length;
  for (let i = 0; i + 1 < text.length; i++) {
    if ((text.charCodeAt(i) & 0xfc00) !== 0xd800 || (text.charCodeAt(i + 1) & 0xfc00) !== 0xdc00) continue;
    count--;
    i++;
  }
  return count;
}

/** Keys are whole numbers, strings and booleans; numbers of different types that are equal are one key. */
export function mapKey(key: CelValue): string | undefined {
  if (typeof key === 'string') return `s${key}`;
  if (typeof key === 'boolean') return `b${key}`;
  if (typeof key === 'bigint') return `i${key}`;
  if (key instanceof Unsigned) return `i${key.value}`;
  return typeof key === 'number' && Number.isInteger(key) ? `i${BigInt(key)}` : undefined;
}

/** `missing` is what a key that is not there stands for, where it stands for something. */
export function celMap(entries: Iterable<readonly [CelValue, CelValue]>, missing?: CelValue): CelMap {
  const held = new Map<string, readonly [CelValue, CelValue]>();
  // What is no key is kept and never found.
  for (const entry of entries) held.set(mapKey(entry[0]) ?? `?${held.size}`, entry);
  return {
    isCelMap: true,
    get: (key) => {
      const entry = held.get(mapKey(key) ?? '-');
      return entry === undefined ? missing : entry[1];
    },
    has: (key) => missing !== undefined || held.has(mapKey(key) ?? '-'),
    keys: () => [...held.values()].map(([key]) => key),
  };
}

export function typeOf(value: CelValue): string {
  if (value === null) return 'null_type';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return 'double';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (value instanceof Unsigned) return 'uint';
  if (value instanceof Uint8Array) return 'bytes';
  if (isList(value)) return 'list';
  return isMap(value) ? 'map' : (value as CelObject).celType;
}

const comparisonsMax = 10_000_000;

/** Numbers compare across their types; values of other different types are not equal. Throws CelError where there is too much to compare. */
export function celEqual(a: CelValue, b: CelValue, left: { count: number } = { count: comparisonsMax }): boolean {
  if (--left.count < 0) throw new CelError('operation cancelled: actual cost limit exceeded');
  const [x, y] = [numeric(a), numeric(b)];
  // A bigint and a number are equal when they are the same number.
  if (x !== undefined && y !== undefined) return compareNumbers(x, y) === 0;
  if (isList(a) && isList(b) && a.traits !== undefined) return a.traits.equals(b);
  if (isList(a) && isList(b)) return a.length === b.length && a.every((one, i) => celEqual(one, b[i] as CelValue, left));
  if (a instanceof Uint8Array && b instanceof Uint8Array) return a.length === b.length && a.every((byte, i) => byte === b[i]);
  if (isMap(a) && isMap(b)) {
    if (a.equals !== undefined) return a.equals(b);
    const keys = a.keys();
    return keys.length === b.keys().length && keys.every((key) => b.has(key) && celEqual(a.get(key) as CelValue, b.get(key) as CelValue, left));
  }
  if (isObject(a)) return a.equals?.(b) ?? a === b;
  return a === b;
}

export function numeric(value: CelValue): bigint | number | undefined {
  if (typeof value === 'bigint' || typeof value === 'number') return value;
  return value instanceof Unsigned ? value.value : undefined;
}

/** NaN compares to nothing. A whole number is made a double where the other one is. */
export function compareNumbers(x: bigint | number, y: bigint | number): -1 | 0 | 1 | undefined {
  const [a, b] = typeof x === typeof y ? [x, y] : [Number(x), Number(y)];
  if (a < b) return -1;
  if (a > b) return 1;
  return a >= b ? 0 : undefined;
}
