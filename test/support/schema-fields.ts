/** Every place of a kind that its schema knows, and bodies that hold a given value there. */
import type { FieldSchema, MessageSchema, SchemaRegistry } from '../../engine/apimachinery/schema.ts';
import { setOwn } from '../../engine/base/dictionary.ts';
import type { JsonObject, JsonValue } from '../../engine/base/json.ts';

export interface Place {
  readonly path: readonly (string | number)[];
  readonly field: FieldSchema;
}

/**
 * All fields reachable from a message; a type is not entered again inside of itself, lists and maps by their first entry. Types in
 * `closed` are not entered at all.
 */
export function placesOf(message: MessageSchema, schemas: SchemaRegistry, closed: ReadonlySet<string> = new Set()): readonly Place[] {
  const places: Place[] = [];
  const walk = (schema: MessageSchema, path: readonly (string | number)[], open: readonly string[]): void => {
    for (const field of schema.fields) {
      const inner = typeof field.type === 'string' ? undefined : schemas.get(field.type.message);
      if (field.inline === true && inner !== undefined) {
        walk(inner, path, open);
        continue;
      }
      const own = [...path, field.name];
      places.push({ path: own, field });
      if (inner === undefined || open.includes(inner.name) || closed.has(inner.name)) continue;
      const entry = field.card === 'list' ? [...own, 0] : field.card === 'one' ? own : [...own, 'k'];
      walk(inner, entry, [...open, inner.name]);
    }
  };
  walk(message, [], [message.name]);
  return places;
}

/** A copy of the value with `inner` at the path; what is missing on the way is made. */
export function withValue(value: JsonValue | undefined, path: readonly (string | number)[], inner: JsonValue): JsonValue {
  const [key, ...rest] = path;
  if (key === undefined) return inner;
  if (typeof key === 'number') {
    const list = Array.isArray(value) ? [...(value as readonly JsonValue[])] : [];
    list[key] = withValue(list[key], rest, inner);
    return list;
  }
  const object: { [key: string]: JsonValue } =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...(value as JsonObject) } : {};
  setOwn(object, key, withValue(Object.hasOwn(object, key) ? object[key] : undefined, rest, inner));
  return object;
}

export function valueAt(value: JsonValue | undefined, path: readonly (string | number)[]): JsonValue | undefined {
  let current: JsonValue | undefined = value;
  for (const key of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined;
    current = (current as { readonly [key: string | number]: JsonValue })[key];
  }
  return current;
}
