/**
 * How server-side apply sees types: scalars, granular or atomic maps, and lists by their kind. Compiled once per MessageSchema.
 * Values without a schema have deduced types: maps granular, lists atomic. Mirrors the schema of structured-merge-diff as
 * kube-openapi builds it.
 */
import { goJson } from '../quote.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { FieldSchema, MessageSchema, SchemaRegistry } from '../schema.ts';

export interface ScalarNode {
  readonly kind: 'scalar';
}

/** Owned as a whole. */
export interface AtomicNode {
  readonly kind: 'atomic';
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
}

/** The type follows the value. */
export interface DeducedNode {
  readonly kind: 'deduced';
}

export type TypeNode = ScalarNode | AtomicNode | MapNode | ListNode | DeducedNode;

const scalar: ScalarNode = { kind: 'scalar' };
const atomic: AtomicNode = { kind: 'atomic' };
export const deduced: DeducedNode = { kind: 'deduced' };
const noFields: JsonObject = Object.freeze({});
const deducedMap: MapNode = { kind: 'map', fields: undefined, element: deduced, always: [] };
const openMap: MapNode = { kind: 'map', fields: undefined, element: atomic, always: [] };

/** Associative keys with defaults in upstream's OpenAPI: only the protocol of ports. */
const keyDefaults: ReadonlyMap<string, JsonValue> = new Map([['protocol', 'TCP']]);

export function isMap(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The node to use for a value: deduced types turn into the type of the value. */
export function resolve(type: TypeNode, value: JsonValue | undefined): Exclude<TypeNode, DeducedNode> {
  if (type.kind !== 'deduced') return type;
  if (isMap(value)) return deducedMap;
  return isList(value) ? atomic : scalar;
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
    const known = this.#compiled.get(schema);
    if (known !== undefined) return known;
    if (schema.atomic === true) {
      this.#compiled.set(schema, atomic);
      return atomic;
    }
    // Registered before its fields are compiled: types may contain themselves.
    const fields = new Map<string, MapField>();
    const always: MapField[] = [];
    const node: MapNode = { kind: 'map', fields, element: atomic, always };
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
    if (field.card === 'one') return field.mapType === 'atomic' ? atomic : element;
    if (field.card === 'map') return field.mapType === 'atomic' ? atomic : { kind: 'map', fields: undefined, element, always: [] };
    if (field.card === 'mapOfLists') return openMap;
    if (field.listType === 'set') return { kind: 'list', relation: 'set', keys: [], element };
    if (field.listType === 'map') return { kind: 'list', relation: 'map', keys: (field.listMapKeys ?? []).toSorted(), element };
    return atomic;
  }

  #element(field: FieldSchema): TypeNode {
    if (typeof field.type !== 'string') {
      const schema = this.#registry?.get(field.type.message);
      return schema === undefined ? deduced : this.of(schema);
    }
    if (field.type === 'fieldsV1') return deduced;
    return field.type === 'rawExtension' || field.type === 'json' ? openMap : scalar;
  }
}

/** The value an absent field has in a Go struct as its JSON shows it; undefined when it is left out. */
function zeroOf(field: FieldSchema): JsonValue | undefined {
  if (field.card === 'one' && typeof field.type !== 'string' && !field.pointer) return noFields;
  if (field.omitEmpty) return undefined;
  if (field.card !== 'one' || field.pointer || typeof field.type !== 'string') return null;
  switch (field.type) {
    case 'string':
    case 'bytes':
      return '';
    case 'bool':
      return false;
    case 'quantity':
    case 'duration':
      return '0';
    case 'int32':
    case 'int64':
    case 'uint32':
    case 'uint64':
    case 'double':
    case 'intOrString':
      return 0;
    default:
      return null;
  }
}

const simpleText = /^[\w./ -]*$/;

/** The path element of a list item: `k:{"name":"a"}` or `v:"x"`. Undefined when the item cannot be addressed. */
export function itemElement(list: ListNode, item: JsonValue): string | undefined {
  if (list.relation === 'set')
    return isMap(item) || isList(item) || item === null
      ? undefined
      : `v:${typeof item === 'string' && simpleText.test(item) ? `"${item}"` : goJson(item)}`;
  if (!isMap(item)) return undefined;
  let text = '';
  for (const key of list.keys) {
    const value = item[key] ?? keyDefaults.get(key);
    if (value === undefined || value === null) continue;
    text += `${text === '' ? 'k:{"' : ',"'}${key}":${typeof value === 'string' && simpleText.test(value) ? `"${value}"` : goJson(value)}`;
  }
  return text === '' ? 'k:{}' : `${text}}`;
}
