/**
 * Brings any JSON-shaped value into the canonical form of its kind: keys in schema order, map keys in byte order, texts of quantities
 * and times as upstream writes them, zero values left out or filled in as Go's encoder does. What is canonical already comes back as
 * the same reference, so subtrees that controllers share cost nothing. Unknown fields are left out and named, never an exception.
 */
import type { JsonValue } from '../../base/json.ts';
import type { MessageSchema, SchemaRegistry } from '../schema.ts';
import { type CompiledField, type CompiledMessage, Compiler } from './compile.ts';
import { setOwn } from '../../base/dictionary.ts';
import { fieldCount, roomFor } from '../../base/plain.ts';
import { strictErrorsMax } from './json.ts';
import { DecodeError, readScalar, typeError } from './scalars.ts';

type Plain = { [key: string]: JsonValue };
type ReadonlyPlain = { readonly [key: string]: JsonValue };

/** Where the walk is, for the texts of errors. */
interface Walk {
  /** Unknown fields met, as paths such as `spec.containers[0].foo`; not collected when absent. */
  readonly unknown: string[] | undefined;
  /** Empty lists and maps kept as they were given: storage makes `null` of them, field ownership wants to see them. */
  empties: number;
  /** Messages and lists around the value. */
  depth: number;
}

/**
 * What is known to be canonical is looked up instead of walked. Each such fact costs the collector of garbage some work for as long as the
 * value lives, so only what is shared between revisions is remembered: the parts of an object and the lists in them, not the object
 * itself, which each write makes anew, nor what is inside of what is remembered.
 */
const rememberedDepthMax = 2;
/** A flat object or map of so few entries is looked through as quickly as it is looked up. */
const flatMax = 8;

export interface Decoded<T> {
  readonly object: T;
  /** `unknown field "spec.foo"`, in the order of the document. */
  readonly unknownFields: readonly string[];
}

export class Canonicalizer {
  readonly #compiler: Compiler;
  /** What is canonical, and as what: the same value may be read again as another kind. */
  readonly #canonical = new WeakMap<object, CompiledMessage | CompiledField>();

  constructor(compiler: Compiler) {
    this.#compiler = compiler;
  }

  /** Throws DecodeError when a value has the wrong type. */
  canonicalize<T>(value: unknown, schema: MessageSchema): T {
    return this.#message(value as JsonValue, this.#compiler.get(schema), undefined, '', { unknown: undefined, empties: 0, depth: 0 }) as T;
  }

  decodeInto<T>(value: unknown, schema: MessageSchema): Decoded<T> {
    const unknown: string[] = [];
    const object = this.#message(value as JsonValue, this.#compiler.get(schema), undefined, '', { unknown, empties: 0, depth: 0 }) as T;
    return { object, unknownFields: unknown.slice(0, strictErrorsMax).map((path) => `unknown field ${JSON.stringify(path)}`) };
  }

  /** `owner` is the message that holds this one. */
  #message(value: JsonValue, message: CompiledMessage, owner: CompiledMessage | undefined, path: string, walk: Walk): ReadonlyPlain {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw typeError(value, shortName(owner ?? message), path, goTypeOf(message));
    if (this.#canonical.get(value) === message) return value as ReadonlyPlain;
    const given = value as ReadonlyPlain;
    const empties = walk.empties;
    walk.depth++;
    const canonical = isInOrder(given, message) ? this.#fieldsInOrder(given, message, path, walk) : this.#allFields(given, message, path, walk);
    walk.depth--;
    if (isWorthRemembering(walk) && walk.empties === empties && isNested(canonical)) this.#canonical.set(canonical, message);
    return canonical;
  }

