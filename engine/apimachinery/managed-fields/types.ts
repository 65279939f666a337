/**
 * How server-side apply sees types: scalars, granular or atomic maps, and lists by their kind. Compiled once per MessageSchema.
 * Values without a schema have deduced types: maps granular, lists atomic. Mirrors the schema of structured-merge-diff as
 * kube-openapi builds it.
 */
import { goJson } from '../quote.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { zeroOfScalar } from '../serializer/zeros.ts';
import type { FieldSchema, MessageSchema, ScalarType, SchemaRegistry } from '../schema.ts';

export interface ScalarNode {
  readonly kind: 'scalar';
  /** As upstream's OpenAPI types it; `any` for what text or numbers are read into (quantities, times); `unchecked` takes no part in checks. */
  readonly type: 'numeric' | 'string' | 'boolean' | 'any' | 'unchecked';
}

/** Owned as a whole. */
export interface AtomicNode {
  readonly kind: 'atomic';
  /** What it has to be made of; undefined where anything goes. */
  readonly inner: MapNode | ItemsNode | undefined;
}

/** What stands in an atomic list. */
export interface ItemsNode {
  readonly kind: 'items';
  readonly element: TypeNode;
}

export interface MapNode {
  readonly kind: 'map';
  /** Named fields of a struct; undefined for maps. */
  readonly fields: ReadonlyMap<string, MapField> | undefined;
  /** Type of the keys that no field names. */
  readonly element: TypeNode;
  /** Fields that a typed object always has, with their zero values. */
  readonly always: readonly MapField[];
}

export interface MapField {
  readonly name: string;
  /** `f:` and the name. */
  readonly element: string;
  readonly type: TypeNode;
  /** What the field reads as when it is absent from a typed object; undefined when it is really absent. */
  readonly zero: JsonValue | undefined;
}

export interface ListNode {
  readonly kind: 'list';
  readonly relation: 'set' | 'map';
  readonly keys: readonly string[];
  readonly element: TypeNode;
  /** Values of keys that an item leaves out. */
  readonly keyDefaults?: ReadonlyMap<string, JsonValue>;
}

/** The type follows the value: maps and lists are of these types where something is said of them, granular and atomic otherwise. */
export interface DeducedNode {
  readonly kind: 'deduced';
  readonly map?: MapNode | AtomicNode;
  readonly list?: ListNode | AtomicNode;
}

export type TypeNode = ScalarNode | AtomicNode | MapNode | ListNode | DeducedNode;

const scalars = {
  numeric: { kind: 'scalar', type: 'numeric' },
  string: { kind: 'scalar', type: 'string' },
  boolean: { kind: 'scalar', type: 'boolean' },
  any: { kind: 'scalar', type: 'any' },
  unchecked: { kind: 'scalar', type: 'unchecked' },
} as const satisfies { readonly [type: string]: ScalarNode };
const atomic: AtomicNode = { kind: 'atomic', inner: undefined };
export const deduced: DeducedNode = { kind: 'deduced' };
const noFields: JsonObject = Object.freeze({});
const deducedMap: MapNode = { kind: 'map', fields: undefined, element: deduced, always: [] };
/** Anything in JSON, of which a map is owned key by key. */
export const openMap: MapNode = { kind: 'map', fields: undefined, element: atomic, always: [] };

/** Lists of texts by their names: what somebody who asks for a certificate has besides. */
const mapOfTexts: MapNode = {
  kind: 'map',
  fields: undefined,
  element: { kind: 'atomic', inner: { kind: 'items', element: scalars.string } },
  always: [],
};

/** Anything in JSON, owned as a whole. */
const openObject: AtomicNode = { kind: 'atomic', inner: openMap };

/** Its name may be left out, and is none then. */
const localReference = 'io.k8s.api.core.v1.LocalObjectReference';
const noName: ReadonlyMap<string, JsonValue> = new Map([['name', '']]);
/** Associative keys with defaults in upstream's OpenAPI: only the protocol of ports. */
const keyDefaults: ReadonlyMap<string, JsonValue> = new Map([['protocol', 'TCP']]);

/** The node to use for a value: deduced types turn into the type of the value. */
export function resolve(type: TypeNode, value: JsonValue | undefined): Exclude<TypeNode, DeducedNode> {
  if (type.kind !== 'deduced') return type;
  if (isObject(value)) return type.map ?? deducedMap;
  return isList(value) ? (type.list ?? atomic) : scalars.any;
}

/** Compiles message schemas, each once. */
export class TypeTable {
  readonly #registry: SchemaRegistry | undefined;
  readonly #compiled = new Map<MessageSchema, TypeNode>();

  constructor(registry: SchemaRegistry | undefined) {
    this.#registry = registry;
  }

