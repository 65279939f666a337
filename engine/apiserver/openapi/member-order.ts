/**
 * Members of schemas in the order in which a real server writes them: that of the fields of its types in Go, then extensions by name.
 * Mirrors SchemaProps of kube-openapi pkg/validation/spec.
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';

const order = [
  'description',
  'type',
  'nullable',
  'format',
  'title',
  'default',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'multipleOf',
  'enum',
  'maxProperties',
  'minProperties',
  'required',
  'items',
  'allOf',
  'oneOf',
  'anyOf',
  'not',
  'properties',
  'additionalProperties',
  'externalDocs',
  'example',
  '$ref',
];
const places: ReadonlyMap<string, number> = new Map(order.map((name, place) => [name, place]));
const lists: ReadonlySet<string> = new Set(['allOf', 'oneOf', 'anyOf']);
const singles: ReadonlySet<string> = new Set(['items', 'not', 'additionalProperties']);

export function inOrder(schema: JsonObject): JsonObject {
  const members = Object.entries(schema).map(([name, value]): [string, JsonValue] => [name, member(name, value)]);
  return Object.fromEntries(members.sort(byPlace));
}

/** The members alone, of which each is in order. */
export function membersInOrder(schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schema).sort(byPlace));
}

function byPlace([a]: readonly [string, JsonValue], [b]: readonly [string, JsonValue]): number {
  return placeOf(a) - placeOf(b) || (a < b ? -1 : 1);
}

function member(name: string, value: JsonValue): JsonValue {
  if (lists.has(name) && Array.isArray(value)) return (value as readonly JsonValue[]).map(part);
  if (singles.has(name)) return part(value);
  return name === 'properties' ? Object.fromEntries(sorted(value).map(([key, inner]) => [key, part(inner)])) : value;
}

function part(value: JsonValue): JsonValue {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? inOrder(value as JsonObject) : value;
}

function sorted(value: JsonValue): readonly (readonly [string, JsonValue])[] {
  return Object.entries(value as JsonObject).sort(([a], [b]) => (a < b ? -1 : 1));
}

function placeOf(name: string): number {
  return places.get(name) ?? order.length;
}
