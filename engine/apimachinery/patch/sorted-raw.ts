/**
 * What an object holds of any JSON (RawExtension and the like) is kept as it was written, until a strategic merge or an apply turns the object into Go's maps and
 * back: then its keys are in order, which a field that may not change takes for a change.
 */
import { getOwn, setOwn } from '../../base/dictionary.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { FieldSchema, MessageSchema, SchemaRegistry } from '../schema.ts';
import { withSortedKeys } from '../serializer/key-order.ts';

export class RawSorter {
  readonly #schemas: SchemaRegistry;
  readonly #holding = new Map<MessageSchema, boolean>();

  constructor(schemas: SchemaRegistry) {
    this.#schemas = schemas;
  }

  /** The same reference where there is no such field, or all are in order. */
  sort<T extends object>(value: T, schema: MessageSchema): T {
    return this.#holds(schema) ? (this.#sortFields(value as unknown as JsonObject, schema) as unknown as T) : value;
  }

  #sortFields(value: JsonObject, schema: MessageSchema): JsonObject {
    let next: { [name: string]: JsonValue } | undefined;
    for (const field of schema.fields) {
      if (field.inline === true) {
        next = this.sort(next ?? value, this.#messageOf(field) ?? schema) as typeof next;
        continue;
      }
      const old = getOwn(value, field.name);
      if (old === undefined || old === null) continue;
      const sorted = this.#sortField(old, field);
      if (sorted === old) continue;
      next ??= { ...value };
      setOwn(next, field.name, sorted);
    }
    return next ?? value;
  }

  #sortField(value: JsonValue, field: FieldSchema): JsonValue {
    if (isRaw(field)) return withSortedKeys(value);
    const message = this.#messageOf(field);
    if (message === undefined || !this.#holds(message)) return value;
    const sortOne = (item: JsonValue): JsonValue => (isObject(item) ? this.sort(item, message) : item);
    if (field.card === 'list' && isList(value)) {
      const items = value.map(sortOne);
      return items.every((item, index) => item === value[index]) ? value : items;
    }
    if (field.card === 'map' && isObject(value)) {
      const entries = Object.entries(value).map(([key, item]) => [key, sortOne(item)] as const);
      return entries.every(([key, item]) => item === value[key]) ? value : Object.fromEntries(entries);
    }
    return sortOne(value);
  }

  #messageOf({ type }: FieldSchema): MessageSchema | undefined {
    return typeof type === 'string' ? undefined : this.#schemas.get(type.message);
  }

  #holds(schema: MessageSchema): boolean {
    const known = this.#holding.get(schema);
    if (known !== undefined) return known;
    const seen = new Set([schema]);
    for (const message of seen) {
      for (const field of message.fields) {
        const inner = this.#messageOf(field);
        if (inner !== undefined) seen.add(inner);
      }
    }
    const holds = [...seen].some(({ fields }) => fields.some(isRaw));
    this.#holding.set(schema, holds);
    return holds;
  }
}

function isRaw({ type }: FieldSchema): boolean {
  return type === 'rawExtension' || type === 'json';
}
