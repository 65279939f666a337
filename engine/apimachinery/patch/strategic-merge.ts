/**
 * Strategic merge patch: maps merge, lists merge by key where the type says so, directives delete, replace, retain and order. Mirrors
 * k8s.io/apimachinery pkg/util/strategicpatch as the server applies it. The list rules stand in `strategic-lists.ts`.
 */
import { goPrint } from '../go-value.ts';
import { newBadRequest, newStatusError } from '../errors.ts';
import { getOwn, setOwn } from '../../base/dictionary.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { FieldSchema, MessageSchema, SchemaRegistry } from '../schema.ts';
import { shortName } from '../serializer/go-names.ts';
import { badArgument, checkNamed, checkOrder, deleteScalars, mergeLists, orderItems } from './strategic-lists.ts';

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
  /** The struct that has no such field. */
  readonly missingIn?: string;
}

/** Finds how the fields of one type merge. */
export type Lookup = (key: string) => PatchMeta;

const unknownField: PatchMeta = { strategy: '', mergeKey: '', element: undefined };

function metaOf(field: FieldSchema, registry: SchemaRegistry): PatchMeta {
  const strategies = (field.patchStrategy ?? '').split(',');
  const strategy = strategies.includes('merge') ? 'merge' : strategies.includes('replace') ? 'replace' : '';
  const schema = typeof field.type === 'string' ? undefined : registry.get(field.type.message);
  const element = schema === undefined ? undefined : lookupIn(schema, registry);
  // The keys of a map are no fields: each value merges as the element type does.
  if (field.card === 'map') return { strategy, mergeKey: '', element: () => ({ strategy: '', mergeKey: '', element }) };
  return { strategy, mergeKey: field.patchMergeKey ?? '', element };
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
    return { ...unknownField, missingIn: shortName(schema) };
  };
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
  throw newStatusError(500, '', badArgument('[]interface {}', value));
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
    if (meta.missingIn !== undefined)
      throw newStatusError(500, '', `unable to find api field in struct ${meta.missingIn} for the json field ${JSON.stringify(name)}`);
    checkOrder(change ?? [], order, meta.mergeKey);
    const merged = mergeOrdered(name, original, change, meta, meta.element);
    if (merged === undefined) continue;
    checkNamed(merged, order, meta.mergeKey);
    setOwn(out, name, orderItems(merged, order, original ?? [], meta.mergeKey));
  }
  return settled;
}

function mergeOrdered(
  name: string,
  original: readonly JsonValue[] | undefined,
  change: readonly JsonValue[] | undefined,
  meta: PatchMeta,
  element: Lookup | undefined,
): readonly JsonValue[] | undefined {
  if (change === undefined) return original;
  if (original === undefined) return settle(change) as readonly JsonValue[];
  return meta.strategy === 'merge' ? mergeLists(name, original, change, meta.mergeKey, element) : change;
}

/** One map patched; the same reference when the patch changes nothing. */
export function mergeMaps(original: JsonObject | undefined, patch: JsonObject, lookup: Lookup): JsonObject {
  const command = patch[directive];
  if (command === 'replace') return Object.fromEntries(Object.entries(patch).filter(([key]) => key !== directive));
  if (command === 'delete') return {};
  if (command !== undefined) throw newStatusError(500, '', `unknown patch type: ${String(command)} in map: ${goPrint(patch)}`);
  const out: Mutable = { ...original };
  applyRetainKeys(out, patch);
  const settled = applyOrders(out, patch, lookup);
  for (const key of Object.keys(patch)) {
    if (key === retainKeys || key.startsWith(orderPrefix) || settled.has(key)) continue;
    const value = patch[key] ?? null;
    if (key.startsWith(deletePrefix)) {
      const name = suffixOf(key, deletePrefix, 'invalid patch format of primitive list');
      const current = getOwn(out, name);
      if (!isList(value)) throw newBadRequest('invalid patch format of primitive list');
      if (isList(current)) setOwn(out, name, deleteScalars(current, value));
    } else if (value === null) delete out[key];
    else patchField(out, key, value, lookup);
  }
  return original !== undefined && sameEntries(original, out) ? original : out;
}

function sameEntries(a: JsonObject, b: JsonObject): boolean {
  const keys = Object.keys(b);
  return keys.length === Object.keys(a).length && keys.every((key) => getOwn(a, key) === b[key]);
}

function patchField(out: Mutable, key: string, value: JsonValue, lookup: Lookup): void {
  const current = getOwn(out, key);
  if (isObject(current) && isObject(value)) {
    const { strategy, element } = lookup(key);
    setOwn(out, key, strategy === 'replace' ? value : mergeMaps(current, value, element ?? (() => unknownField)));
  } else if (isList(current) && isList(value)) {
    const meta = lookup(key);
    setOwn(out, key, meta.strategy === 'merge' ? mergeLists(key, current, value, meta.mergeKey, meta.element) : value);
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
