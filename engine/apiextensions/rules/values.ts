/**
 * Values of custom resources as expressions see them, by their schemas. Mirrors pkg/cel/common/valuesunstructured.go of apiserver: times and
 * bytes are read, members of objects are known by their written names, and lists that are sets or maps compare and add as such.
 */
import { parseDurationNanos } from '../../apimachinery/time.ts';
import { getOwn } from '../../base/dictionary.ts';
import { deepEqual } from '../../base/equal.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { CelDuration, readTimestamp } from '../../cel/libraries/times.ts';
import { CelError, celEqual, type CelList, type CelMap, type CelValue, isList as isCelList, isMap, type ListTraits } from '../../cel/values.ts';
import { goNumberOf } from '../schema/numbers.ts';
import { parseWordyDuration } from '../schema/formats.ts';
import type { Structural } from '../schema/structural.ts';
import { escaped, unescaped } from '../../cel/names.ts';
import type { SchemaTypes } from './types.ts';

/** Throws CelError. */
export function valueOf(value: JsonValue, s: Structural, types: SchemaTypes): CelValue {
  if (value === null) {
    if (s.nullable) return null;
    throw new CelError('invalid data, got null for schema with nullable=false');
  }
  if (s.intOrString) return intOrString(value);
  switch (s.type) {
    case 'object':
      if (!isObject(value)) throw new CelError('invalid data, expected a map for the provided schema with type=object');
      return new SchemaMap(value, s, types);
    case 'array':
      if (!isList(value)) throw new CelError('invalid data, expected an array for the provided schema with type=array');
      return listOf(value, s, types);
    case 'string':
      if (typeof value !== 'string') throw new CelError(`invalid data, expected string, got ${goType(value)}`);
      return textOf(value, s.format);
    case 'number':
    case 'integer':
      return numberOf(value, s.type);
    case 'boolean':
      if (typeof value !== 'boolean') throw new CelError(`invalid data, expected bool, got ${goType(value)}`);
      return value;
    default:
      return unknownOf(value, s);
  }
}

function goType(value: JsonValue): string {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (isList(value)) return '[]interface {}';
  return isObject(value) ? 'map[string]interface {}' : 'whole' in goNumberOf(value as number) ? 'int64' : 'float64';
}

function intOrString(value: JsonValue): CelValue {
  if (typeof value === 'string') return value;
  const number = typeof value === 'number' || typeof value === 'bigint' ? goNumberOf(value) : undefined;
  if (number !== undefined && 'whole' in number) return number.whole;
  throw new CelError('invalid data, expected XIntOrString value to be either a string or integer');
}

function numberOf(value: JsonValue, type: 'number' | 'integer'): CelValue {
  const number = typeof value === 'number' || typeof value === 'bigint' ? goNumberOf(value) : undefined;
  if (number !== undefined && type === 'number') return 'whole' in number ? Number(number.whole) : number.double;
  if (number !== undefined && 'whole' in number) return number.whole;
  throw new CelError(`invalid data, expected ${type === 'number' ? 'float' : 'int'}, got ${goType(value)}`);
}

/** What is kept without being known can be compared, and nothing else. */
function unknownOf(value: JsonValue, s: Structural): CelValue {
  if (s.preserveUnknownFields)
    return { celType: 'unknown', json: () => value, equals: (other) => deepEqual(value, (other as { json?(): JsonValue }).json?.()) };
  const what =
    'expected object, array, number, integer, boolean or string, or no type with x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true';
  throw new CelError(`invalid type, ${what}, got ${s.type}`);
}

function textOf(text: string, format: string): CelValue {
  switch (format) {
    case 'duration': {
      const nanos = parseDurationNanos(text) ?? parseWordyDuration(text);
      if (nanos === undefined) throw new CelError(`Invalid duration ${text}: unable to parse ${JSON.stringify(text)} as a duration`);
      return new CelDuration(nanos);
    }
    case 'date':
    case 'date-time': {
      const found = readTimestamp(format === 'date' ? `${text}T00:00:00Z` : text.toUpperCase());
      if (found === undefined) throw new CelError(`Invalid ${format} formatted string ${text}`);
      return found;
    }
    case 'byte':
      return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    default:
      return text;
  }
}

/** A map, or an object whose members have schemas. */
class SchemaMap implements CelMap {
  readonly isCelMap = true;
  readonly raw: JsonObject;
  readonly #s: Structural;
  readonly #types: SchemaTypes;
  readonly #isObject: boolean;
  readonly #known = new Map<string, CelValue>();

