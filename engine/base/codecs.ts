/**
 * How a remembered value becomes plain data and back. A codec is the value's declared type: what it reads is checked, so that damaged
 * or foreign data is refused with the place named, and nothing of another shape gets into a running component.
 */
import { assert } from './assert.ts';
import { setOwn } from './dictionary.ts';
import { isList, isObject, type JsonObject, type JsonValue } from './json.ts';

export interface Codec<T> {
  /** `before` is what it was encoded as earlier: every part that is still the same is given back itself, so that states that are saved often share it. */
  encode(value: T, before?: JsonValue): JsonValue;
  /** Throws StateError, which names `path`. */
  decode(saved: JsonValue | undefined, path: string): T;
  /** There when a value is its own data: whether something is of the type. Lists and records ask it for each of many members. */
  accepts?(saved: JsonValue | undefined): boolean;
}

/** Saved state that is not of the declared type. */
export class StateError extends Error {
  constructor(path: string, expected: string, found: JsonValue | undefined) {
    super(`saved state: ${path} is not ${expected}: ${JSON.stringify(found)?.slice(0, 100) ?? 'absent'}`);
    this.name = 'StateError';
  }
}

function plain<T extends JsonValue>(expected: string, accepts: (saved: JsonValue | undefined) => boolean): Codec<T> {
  return {
    accepts,
    encode: (value) => value,
    decode: (saved, path) => {
      if (!accepts(saved)) throw new StateError(path, expected, saved);
      return saved as T;
    },
  };
}

export const text: Codec<string> = plain('text', (saved) => typeof saved === 'string');
export const number: Codec<number> = plain('a number', (saved) => typeof saved === 'number');
export const flag: Codec<boolean> = plain('true or false', (saved) => typeof saved === 'boolean');

/** One of these texts. */
export function oneOf<T extends string>(...values: readonly T[]): Codec<T> {
  return plain(`one of ${values.join(', ')}`, (saved) => typeof saved === 'string' && (values as readonly string[]).includes(saved));
}

/** Plain data whose inside is not checked, e.g. objects of the API. What is changed in place is copied by the caller. */
export function data<T>(): Codec<T> {
  return plain('an object or a list', (saved) => typeof saved === 'object' && saved !== null) as unknown as Codec<T>;
}

/** Any plain value, numbers and words too. */
export const json: Codec<JsonValue> = plain('there', (saved) => saved !== undefined);

export function nullable<T>(inner: Codec<T>): Codec<T | null> {
  const { accepts } = inner;
  return {
    ...(accepts === undefined ? {} : { accepts: (saved: JsonValue | undefined) => saved === null || accepts(saved) }),
    encode: (value, before) => (value === null ? null : inner.encode(value, before)),
    decode: (saved, path) => (saved === null ? null : inner.decode(saved, path)),
  };
}

/** `undefined` is saved as null, or left out of a record. */
export function optional<T>(inner: Codec<T>): Codec<T | undefined> {
  return {
    encode: (value, before) => (value === undefined ? null : inner.encode(value, before)),
    decode: (saved, path) => (saved === null || saved === undefined ? undefined : inner.decode(saved, path)),
  };
}

/**
 * A member that records of earlier builds lack: `initial` stands for it where it is absent, while one that is there is checked as any
 * other. A new member of a remembered record is declared so; new slots need nothing (slots.ts).
 */
export function addedLater<T>(inner: Codec<T>, initial: () => T): Codec<T> {
  return { ...inner, decode: (saved, path) => (saved === undefined ? initial() : inner.decode(saved, path)) };
}

export function list<T>(inner: Codec<T>): Codec<readonly T[]> {
  return {
    encode: (values, before) => encodeItems(values, before, (value, old) => inner.encode(value, old)),
    decode: (saved, path) => {
      if (!Array.isArray(saved)) throw new StateError(path, 'a list', saved);
      return (saved as readonly JsonValue[]).map((value, index) =>
        inner.accepts?.(value) === true ? (value as T) : inner.decode(value, `${path}[${index}]`),
      );
    },
  };
}