  /** Keeps the object as long as no field of it changes. */
  #fieldsInOrder(given: ReadonlyPlain, message: CompiledMessage, path: string, walk: Walk): ReadonlyPlain {
    let result: Plain | undefined;
    for (const key in given) {
      const raw = given[key] as JsonValue;
      const field = message.byName.get(key) as CompiledField;
      const next = raw === null ? this.#zero(field) : this.#field(raw, field, message, path, walk);
      if (result === undefined && next !== raw) result = fieldsBefore(given, key);
      if (result !== undefined && next !== undefined) result[key] = next;
    }
    return result ?? given;
  }

  #allFields(given: ReadonlyPlain, message: CompiledMessage, path: string, walk: Walk): ReadonlyPlain {
    const result = roomFor(fieldCount(given) + missing(given, message)) as Plain;
    let changed = false;
    let met = 0;
    let kept = 0;
    const start = walk.unknown?.length ?? 0;
    for (const field of message.json) {
      const raw = given[field.name];
      if (raw !== undefined) met++;
      const next = raw === undefined || raw === null ? this.#zero(field) : this.#field(raw, field, message, path, walk);
      if (next === undefined) continue;
      result[field.name] = next;
      kept++;
      if (next !== raw) changed = true;
    }
    const keys = Object.keys(given);
    if (keys.length !== met) changed = true;
    if (walk.unknown !== undefined && (keys.length !== met || walk.unknown.length > start)) nameUnknown(keys, message, path, walk.unknown, start);
    return !changed && kept === keys.length && sameOrder(keys, result) ? given : result;
  }

  #field(raw: JsonValue, field: CompiledField, owner: CompiledMessage, path: string, walk: Walk): JsonValue | undefined {
    switch (field.card) {
      case 'list':
        return this.#list(raw, field, owner, join(path, field.name), walk);
      case 'map':
      case 'mapOfLists':
        return this.#map(raw, field, owner, join(path, field.name), walk);
      default: {
        if (field.scalar === undefined) return this.#optionalMessage(raw, field, owner, join(path, field.name), walk);
        const read = readScalar(raw, field.scalar, shortName(owner), () => join(path, field.name));
        if (field.omitEmpty && !field.pointer && isZero(read)) return undefined;
        return read;
      }
    }
  }

  #optionalMessage(raw: JsonValue, field: CompiledField, owner: CompiledMessage, path: string, walk: Walk): JsonValue | undefined {
    const read = this.#message(raw, field.message(), owner, path, walk);
    if (field.omitEmpty && !field.pointer && isEmpty(read)) return undefined;
    return read;
  }

  #list(raw: JsonValue, field: CompiledField, owner: CompiledMessage, path: string, walk: Walk): JsonValue | undefined {
    if (!Array.isArray(raw)) throw typeError(raw, shortName(owner), path, `[]${elementType(field)}`);
    if (raw.length === 0) return keptEmpty(raw, field, walk);
    if (this.#canonical.get(raw) === field) return raw;
    const empties = walk.empties;
    let changed = false;
    const list = raw as readonly JsonValue[];
    walk.depth++;
    const next = list.map((element, index) => {
      const read = this.#element(element, field, owner, path, walk.unknown === undefined ? '' : `[${index}]`, walk);
      if (read !== element) changed = true;
      return read;
    });
    walk.depth--;
    const result = changed ? next : list;
    if (field.scalar === undefined && isWorthRemembering(walk) && walk.empties === empties) this.#canonical.set(result, field);
    return result;
  }

  #element(element: JsonValue, field: CompiledField, owner: CompiledMessage, path: string, index: string, walk: Walk): JsonValue {
    if (field.scalar !== undefined) return element === null ? zeroEntry(field) : readScalar(element, field.scalar, shortName(owner), () => path);
    return this.#message(element ?? {}, field.message(), owner, path + index, walk);
  }

  #map(raw: JsonValue, field: CompiledField, owner: CompiledMessage, path: string, walk: Walk): JsonValue | undefined {
    if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
      throw typeError(raw, shortName(owner), path, `map[string]${elementType(field)}`);
    if (this.#canonical.get(raw) === field) return raw;
    const given = raw as ReadonlyPlain;
    const keys = Object.keys(given);
    if (keys.length === 0) return keptEmpty(given, field, walk);
    const empties = walk.empties;
    const sorted = keys.length === 1 ? keys : [...keys].sort(byCodeUnits);
    const result: Plain = {};
    let changed = sorted.some((key, index) => key !== keys[index]);
    for (const key of sorted) {
      const value = given[key] as JsonValue;
      const read = this.#mapValue(value, field, owner, path, key, walk);
      setOwn(result, key, read);
      if (read !== value) changed = true;
    }
    const kept = changed ? result : given;
    if (keys.length > flatMax && walk.empties === empties) this.#canonical.set(kept, field);
    return kept;
  }

  #mapValue(value: JsonValue, field: CompiledField, owner: CompiledMessage, path: string, key: string, walk: Walk): JsonValue {
    if (field.card === 'mapOfLists')
      return value === null ? null : ((this.#list(value, { ...field, card: 'list', omitEmpty: false }, owner, path, walk) ?? null) as JsonValue);
    return this.#element(value, field, owner, path, `.${key}`, walk);
  }

  /** What Go's encoder writes for a field that was not given; undefined where it writes nothing. */
  #zero(field: CompiledField): JsonValue | undefined {
    if (field.omitEmpty) return undefined;
    if (field.card !== 'one' || field.pointer) return null;
    return field.scalar === undefined
      ? this.#message({}, field.message(), undefined, '', { unknown: undefined, empties: 0, depth: 0 })
      : zeroOf(field);
  }
}