  of(schema: MessageSchema | undefined): TypeNode {
    if (schema === undefined) return deduced;
    if (schema.custom !== undefined) return schema.custom.type;
    const known = this.#compiled.get(schema);
    if (known !== undefined) return known;
    // Registered before its fields are compiled: types may contain themselves.
    const fields = new Map<string, MapField>();
    const always: MapField[] = [];
    // A struct without fields is a map of anything.
    const map: MapNode = { kind: 'map', fields: schema.fields.length === 0 ? undefined : fields, element: atomic, always };
    const node: TypeNode = schema.atomic === true ? { kind: 'atomic', inner: map } : map;
    this.#compiled.set(schema, node);
    this.#addFields(schema, fields);
    for (const field of fields.values()) if (field.zero !== undefined) always.push(field);
    return node;
  }

  #addFields(schema: MessageSchema, fields: Map<string, MapField>): void {
    for (const field of schema.fields) {
      if (field.inline === true && typeof field.type !== 'string') {
        const inlined = this.#registry?.get(field.type.message);
        if (inlined !== undefined) this.#addFields(inlined, fields);
        continue;
      }
      fields.set(field.name, { name: field.name, element: `f:${field.name}`, type: this.#field(field), zero: zeroOf(field) });
    }
  }

  #field(field: FieldSchema): TypeNode {
    const element = this.#element(field);
    if (field.card === 'one') {
      if (field.mapType === 'atomic' && element.kind === 'map') return { kind: 'atomic', inner: element };
      return field.mapType === 'granular' && element.kind === 'atomic' && element.inner?.kind === 'map' ? element.inner : element;
    }
    if (field.card === 'map') {
      const map: MapNode = { kind: 'map', fields: undefined, element, always: [] };
      return field.mapType === 'atomic' ? { kind: 'atomic', inner: map } : map;
    }
    if (field.card === 'mapOfLists') return mapOfTexts;
    if (field.listType === 'set') return { kind: 'list', relation: 'set', keys: [], element };
    if (field.listType === 'map') {
      const keys = (field.listMapKeys ?? []).toSorted();
      const isNamed = typeof field.type !== 'string' && field.type.message === localReference;
      return { kind: 'list', relation: 'map', keys, element, ...(isNamed && { keyDefaults: noName }) };
    }
    return { kind: 'atomic', inner: { kind: 'items', element } };
  }

  #element(field: FieldSchema): TypeNode {
    if (typeof field.type !== 'string') {
      const schema = this.#registry?.get(field.type.message);
      return schema === undefined ? deduced : this.of(schema);
    }
    if (field.type === 'fieldsV1') return deduced;
    if (field.type === 'rawExtension') return openObject;
    return field.type === 'json' ? openMap : scalarOf(field.type);
  }
}

function scalarOf(type: ScalarType): ScalarNode {
  switch (type) {
    case 'int32':
    case 'int64':
    case 'uint32':
    case 'uint64':
    case 'double':
      return scalars.numeric;
    case 'string':
    case 'bytes':
      return scalars.string;
    case 'bool':
      return scalars.boolean;
    // A number or a text: what it is else is found when it is converted.
    case 'intOrString':
    case 'jsonSchemaOrBool':
    case 'jsonSchemaOrArray':
    case 'jsonSchemaOrStrings':
      return scalars.unchecked;
    default:
      return scalars.any;
  }
}

/** The value an absent field has in a Go struct as its JSON shows it; undefined when it is left out. */
function zeroOf(field: FieldSchema): JsonValue | undefined {
  if (field.card === 'one' && typeof field.type !== 'string' && !field.pointer) return noFields;
  if (field.omitEmpty) return undefined;
  if (field.card !== 'one' || field.pointer || typeof field.type !== 'string') return null;
  return field.type === 'duration' ? '0' : zeroOfScalar(field.type);
}

const simpleText = /^[\w./ -]*$/;

/** The path element of a list item: `k:{"name":"a"}` or `v:"x"`. Undefined when the item cannot be addressed. */
export function itemElement(list: ListNode, item: JsonValue): string | undefined {
  if (list.relation === 'set')
    return isObject(item) || isList(item) || item === null
      ? undefined
      : `v:${typeof item === 'string' && simpleText.test(item) ? `"${item}"` : goJson(item)}`;
  if (!isObject(item)) return undefined;
  let text = '';
  for (const key of list.keys) {
    const value = item[key] ?? (list.keyDefaults ?? keyDefaults).get(key) ?? zeroKey(list.element, key);
    if (value === undefined || value === null) continue;
    text += `${text === '' ? 'k:{"' : ',"'}${key}":${typeof value === 'string' && simpleText.test(value) ? `"${value}"` : goJson(value)}`;
  }
  return text === '' ? keyless : `${text}}`;
}

/** A key that Go always writes has a default: nothing. */
function zeroKey(element: TypeNode, key: string): JsonValue | undefined {
  const map = element.kind === 'atomic' ? element.inner : element;
  return map?.kind === 'map' ? map.fields?.get(key)?.zero : undefined;
}

/** The element of an item that has none of the keys of its list: what holds one has no type. */
export const keyless = 'k:{}';