/** A list of plain values that nobody changes in place: it is its own data. */
export function fixedList<T>(inner: Codec<T>): Codec<readonly T[]> {
  const accepts = (saved: JsonValue | undefined): boolean =>
    Array.isArray(saved) && saved.every((value) => inner.accepts?.(value as JsonValue) === true);
  return {
    accepts,
    encode: (values) => values as unknown as JsonValue,
    decode: (saved, path) => (accepts(saved) ? (saved as unknown as readonly T[]) : list(inner).decode(saved, path)),
  };
}

export function pair<A, B>(first: Codec<A>, second: Codec<B>): Codec<readonly [A, B]> {
  return {
    encode: ([a, b], before) => {
      const [oldA, oldB] = isList(before) ? before : [];
      const [savedA, savedB] = [first.encode(a, oldA), second.encode(b, oldB)];
      return isList(before) && savedA === oldA && savedB === oldB ? before : [savedA, savedB];
    },
    decode: (saved, path) => {
      if (!Array.isArray(saved) || saved.length !== 2) throw new StateError(path, 'a pair', saved);
      return [first.decode(saved[0], `${path}[0]`), second.decode(saved[1], `${path}[1]`)];
    },
  };
}

/** A set of texts in its order. */
export const texts: Codec<Set<string>> = {
  encode: (values, before) => encodeItems([...values], before, (value) => value),
  decode: (saved, path) => new Set(list(text).decode(saved, path)),
};

/** A map in its order, as pairs. */
export function mapOf<V>(inner: Codec<V>): Codec<Map<string, V>> {
  return {
    encode: (values, before) => encodePairs(values, before, inner),
    decode: (saved, path) => {
      if (!Array.isArray(saved)) throw new StateError(path, 'a list of pairs', saved);
      return new Map(
        saved.map((pair, index): [string, V] => {
          if (!Array.isArray(pair) || pair.length !== 2) throw new StateError(`${path}[${index}]`, 'a pair', pair);
          const key = text.decode(pair[0], `${path}[${index}]`);
          return [key, inner.decode(pair[1], `${path}.${key}`)];
        }),
      );
    },
  };
}

/** A map as an object, so that each entry is a piece of its own where states are compared and written. `order` says how entries follow. */
export function membersOf<V>(inner: Codec<V>, order?: (a: V, b: V) => number): Codec<Map<string, V>> {
  return {
    encode: (values, before) => encodeMembers(values, before, inner),
    decode: (saved, path) => {
      if (typeof saved !== 'object' || saved === null || Array.isArray(saved)) throw new StateError(path, 'an object', saved);
      const entries = Object.entries(saved as JsonObject).map(([key, value]): [string, V] => [key, inner.decode(value, `${path}.${key}`)]);
      return new Map(order === undefined ? entries : entries.sort(([, a], [, b]) => order(a, b)));
    },
  };
}

type Members<T> = { readonly [K in keyof T]-?: Codec<T[K]> };

/** One of several records, told apart by the text at `type`. */
export function variants<T extends { readonly type: string }>(
  members: { readonly [K in T['type']]: Codec<Extract<T, { readonly type: K }>> },
): Codec<T> {
  const codecs = new Map(Object.entries(members) as [string, Codec<T>][]);
  return {
    encode: (value, before) => (codecs.get(value.type) as Codec<T>).encode(value, before),
    decode: (saved, path) => {
      const type = (saved as Loose | null | undefined)?.['type'];
      const codec = typeof type === 'string' ? codecs.get(type) : undefined;
      if (codec === undefined) throw new StateError(path, `one of ${[...codecs.keys()].join(', ')}`, saved);
      return codec.decode(saved, path);
    },
  };
}

/** Values of one plain type by any names, changed in place: copied. */
export function dictionary<V extends JsonValue>(inner: Codec<V>): Codec<Record<string, V>> {
  return {
    encode: (values, before) => (isObject(before) && isSameDictionary(values, before) ? before : { ...values }),
    decode: (saved, path) => {
      if (typeof saved !== 'object' || saved === null || Array.isArray(saved)) throw new StateError(path, 'an object', saved);
      const wrong = Object.keys(saved).find((name) => inner.accepts?.((saved as JsonObject)[name]) !== true);
      if (wrong !== undefined) inner.decode((saved as JsonObject)[wrong], `${path}.${wrong}`);
      return { ...(saved as unknown as Record<string, V>) };
    },
  };
}