/** For callers that hold schemas only; compiled once per registry. */
const canonicalizers = new WeakMap<SchemaRegistry, Canonicalizer>();

export function canonicalizerOf(schemas: SchemaRegistry): Canonicalizer {
  let canonicalizer = canonicalizers.get(schemas);
  if (canonicalizer === undefined) {
    canonicalizer = new Canonicalizer(new Compiler(schemas));
    canonicalizers.set(schemas, canonicalizer);
  }
  return canonicalizer;
}

export function canonicalize<T>(value: T, schema: MessageSchema, schemas: SchemaRegistry): T {
  return canonicalizerOf(schemas).canonicalize<T>(value, schema);
}

export { DecodeError };

function zeroOf(field: CompiledField): JsonValue {
  switch (field.scalar) {
    case 'string':
      return '';
    case 'bool':
      return false;
    case 'quantity':
      return '0';
    case 'duration':
      return '0s';
    case 'int32':
    case 'int64':
    case 'uint32':
    case 'uint64':
    case 'double':
    case 'intOrString':
      return 0;
    default:
      return null;
  }
}

/** What becomes of an empty list or map: protobuf, which upstream stores, cannot tell it from none, and Go writes that as `null`. */
function keptEmpty<T extends JsonValue>(empty: T, field: CompiledField, walk: Walk): T | null | undefined {
  if (field.omitEmpty && !field.pointer) return undefined;
  if (walk.unknown === undefined) return field.pointer ? empty : null;
  walk.empties++;
  return empty;
}

/** In lists and maps storage has no bytes where nothing was given; a field of its own would be left out. */
function zeroEntry(field: CompiledField): JsonValue {
  return field.scalar === 'bytes' ? '' : zeroOf(field);
}

function isZero(value: JsonValue): boolean {
  return value === '' || value === 0 || value === false || value === null || value === 0n;
}

/** How many fields are written whatever was given. */
function missing(given: ReadonlyPlain, message: CompiledMessage): number {
  let count = 0;
  for (const field of message.always) if (given[field.name] === undefined) count++;
  return count;
}

function isEmpty(object: object): boolean {
  for (const _key in object) return false;
  return true;
}

/** Whether all keys are fields in the schema's order, and none is missing that is always written. */
function isInOrder(given: ReadonlyPlain, message: CompiledMessage): boolean {
  let last = -1;
  for (const key in given) {
    const position = message.positions.get(key);
    if (position === undefined || position < last || given[key] === undefined) return false;
    last = position;
  }
  for (const field of message.always) if (given[field.name] === undefined) return false;
  return true;
}

function isWorthRemembering({ depth }: Walk): boolean {
  return depth > 0 && depth <= rememberedDepthMax;
}

function isNested(object: ReadonlyPlain): boolean {
  for (const key in object) if (typeof object[key] === 'object') return true;
  return false;
}

function fieldsBefore(given: ReadonlyPlain, end: string): Plain {
  const result = roomFor(fieldCount(given)) as Plain;
  for (const key in given) {
    if (key === end) break;
    result[key] = given[key] as JsonValue;
  }
  return result;
}

/** Both have the same keys; the order of `result` is the schema's. */
function sameOrder(keys: readonly string[], result: ReadonlyPlain): boolean {
  let index = 0;
  for (const key in result) if (keys[index++] !== key) return false;
  return true;
}

/** Puts the unknown fields of one object, from `start` on, into the order of the document. */
function nameUnknown(keys: readonly string[], message: CompiledMessage, path: string, unknown: string[], start: number): void {
  // Only a hundred are named, so what is met beyond changes nothing and costs nothing.
  if (start >= strictErrorsMax) return;
  const nested = unknown.splice(start);
  for (const key of keys) {
    if (unknown.length >= strictErrorsMax) return;
    const field = join(path, key);
    if (!message.byName.has(key)) unknown.push(field);
    else unknown.push(...nested.filter((other) => other.startsWith(field) && (other[field.length] === '.' || other[field.length] === '[')));
  }
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function shortName(message: CompiledMessage): string {
  return message.name.slice(message.name.lastIndexOf('.') + 1);
}

/** `v1.PodSpec`, as Go prints the type. */
function goTypeOf(message: CompiledMessage): string {
  return message.name.split('.').slice(-2).join('.');
}

function elementType(field: CompiledField): string {
  if (field.card === 'mapOfLists') return '[]string';
  if (field.scalar === undefined) return goTypeOf(field.message());
  return field.scalar === 'quantity' ? 'resource.Quantity' : field.scalar;
}

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
