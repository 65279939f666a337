/**
 * Finds what a value was before: fields by name, items of lists of type map by their keys, items of other lists not at all. Mirrors
 * pkg/cel/common/equality.go and maplist.go of apiserver.
 */
import { deepEqual } from '../../base/equal.ts';
import { getOwn } from '../../base/dictionary.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { Structural } from './structural.ts';

export class Correlation {
  readonly value: JsonValue;
  readonly old: JsonValue | undefined;
  readonly #schema: Structural;
  readonly #fields = new Map<string, Correlation>();
  #oldByKey: Map<string, JsonObject> | undefined;
  #isEqual: boolean | undefined;

  constructor(value: JsonValue, old: JsonValue | undefined, schema: Structural) {
    this.value = value;
    this.old = old;
    this.#schema = schema;
  }

  /** Undefined where the field was not there, or no schema says what it is. */
  field(name: string): Correlation | undefined {
    const known = this.#fields.get(name);
    if (known !== undefined) return known;
    if (!isObject(this.value) || !isObject(this.old)) return undefined;
    const [value, old] = [getOwn(this.value, name), getOwn(this.old, name)];
    const { properties, additionalProperties } = this.#schema;
    const schema = properties.get(name) ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
    if (value === undefined || old === undefined || schema === undefined) return undefined;
    const field = new Correlation(value, old, schema);
    this.#fields.set(name, field);
    return field;
  }

  /** Undefined where the list is none of type map, or no item had the key. */
  item(index: number): Correlation | undefined {
    const { items } = this.#schema;
    if (!isList(this.value) || !isList(this.old) || items === undefined || this.#schema.listType !== 'map') return undefined;
    const value = this.value[index];
    const key = isObject(value) ? keyOf(value, this.#schema.listMapKeys) : undefined;
    const old = key === undefined ? undefined : this.#oldItems(this.old).get(key);
    return value === undefined || old === undefined ? undefined : new Correlation(value, old, items);
  }

  #oldItems(old: readonly JsonValue[]): Map<string, JsonObject> {
    if (this.#oldByKey !== undefined) return this.#oldByKey;
    const byKey = new Map<string, JsonObject>();
    for (const item of this.#schema.type === 'array' ? old : []) {
      const key = isObject(item) ? keyOf(item, this.#schema.listMapKeys) : undefined;
      if (key !== undefined && !byKey.has(key)) byKey.set(key, item as JsonObject);
    }
    this.#oldByKey = byKey;
    return byKey;
  }

  /** Whether nothing changed, as far as it can be followed: an object with a field that no schema names counts as changed. */
  get isUnchanged(): boolean {
    this.#isEqual ??= this.#compare();
    return this.#isEqual;
  }

  #compare(): boolean {
    const { value, old } = this;
    if (isObject(value)) {
      if (!isObject(old)) return false;
      const keys = Object.keys(value);
      return keys.length === Object.keys(old).length && keys.every((key) => this.field(key)?.isUnchanged === true);
    }
    if (isList(value) && isList(old) && this.#schema.listType === 'map')
      return value.length === old.length && value.every((_, index) => this.item(index)?.isUnchanged === true);
    return deepEqual(value, old);
  }
}

/** Undefined where a key is missing or no scalar. */
function keyOf(item: JsonObject, keys: readonly string[]): string | undefined {
  if (keys.length === 0) return undefined;
  const parts: string[] = [];
  for (const key of keys) {
    const value = getOwn(item, key);
    if (value === undefined || value === null || typeof value === 'object') return undefined;
    parts.push(typeof value === 'string' ? JSON.stringify(value) : String(value));
  }
  return parts.join('\0');
}