/** The same, for one that nobody changes in place: it is its own data. */
export function fixedDictionary<V extends JsonValue>(inner: Codec<V>): Codec<{ readonly [name: string]: V }> {
  const accepts = (saved: JsonValue | undefined): boolean =>
    typeof saved === 'object' && saved !== null && !Array.isArray(saved) && Object.values(saved).every((value) => inner.accepts?.(value) === true);
  return {
    accepts,
    encode: (values) => values as JsonValue,
    decode: (saved, path) => (accepts(saved) ? (saved as { readonly [name: string]: V }) : dictionary(inner).decode(saved, path)),
  };
}

/** An object with these members and no others. Encoding and decoding copy it, so it may be changed in place. */
export function record<T extends object>(members: Members<T>): Codec<T> {
  const codecs = Object.entries(members) as [string, Codec<JsonValue | undefined>][];
  const fields = codecs.map(([name, codec]): Field => ({ name, codec, isPlain: codec.accepts !== undefined }));
  return {
    encode: (value, before) =>
      (isObject(before) ? encodeAgain(value as Loose, before, fields) : undefined) ??
      convert(value as Loose, codecs, (codec, member) => (member === undefined ? undefined : codec.encode(member))),
    decode: (saved, path) => {
      const values = mustBeKnown(saved, members, path);
      return convert(values, codecs, (codec, member, name) => codec.decode(member, `${path}.${name}`) as JsonValue | undefined) as T;
    },
  };
}

type Loose = { readonly [name: string]: JsonValue | undefined };

/**
 * A copy with members as they are or converted. Where all are there it is a copy of the whole: objects to which many members are added
 * one by one are slow and large in V8.
 */
function convert(
  value: Loose,
  codecs: readonly (readonly [string, Codec<JsonValue | undefined>])[],
  one: (codec: Codec<JsonValue | undefined>, member: JsonValue | undefined, name: string) => JsonValue | undefined,
): JsonObject {
  const isWhole = Object.keys(value).length === codecs.length && codecs.every(([name]) => value[name] !== undefined);
  const copy: Record<string, JsonValue> = isWhole ? { ...(value as JsonObject) } : {};
  for (const [name, codec] of codecs) {
    const member = value[name];
    const isOwnData = codec.accepts?.(member) === true;
    if (isOwnData && isWhole) continue;
    const converted = isOwnData ? member : one(codec, member, name);
    if (converted !== undefined) setOwn(copy, name, converted);
  }
  return copy;
}

/** The same of plain members, for a value that nobody changes in place: it is its own data. */
export function shape<T extends object>(members: Members<T>): Codec<T> {
  const codecs = Object.entries(members) as [string, Codec<JsonValue | undefined>][];
  assert(
    codecs.every(([, codec]) => codec.accepts !== undefined),
    'a shape has plain members',
  );
  const count = codecs.length;
  const accepts = (saved: JsonValue | undefined): boolean => {
    if (typeof saved !== 'object' || saved === null || Array.isArray(saved) || Object.keys(saved).length !== count) return false;
    return codecs.every(([name, codec]) => codec.accepts?.((saved as JsonObject)[name]) === true);
  };
  return {
    accepts,
    encode: (value) => value as unknown as JsonValue,
    decode: (saved, path) => {
      return accepts(saved) ? (saved as unknown as T) : record(members).decode(saved, path);
    },
  };
}

function isSameDictionary(values: Readonly<Record<string, JsonValue>>, before: JsonObject): boolean {
  const names = Object.keys(values);
  return names.length === Object.keys(before).length && names.every((name) => Object.hasOwn(before, name) && values[name] === before[name]);
}

/** A list item by item, beside an earlier one. */
function encodeItems<T>(values: readonly T[], before: JsonValue | undefined, encode: (value: T, old: JsonValue | undefined) => JsonValue): JsonValue {
  if (!isList(before)) return values.map((value) => encode(value, undefined));
  let changed: JsonValue[] | undefined;
  for (let index = 0; index < values.length; index++) {
    const old = before[index];
    const item = encode(values[index] as T, old);
    if (changed === undefined && item !== old) changed = before.slice(0, index);
    changed?.push(item);
  }
  return changed ?? (before.length === values.length ? before : before.slice(0, values.length));
}

