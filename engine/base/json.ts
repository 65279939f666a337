/** JSON-shaped values. `bigint` stands for whole numbers beyond 2^53, which JSON text can carry and a double cannot. */
export type JsonPrimitive = string | number | boolean | null | bigint;
export type JsonValue = JsonPrimitive | readonly JsonValue[] | { readonly [key: string]: JsonValue };
export type JsonObject = { readonly [key: string]: JsonValue };

/** A map, and no list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}
