/**
 * How a remembered value becomes plain data and back. A codec is the value's declared type: what it reads is checked, so that damaged
 * or foreign data is refused with the place named, and nothing of another shape gets into a running component.
 */
import type { JsonObject, JsonValue } from './json.ts';

export interface Codec<T> {
  encode(value: T): JsonValue;
  /** Throws StateError, which names `path`. */
  decode(saved: JsonValue | undefined, path: string): T;
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
  return {
    encode: (value) => (value === null ? null : inner.encode(value)),
    decode: (saved, path) => (saved === null ? null : inner.decode(saved, path)),
  };
}

/** `undefined` is saved as null, or left out of a record. */
export function optional<T>(inner: Codec<T>): Codec<T | undefined> {
  return {
    encode: (value) => (value === undefined ? null : inner.encode(value)),
    decode: (saved, path) => (saved === null || saved === undefined ? undefined : inner.decode(saved, path)),
  };
}

export function list<T>(inner: Codec<T>): Codec<readonly T[]> {
  return {
    encode: (values) => values.map((value) => inner.encode(value)),
    decode: (saved, path) => {
      if (!Array.isArray(saved)) throw new StateError(path, 'a list', saved);
      return saved.map((value, index) => inner.decode(value, `${path}[${index}]`));
    },
  };
}

export function pair<A, B>(first: Codec<A>, second: Codec<B>): Codec<readonly [A, B]> {
  return {
    encode: ([a, b]) => [first.encode(a), second.encode(b)],
    decode: (saved, path) => {
      if (!Array.isArray(saved) || saved.length !== 2) throw new StateError(path, 'a pair', saved);
      return [first.decode(saved[0], `${path}[0]`), second.decode(saved[1], `${path}[1]`)];
    },
  };
}

/** A set of texts in its order. */
export const texts: Codec<Set<string>> = {
  encode: (values) => [...values],
  decode: (saved, path) => new Set(list(text).decode(saved, path)),
};

/** A map in its order, as pairs. */
export function mapOf<V>(inner: Codec<V>): Codec<Map<string, V>> {
  return {
    encode: (values) => Array.from(values, ([key, value]) => [key, inner.encode(value)]),
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
    encode: (values) => Object.fromEntries(Array.from(values, ([key, value]) => [key, inner.encode(value)])),
    decode: (saved, path) => {
      if (typeof saved !== 'object' || saved === null || Array.isArray(saved)) throw new StateError(path, 'an object', saved);
      const entries = Object.entries(saved as JsonObject).map(([key, value]): [string, V] => [key, inner.decode(value, `${path}.${key}`)]);
      return new Map(order === undefined ? entries : entries.sort(([, a], [, b]) => order(a, b)));
    },
  };
}

/** An object with these members and no others. */
export function record<T extends object>(members: { readonly [K in keyof T]-?: Codec<T[K]> }): Codec<T> {
  const names = Object.keys(members) as (keyof T & string)[];
  return {
    encode: (value) => Object.fromEntries(names.filter((name) => value[name] !== undefined).map((name) => [name, members[name].encode(value[name])])),
    decode: (saved, path) => {
      if (typeof saved !== 'object' || saved === null || Array.isArray(saved)) throw new StateError(path, 'an object', saved);
      const unknown = Object.keys(saved).find((name) => !(names as string[]).includes(name));
      if (unknown !== undefined) throw new StateError(`${path}.${unknown}`, 'known', (saved as { readonly [name: string]: JsonValue })[unknown]);
      const entries = names.map((name) => [name, members[name].decode((saved as { readonly [name: string]: JsonValue })[name], `${path}.${name}`)]);
      return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as T;
    },
  };
}

/** A live thing that is made of plain data. */
export function madeOf<T, D>(inner: Codec<D>, toData: (value: T) => D, fromData: (data: D) => T): Codec<T> {
  return { encode: (value) => inner.encode(toData(value)), decode: (saved, path) => fromData(inner.decode(saved, path)) };
}