  constructor(raw: JsonObject, s: Structural, types: SchemaTypes) {
    this.raw = raw;
    this.#s = types.seen(s, s.embeddedResource);
    this.#types = types;
    this.#isObject = this.#s.properties.size > 0;
  }

  #schemaOf(name: string): Structural | undefined {
    if (this.#isObject) return this.#s.properties.get(name);
    const { additionalProperties } = this.#s;
    return typeof additionalProperties === 'object' ? additionalProperties : undefined;
  }

  get(key: CelValue): CelValue | undefined {
    if (typeof key !== 'string') return undefined;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const name = this.#isObject ? unescaped(key) : key;
    const value = name === undefined ? undefined : getOwn(this.raw, name);
    const schema = name === undefined ? undefined : this.#schemaOf(name);
    if (value === undefined || schema === undefined || (this.#isObject && value === null)) return undefined;
    const made = valueOf(value, schema, this.#types);
    this.#known.set(key, made);
    return made;
  }

  has(key: CelValue): boolean {
    return this.get(key) !== undefined;
  }

  keys(): readonly CelValue[] {
    const names = Object.keys(this.raw).filter((name) => this.#schemaOf(name) !== undefined);
    return this.#isObject ? names.map((name) => escaped(name) ?? name) : names;
  }

  get size(): number {
    return Object.keys(this.raw).length;
  }

  equals(other: CelValue): boolean {
    if (!isMap(other) || (other.size ?? other.keys().length) !== this.size) return false;
    return Object.keys(this.raw).every((name) => {
      if (this.#schemaOf(name) === undefined) return other instanceof SchemaMap && this.#isLikeRaw(name, other);
      const [own, their] = [this.get(name), other.get(name)];
      return own === undefined || their === undefined ? own === their : celEqual(own, their);
    });
  }

  /** What no schema names and only one of them has does not count. */
  #isLikeRaw(name: string, other: SchemaMap): boolean {
    const their = getOwn(other.raw, name);
    return their === undefined || deepEqual(this.raw[name], their);
  }
}

function listOf(raw: readonly JsonValue[], s: Structural, types: SchemaTypes): CelList {
  const { items, listType = '', listMapKeys } = s;
  if (items === undefined) throw new CelError('invalid array type, expected Items with a non-empty Schema');
  const elements = raw.map((one) => valueOf(one, items, types));
  if (listType === 'map')
    return keyed(
      elements,
      listMapKeys.map((name) => escaped(name) ?? name),
    );
  return listType === 'set' ? unordered(elements) : elements;
}

function withTraits(elements: readonly CelValue[], traitsOf: (own: CelList) => ListTraits): CelList {
  const list: CelValue[] & { traits?: ListTraits } = [...elements];
  Object.defineProperty(list, 'traits', { value: traitsOf(list) });
  return list;
}

/** Items are the same by their keys; what is added takes the place of what has its key. */
function keyed(elements: readonly CelValue[], keys: readonly string[]): CelList {
  const keyOf = (item: CelValue): string => JSON.stringify(keys.map((key) => (isMap(item) ? String(item.get(key)) : '')));
  return withTraits(elements, (own) => ({
    equals: (other) => {
      if (other.length !== own.length) return false;
      const byKey = new Map(own.map((item) => [keyOf(item), item] as const));
      return other.every((item) => {
        const found = byKey.get(keyOf(item));
        return found !== undefined && celEqual(found, item);
      });
    },
    plus: (other) => {
      const byKey = new Map([...own, ...other].map((item) => [keyOf(item), item] as const));
      return keyed([...byKey.values()], keys);
    },
  }));
}

/** In any order, each once. */
function unordered(elements: readonly CelValue[]): CelList {
  const keyOf = (item: CelValue): CelValue => (typeof item === 'object' && item !== null ? JSON.stringify(rawOf(item)) : item);
  return withTraits(elements, (own) => ({
    equals: (other) => {
      const held = new Set(own.map(keyOf));
      return other.length === own.length && other.every((item) => held.has(keyOf(item)));
    },
    plus: (other) => unordered([...new Map([...own, ...other].map((item) => [keyOf(item), item] as const)).values()]),
  }));
}

function rawOf(value: CelValue): unknown {
  if (value instanceof SchemaMap) return value.raw;
  return isCelList(value) ? value.map(rawOf) : String(value);
}
