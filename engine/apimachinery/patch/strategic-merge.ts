/**
 * Strategic merge patch: maps merge, lists merge by key where the type says so, directives delete, replace, retain and order. Mirrors
 * k8s.io/apimachinery pkg/util/strategicpatch as the server applies it. The list rules stand in `strategic-lists.ts`.
 */
import { goPrint, goPrintText } from '../go-value.ts';
import { newBadRequest, newStatusError } from '../errors.ts';
import { getOwn, setOwn } from '../../base/dictionary.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { FieldSchema, MessageSchema, SchemaRegistry } from '../schema.ts';
import { shortName } from '../serializer/go-names.ts';
import { badArgument, checkNamed, checkOrder, mergeLists, orderItems, typeOf } from './strategic-lists.ts';

type Mutable = { [key: string]: JsonValue };

const directive = '$patch';
const retainKeys = '$retainKeys';
const deletePrefix = '$deleteFromPrimitiveList';
const orderPrefix = '$setElementOrder';

/** How one field merges. */
export interface PatchMeta {
  readonly strategy: 'merge' | 'replace' | '';
  readonly mergeKey: string;
  readonly element: Lookup | undefined;
  /** It is no list, and no pointer either. */
  readonly isSingle?: true;
}

/** Finds how the fields of one type merge; throws where the type has no such field. */
export type Lookup = (key: string) => PatchMeta;

const unknownField: PatchMeta = { strategy: '', mergeKey: '', element: undefined };

/** What holds any JSON is a struct to Go too, of which no document names a field. */
const structs: ReadonlyMap<string, string> = new Map([
  ['rawExtension', 'RawExtension'],
  ['json', 'JSON'],
  ['fieldsV1', 'FieldsV1'],
  ['jsonSchemaOrBool', 'JSONSchemaPropsOrBool'],
  ['jsonSchemaOrArray', 'JSONSchemaPropsOrArray'],
  ['jsonSchemaOrStrings', 'JSONSchemaPropsOrStringArray'],
]);

function metaOf(field: FieldSchema, registry: SchemaRegistry): PatchMeta {
  const strategies = (field.patchStrategy ?? '').split(',');
  const strategy = strategies.includes('merge') ? 'merge' : strategies.includes('replace') ? 'replace' : '';
  const isList = field.card === 'list' || field.type === 'bytes';
  return {
    strategy,
    mergeKey: field.patchMergeKey ?? '',
    element: elementOf(field, registry),
    ...(isList || field.pointer ? {} : { isSingle: true }),
  };
}

function elementOf({ card, type }: FieldSchema, registry: SchemaRegistry): Lookup | undefined {
  if (card === 'map' || card === 'mapOfLists') return () => fail('merging an object in json but data type is not struct, instead is: map');
  if (typeof type !== 'string') {
    const schema = registry.get(type.message);
    return schema === undefined ? undefined : lookupIn(schema, registry);
  }
  const struct = structs.get(type);
  return struct === undefined ? undefined : (key) => missingIn(struct, key);
}

function lookupIn(schema: MessageSchema, registry: SchemaRegistry): Lookup {
  return (key) => {
    const direct = schema.fields.find((field) => field.name === key && field.inline !== true);
    if (direct !== undefined) return metaOf(direct, registry);
    for (const field of schema.fields) {
      if (field.inline !== true || typeof field.type === 'string') continue;
      const inlined = registry.get(field.type.message);
      if (inlined?.fields.some((inner) => inner.name === key) === true) return lookupIn(inlined, registry)(key);
    }
    return missingIn(shortName(schema), key);
  };
}

function missingIn(struct: string, key: string): never {
  return fail(`unable to find api field in struct ${struct} for the json field ${JSON.stringify(key)}`);
}

function fail(text: string): never {
  throw newStatusError(500, '', text);
}

/** Without members that are null and without directives, for a value that has nothing to merge with. Undefined when it says that it is to be deleted. */
export function settle(value: JsonValue): JsonValue | undefined {
  if (isList(value)) return value.map(settle).filter((item) => item !== undefined);
  if (!isObject(value)) return value;
  if (Object.hasOwn(value, directive)) return undefined;
  const out: Mutable = {};
  for (const key of Object.keys(value)) {
    const item = value[key] ?? null;
    const settled = item === null ? undefined : settle(item);
    if (settled !== undefined) setOwn(out, key, settled);
  }
  return out;
}

function applyRetainKeys(out: Mutable, patch: JsonObject): void {
  const wanted = patch[retainKeys];
  if (wanted === undefined) return;
  if (!isList(wanted)) throw newBadRequest('invalid patch format of retainKeys');
  const keep = new Set(wanted);
  for (const key of Object.keys(patch)) {
    if (patch[key] === null || key === retainKeys || key.startsWith(deletePrefix) || key.startsWith(orderPrefix)) continue;
    if (!keep.has(key)) throw newBadRequest('invalid patch format of retainKeys');
  }
  for (const key of Object.keys(out)) if (!keep.has(key)) delete out[key];
}

