/**
 * How server-side apply sees a custom kind. Lists are atomic unless the schema says otherwise, objects granular; what a schema leaves
 * open has the type of its value. Mirrors kube-openapi pkg/schemaconv over the documents of apiextensions-apiserver.
 */
import type { JSONSchemaProps } from '../api/apiextensions/v1/types.gen.ts';
import { deduced, type MapField, type MapNode, type TypeNode } from '../apimachinery/managed-fields/types.ts';
import { getOwn } from '../base/dictionary.ts';
import type { JsonValue } from '../base/json.ts';

const text: TypeNode = { kind: 'scalar', type: 'string' };
const anyScalar: TypeNode = { kind: 'scalar', type: 'any' };
const scalars: { readonly [type: string]: TypeNode } = {
  integer: { kind: 'scalar', type: 'numeric' },
  number: { kind: 'scalar', type: 'numeric' },
  string: text,
  boolean: { kind: 'scalar', type: 'boolean' },
};
/** For keys that no property names, where they are not taken. */
const refused: TypeNode = { kind: 'atomic', inner: undefined };
const none: readonly MapField[] = [];

/** Of a whole object; `metadata` is that of all kinds, and so are kind and apiVersion. */
export function applyTypeOf(schema: JSONSchemaProps | undefined, metadata: TypeNode): TypeNode {
  const fields = new Map(
    (['apiVersion', 'kind', 'metadata'] as const).map((name) => [name as string, fieldOf(name, name === 'metadata' ? metadata : text)]),
  );
  for (const [name, inner] of Object.entries(schema?.properties ?? {})) if (!fields.has(name)) fields.set(name, fieldOf(name, typeOf(inner)));
  return { kind: 'map', fields, element: schema === undefined ? deduced : elementOf(schema), always: [fieldOf('metadata', metadata, {})] };
}

function typeOf(schema: JSONSchemaProps): TypeNode {
  if (schema['x-kubernetes-int-or-string'] === true) return anyScalar;
  if (schema.type === 'array') return listOf(schema);
  if (schema.type === 'object') return schema['x-kubernetes-map-type'] === 'atomic' ? { kind: 'atomic', inner: objectOf(schema) } : objectOf(schema);
  return getOwn(scalars, schema.type ?? '') ?? deduced;
}

function objectOf(schema: JSONSchemaProps): MapNode {
  const { properties } = schema;
  const fields =
    properties === undefined ? undefined : new Map(Object.entries(properties).map(([name, inner]) => [name, fieldOf(name, typeOf(inner))]));
  return { kind: 'map', fields, element: elementOf(schema), always: none };
}

/** Of keys that no property names. */
function elementOf(schema: JSONSchemaProps): TypeNode {
  const { properties, additionalProperties: more } = schema;
  if (more === undefined || more === null)
    return schema['x-kubernetes-preserve-unknown-fields'] === true || properties === undefined ? deduced : refused;
  if (typeof more === 'object') return typeOf(more as JSONSchemaProps);
  return more === true ? deduced : refused;
}

function listOf(schema: JSONSchemaProps): TypeNode {
  const relation = schema['x-kubernetes-list-type'];
  const items = schema.items as JSONSchemaProps | undefined;
  if (relation === 'set') return { kind: 'list', relation, keys: [], element: items === undefined ? deduced : typeOf(items) };
  if (relation !== 'map' || items === undefined) return { kind: 'atomic', inner: items && { kind: 'items', element: typeOf(items) } };
  const keys = (schema['x-kubernetes-list-map-keys'] ?? []).toSorted();
  const defaults = keys.map((key): [string, JsonValue | undefined] => [key, getOwn(items.properties, key)?.default]);
  const keyDefaults = new Map(defaults.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
  return { kind: 'list', relation, keys, element: typeOf(items), keyDefaults };
}

function fieldOf(name: string, type: TypeNode, zero?: JsonValue): MapField {
  return { name, element: `f:${name}`, type, zero };
}