/** A map as pairs, beside earlier ones: most stand in the same order, and some have left. */
function encodePairs<V>(values: ReadonlyMap<string, V>, before: JsonValue | undefined, inner: Codec<V>): JsonValue {
  const old = isList(before) ? (before as readonly (readonly [string, JsonValue])[]) : [];
  const places = new PairPlaces(old);
  const pairs: JsonValue[] = [];
  let isSame = values.size === old.length && isList(before);
  for (const [key, value] of values) {
    const pair = places.find(key);
    const saved = inner.encode(value, pair?.[1]);
    const next = pair !== undefined && saved === pair[1] ? (pair as unknown as JsonValue) : [key, saved];
    isSame &&= next === (old[pairs.length] as unknown as JsonValue);
    pairs.push(next);
  }
  return isSame ? (before as JsonValue) : pairs;
}

/** Finds pairs by their keys; those that are asked for in their own order at once. */
class PairPlaces {
  readonly #pairs: readonly (readonly [string, JsonValue])[];
  #byKey: ReadonlyMap<string, readonly [string, JsonValue]> | undefined;
  #next = 0;

  constructor(pairs: readonly (readonly [string, JsonValue])[]) {
    this.#pairs = pairs;
  }

  find(key: string): readonly [string, JsonValue] | undefined {
    const next = this.#pairs[this.#next];
    if (next === undefined) return this.#byKey?.get(key);
    if (next[0] === key) {
      this.#next++;
      return next;
    }
    this.#byKey ??= new Map(this.#pairs.map((pair) => [pair[0], pair]));
    const found = this.#byKey.get(key);
    // Those between have left, or have moved to the end.
    if (found !== undefined) while (this.#pairs[this.#next] !== undefined && this.#pairs[this.#next++] !== found);
    return found;
  }
}

function encodeMembers<V>(values: ReadonlyMap<string, V>, before: JsonValue | undefined, inner: Codec<V>): JsonValue {
  const old = isObject(before) ? before : {};
  const members: Record<string, JsonValue> = {};
  let known = isObject(before) ? 0 : -1;
  for (const [key, value] of values) {
    const was = Object.hasOwn(old, key) ? old[key] : undefined;
    const saved = inner.encode(value, was);
    if (known >= 0 && saved === was) known++;
    setOwn(members, key, saved);
  }
  return known === values.size && Object.keys(old).length === known ? old : members;
}

interface Field {
  readonly name: string;
  readonly codec: Codec<JsonValue | undefined>;
  readonly isPlain: boolean;
}

/** An object beside an earlier one with the same members; undefined where it has others. This is where most of a save goes, so nothing is made. */
function encodeAgain(value: Loose, before: JsonObject, fields: readonly Field[]): JsonObject | undefined {
  let changed: Record<string, JsonValue> | undefined;
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index] as Field;
    const member = value[field.name];
    const old = before[field.name];
    if (member === old && (field.isPlain || member === null || member === undefined)) continue;
    if (member === undefined || old === undefined) return undefined;
    const saved = field.codec.encode(member, old);
    if (saved !== old) (changed ??= { ...before })[field.name] = saved;
  }
  return changed ?? before;
}

function mustBeKnown(saved: JsonValue | undefined, members: object, path: string): Loose {
  if (typeof saved !== 'object' || saved === null || Array.isArray(saved)) throw new StateError(path, 'an object', saved);
  for (const name of Object.keys(saved))
    if (!Object.hasOwn(members, name)) throw new StateError(`${path}.${name}`, 'known', (saved as JsonObject)[name]);
  return saved as JsonObject;
}

/** What holds of a value besides its type. */
export function where<T>(inner: Codec<T>, expected: string, holds: (value: T) => boolean): Codec<T> {
  return {
    encode: (value, before) => inner.encode(value, before),
    decode: (saved, path) => {
      const value = inner.decode(saved, path);
      if (!holds(value)) throw new StateError(path, expected, saved);
      return value;
    },
  };
}

/** A live thing that is made of plain data. */
export function madeOf<T, D>(inner: Codec<D>, toData: (value: T) => D, fromData: (data: D) => T): Codec<T> {
  return { encode: (value, before) => inner.encode(toData(value), before), decode: (saved, path) => fromData(inner.decode(saved, path)) };
}