function suffixOf(key: string, prefix: string, complaint: string): string {
  const slash = key.indexOf('/');
  if (slash < 0 || key.slice(0, slash) !== prefix) throw newBadRequest(complaint);
  return key.slice(slash + 1);
}

const badOrder = 'invalid patch format of setElementOrder list';

function mustBeList(value: JsonValue | undefined): asserts value is readonly JsonValue[] | undefined {
  if (value === undefined || isList(value)) return;
  fail(badArgument('[]interface {}', value));
}

/** Merges the lists that come with an order; returns the keys this settles. */
function applyOrders(out: Mutable, patch: JsonObject, lookup: Lookup): ReadonlySet<string> {
  const settled = new Set<string>();
  for (const key of Object.keys(patch)) {
    if (!key.startsWith(orderPrefix)) continue;
    const order = patch[key] ?? null;
    mustBeList(order);
    const name = suffixOf(key, orderPrefix, badOrder);
    const original = getOwn(out, name);
    const change = getOwn(patch, name);
    mustBeList(original);
    mustBeList(change);
    settled.add(name);
    const meta = lookup(name);
    if (meta.isSingle === true) fail('expected slice or array type, but got: struct');
    checkOrder(change ?? [], order, meta.mergeKey);
    const merged = mergeOrdered(original, change, meta, meta.element);
    if (merged === undefined) continue;
    checkNamed(merged, order, meta.mergeKey);
    if ((original ?? []).length + (change ?? []).length === 0) fail('no elements in any of the given slices');
    setOwn(out, name, orderItems(merged, order, original ?? [], meta.mergeKey));
  }
  return settled;
}

function mergeOrdered(
  original: readonly JsonValue[] | undefined,
  change: readonly JsonValue[] | undefined,
  meta: PatchMeta,
  element: Lookup | undefined,
): readonly JsonValue[] | undefined {
  if (change === undefined) return original;
  if (original === undefined) return settle(change) as readonly JsonValue[];
  return meta.strategy === 'merge' ? mergeLists(original, change, { mergeKey: meta.mergeKey, element, deletes: false }) : change;
}

/** One map patched; the same reference when the patch changes nothing. */
export function mergeMaps(original: JsonObject | undefined, patch: JsonObject, lookup: Lookup): JsonObject {
  const command = patch[directive];
  if (command === 'replace') return Object.fromEntries(Object.entries(patch).filter(([key]) => key !== directive));
  if (command === 'delete') return {};
  if (command !== undefined) fail(`unknown patch type: ${goPrintText(command)} in map: ${goPrint(patch)}`);
  const out: Mutable = { ...original };
  applyRetainKeys(out, patch);
  const settled = applyOrders(out, patch, lookup);
  for (const key of Object.keys(patch)) {
    if (key === retainKeys || key.startsWith(orderPrefix) || settled.has(key)) continue;
    const value = patch[key] ?? null;
    const deletes = key.startsWith(deletePrefix);
    const name = deletes ? suffixOf(key, deletePrefix, 'invalid patch format of primitive list') : key;
    if (value === null) delete out[name];
    else patchField(out, name, value, lookup, deletes);
  }
  return original !== undefined && sameEntries(original, out) ? original : out;
}

function sameEntries(a: JsonObject, b: JsonObject): boolean {
  const keys = Object.keys(b);
  return keys.length === Object.keys(a).length && keys.every((key) => getOwn(a, key) === b[key]);
}

/** `deletes`: the items of lists go; of what is no list upstream takes such a member for the field itself, as long as there is one of its type. */
function patchField(out: Mutable, key: string, value: JsonValue, lookup: Lookup, deletes: boolean): void {
  const current = getOwn(out, key);
  if (deletes && (current === undefined || typeOf(current) !== typeOf(value))) return;
  if (isObject(current) && isObject(value)) {
    const { strategy, element } = lookup(key);
    setOwn(out, key, strategy === 'replace' ? value : mergeMaps(current, value, element ?? (() => unknownField)));
  } else if (isList(current) && isList(value)) {
    const { strategy, mergeKey, element, isSingle } = lookup(key);
    if (isSingle === true) fail('expected slice or array type, but got: struct');
    setOwn(out, key, strategy === 'merge' || deletes ? mergeLists(current, value, { mergeKey, element, deletes }) : value);
  } else {
    const settled = settle(value);
    if (settled === undefined) delete out[key];
    else setOwn(out, key, settled);
  }
}

/** Throws StatusError. The original is never changed; the result shares its untouched subtrees. */
export function strategicMergePatch(original: JsonObject, patch: JsonValue, schema: MessageSchema, registry: SchemaRegistry): JsonObject {
  if (!isObject(patch)) throw newBadRequest('invalid JSON document');
  return mergeMaps(original, patch, lookupIn(schema, registry));
}
