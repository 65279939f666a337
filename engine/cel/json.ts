/** JSON as values of CEL and back. Whole numbers are integers; maps are read as they are asked for. */
import { getOwn } from '../base/dictionary.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import { CelOptional } from './libraries/optionals.ts';
import { CelDuration, CelTimestamp } from './libraries/times.ts';
import { type CelMap, type CelValue, isList, isMap, isObject, Unsigned } from './values.ts';

export function celOf(value: JsonValue | undefined): CelValue {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(celOf);
  if (value === undefined || value === null || typeof value !== 'object') return value ?? null;
  return mapOfJson(value as JsonObject);
}

function mapOfJson(object: JsonObject): CelMap {
  const known = new Map<string, CelValue>();
  const get = (key: string): CelValue | undefined => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const value = getOwn(object, key);
    if (value === undefined) return undefined;
    const made = celOf(value);
    known.set(key, made);
    return made;
  };
  return {
    isCelMap: true,
    get: (key) => (typeof key === 'string' ? get(key) : undefined),
    has: (key) => typeof key === 'string' && getOwn(object, key) !== undefined,
    keys: () => Object.keys(object).filter((key) => object[key] !== undefined),
  };
}

/** A value that has a form in JSON; undefined for one that has none. */
export function jsonOf(value: CelValue): JsonValue | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Unsigned) return Number(value.value);
  if (value instanceof Uint8Array) return btoa(String.fromCharCode(...value));
  if (isList(value)) return allOf(value.map(jsonOf));
  if (isMap(value)) return objectOf(value.keys().map((key) => [key, value.get(key)] as const));
  if (value instanceof CelOptional) return value.value === undefined ? undefined : jsonOf(value.value);
  if (value instanceof CelTimestamp || value instanceof CelDuration) return value.toString();
  return isObject(value) ? value.json?.() : undefined;
}

function allOf(list: readonly (JsonValue | undefined)[]): JsonValue | undefined {
  return list.every((one): one is JsonValue => one !== undefined) ? list : undefined;
}

function objectOf(entries: readonly (readonly [CelValue, CelValue | undefined])[]): JsonObject | undefined {
  const made: [string, JsonValue][] = [];
  for (const [key, one] of entries) {
    const json = one === undefined ? undefined : jsonOf(one);
    if (json === undefined || typeof key === 'object') return undefined;
    made.push([String(key), json]);
  }
  return Object.fromEntries(made);
}
