/** JSON-shaped values. `bigint` stands for whole numbers beyond 2^53, which JSON text can carry and a double cannot. */
export type JsonPrimitive = string | number | boolean | null | bigint;
export type JsonValue = JsonPrimitive | readonly JsonValue[] | { readonly [key: string]: JsonValue };
export type JsonObject = { readonly [key: string]: JsonValue };
