/**
 * How server-side apply sees a custom kind. Lists are atomic unless the schema says otherwise, objects granular; what a schema leaves
 * open has the type of its value. Mirrors kube-openapi pkg/schemaconv over the documents of apiextensions-apiserver.
 */
import type { JSONSchemaProps } from '../api/apiextensions/v1/types.gen.ts';
import { type AtomicNode, deduced, type ListNode, type MapField, type MapNode, type TypeNode } from '../apimachinery/managed-fields/types.ts';
import { getOwn } from '../base/dictionary.ts';
import type { JsonValue } from '../base/json.ts';

const text: TypeNode = { kind: 'scalar', type: 'string' };
const anyScalar: TypeNode = { kind: 'scalar', type: 'any' };
const scalars: { readonly [type: string]: TypeNode } = {
  integer: { kind: 'scalar', type: 'numeric' },
  number: { kind: 'scalar', type: 'numeric' },
  boolean: { kind: 'scalar', type: 'boolean' },
};
/** Formats of texts that are still texts to it; of any other nothing is asked. */
const textFormats: readonly string[] = ['', 'byte'];
/** For keys that no property names, where they are not taken. */
const refused: TypeNode = { kind: 'atomic', inner: undefined };
const none: readonly MapField[] = [];

/**
 * Of a whole object; `metadata` is that of all kinds, and so are kind and apiVersion. Unknown fields are taken anywhere where `preserves`, and below
 * any schema that preserves them itself.
 */
export function applyTypeOf(schema: JSONSchemaProps | undefined, metadata: TypeNode, preserves: boolean): TypeNode {
  const types = new ApplyTypes(metadata);
  const isOpen = schema === undefined || preserves || preservesUnknown(schema);
  const { fields, element } = types.object({ ...schema, 'x-kubernetes-embedded-resource': true }, isOpen);
  return { kind: 'map', fields, element, always: [fieldOf('metadata', metadata, {})] };
}

class ApplyTypes {
  readonly #ofResources: readonly MapField[];

  constructor(metadata: TypeNode) {
    this.#ofResources = [fieldOf('apiVersion', text), fieldOf('kind', text), fieldOf('metadata', metadata)];
  }

  #of(schema: JSONSchemaProps, around: boolean): TypeNode {
    const preserves = around || preservesUnknown(schema);
    const { type = '', format = '' } = schema;
    if (type === 'string') return textFormats.includes(format) ? text : anyScalar;
    if (type === 'array') return this.#list(schema, preserves);
    if (type === 'object') return this.#map(schema, preserves);
    // What has no type, numbers that may be texts among it, has that of its value.
    return getOwn(scalars, type) ?? { kind: 'deduced', map: this.#map(schema, preserves), list: this.#list(schema, preserves) };
  }

  #map(schema: JSONSchemaProps, preserves: boolean): MapNode | AtomicNode {
    const map = this.object(schema, preserves);
    return schema['x-kubernetes-map-type'] === 'atomic' ? { kind: 'atomic', inner: map } : map;
  }

  object(schema: JSONSchemaProps, preserves: boolean): MapNode {
    const named = Object.entries(schema.properties ?? {}).map(([name, inner]) => fieldOf(name, this.#of(inner, preserves)));
    const ofResource = schema['x-kubernetes-embedded-resource'] === true ? this.#ofResources : none;
    const fields = new Map([...named, ...ofResource].map((field) => [field.name, field]));
    return {
      kind: 'map',
      fields: fields.size === 0 ? undefined : fields,
      element: this.#element(schema, preserves, fields.size === 0),
      always: none,
    };
  }

  /** Of keys that no property names. */
  #element({ additionalProperties: more }: JSONSchemaProps, preserves: boolean, isOpen: boolean): TypeNode {
    if (more === undefined || more === null) return preserves || isOpen ? deduced : refused;
    if (typeof more === 'object') return this.#of(more as JSONSchemaProps, preserves);
    return more === true ? deduced : refused;
  }

  #list(schema: JSONSchemaProps, preserves: boolean): ListNode | AtomicNode {
    const relation = schema['x-kubernetes-list-type'];
    const items = schema.items as JSONSchemaProps | undefined;
    const element = items && this.#of(items, preserves);
    if (relation === 'set') return { kind: 'list', relation, keys: [], element: element ?? deduced };
    if (relation !== 'map' || items === undefined || element === undefined) return { kind: 'atomic', inner: element && { kind: 'items', element } };
    const keys = (schema['x-kubernetes-list-map-keys'] ?? []).toSorted();
    const defaults = keys.map((key): [string, JsonValue | undefined] => [key, getOwn(items.properties, key)?.default]);
    const keyDefaults = new Map(defaults.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
    return { kind: 'list', relation, keys, element, keyDefaults };
  }
}

function preservesUnknown(schema: JSONSchemaProps): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true;
}

function fieldOf(name: string, type: TypeNode, zero?: JsonValue): MapField {
  return { name, element: `f:${name}`, type, zero };
}
