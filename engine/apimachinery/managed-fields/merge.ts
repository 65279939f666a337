/**
 * Merging an applied configuration into an object, and taking fields out of one. Results share every subtree that stays as it was.
 * Mirrors typed.Merge and typed.RemoveItems of structured-merge-diff, the order of merged lists included.
 */
import { setOwn } from '../../base/dictionary.ts';
import { deepEqual } from '../../base/equal.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { type FieldSet, isEmptySet, isMember, leaf, makeNode } from './field-set.ts';
import { itemElement, type ListNode, type MapNode, openMap, resolve, type TypeNode } from './types.ts';

/** A configuration that cannot be merged: an item listed twice, or one without its keys. */
export class MergeError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MergeError';
  }
}

function isBlank(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return true;
  return isList(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}

/** The right value laid over the left; undefined when nothing is left. */
export function merge(left: JsonValue | undefined, right: JsonValue | undefined, type: TypeNode): JsonValue | undefined {
  if (right === undefined || left === right) return left;
  const resolved = resolve(type, right === null ? left : right);
  const blank = isBlank(left) && isBlank(right);
  if (resolved.kind === 'scalar' || resolved.kind === 'atomic' || blank) return deepEqual(left, right) ? left : right;
  // Anything in JSON may be no map.
  if (resolved === openMap && right !== null && !isObject(right)) return right;
  if (resolved.kind === 'map') return mergeMaps(isObject(left) ? left : {}, isObject(right) ? right : {}, resolved, left);
  const items = mergeLists(isList(left) ? left : [], isList(right) ? right : [], resolved);
  return isList(left) && sameItems(left, items) ? left : items.length === 0 ? undefined : items;
}

function sameItems(a: readonly JsonValue[], b: readonly JsonValue[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

function mergeMaps(left: JsonObject, right: JsonObject, type: MapNode, original: JsonValue | undefined): JsonValue | undefined {
  const out: { [key: string]: JsonValue } = {};
  let changed = original !== left;
  for (const key of [...Object.keys(left), ...Object.keys(right).filter((name) => !(name in left))]) {
    const merged = merge(left[key], right[key], type.fields?.get(key)?.type ?? type.element);
    if (merged !== left[key]) changed = true;
    if (merged !== undefined) setOwn(out, key, merged);
  }
  if (!changed) return left;
  return Object.keys(out).length === 0 ? undefined : out;
}

function indexItems(list: readonly JsonValue[], type: ListNode, refuseDuplicates: boolean): readonly (readonly [string, JsonValue])[] {
  const seen = new Set<string>();
  return list.map((item, index) => {
    const element = itemElement(type, item);
    if (element === undefined) throw new MergeError(`element ${index}: associative list with keys may not have non-map elements`);
    if (refuseDuplicates && seen.has(element)) throw new MergeError(`duplicate entries for key ${element.slice(2)}`);
    seen.add(element);
    return [element, item];
  });
}

/** Items of the right keep their order among themselves; those of the left stay in place around them. */
function mergeLists(left: readonly JsonValue[], right: readonly JsonValue[], type: ListNode): readonly JsonValue[] {
  const lefts = indexItems(left, type, false);
  const rights = indexItems(right, type, true);
  const leftOf = new Map(lefts);
  const rightOf = new Map(rights);
  const shared = rights.map(([element]) => element).filter((element) => leftOf.has(element));
  const merged = new Set<string>();
  const out: JsonValue[] = [];
  const push = (element: string): void => {
    merged.add(element);
    const value = merge(leftOf.get(element), rightOf.get(element), type.element);
    if (value !== undefined) out.push(value);
  };
  let nextShared = shared.shift();
  let l = 0;
  let r = 0;
  while (l < lefts.length || r < rights.length) {
    const mine = lefts[l]?.[0];
    const theirs = rights[r]?.[0];
    if (mine !== undefined && theirs !== undefined) {
      if (mine === theirs) {
        push(mine);
        l++;
        r++;
        nextShared = shared.shift();
        continue;
      }
      if (rightOf.has(mine) && nextShared !== undefined && nextShared !== mine) {
        l++;
        continue;
      }
    }
    if (mine !== undefined) {
      if (!rightOf.has(mine)) {
        out.push(lefts[l]?.[1] ?? null);
        l++;
        continue;
      }
      if (merged.has(mine)) l++;
    }
    if (theirs !== undefined) {
      push(theirs);
      r++;
      if (nextShared === theirs) nextShared = shared.shift();
    }
  }
  return out;
}

/** The value without the items and fields of the set. */
export function removeItems(value: JsonValue, set: FieldSet, type: TypeNode): JsonValue | undefined {
  if (isEmptySet(set)) return value;
  const resolved = resolve(type, value);
  if (resolved.kind === 'list') {
    if (!isList(value)) return undefined;
    const items = value.flatMap((item) => {
      const element = itemElement(resolved, item);
      return keepItem(item, element === undefined ? undefined : set[element], resolved.element);
    });
    return items.length === 0 ? undefined : items;
  }
  if (resolved.kind !== 'map') return resolved.kind === 'atomic' ? undefined : value;
  if (!isObject(value)) return undefined;
  const out: { [key: string]: JsonValue } = {};
  for (const key of Object.keys(value)) {
    const field = resolved.fields?.get(key);
    const [kept] = keepItem(value[key] ?? null, set[field?.element ?? `f:${key}`], field?.type ?? resolved.element);
    if (kept !== undefined) setOwn(out, key, kept);
  }
  return Object.keys(out).length === 0 ? undefined : out;
}

function keepItem(item: JsonValue, node: FieldSet | undefined, type: TypeNode): readonly JsonValue[] {
  if (node === undefined) return [item];
  if (isMember(node)) return [];
  // What is not removed itself stays, though nothing is left in it: a null.
  return [removeItems(item, node, type) ?? null];
}

/** The set with every struct field that has members below it made a member too. */
export function ensureNamedFields(set: FieldSet, type: TypeNode): FieldSet {
  const children = Object.entries(set).flatMap(([element, node]): (readonly [string, FieldSet])[] => {
    if (element === '.') return [];
    const name = element.slice(2);
    const field = type.kind === 'map' && element.startsWith('f:') ? type.fields?.get(name) : undefined;
    if (isEmptySet(node)) return [[element, leaf]];
    const below = field?.type ?? (type.kind === 'map' || type.kind === 'list' ? type.element : type);
    const inner = ensureNamedFields(node, below);
    return [[element, field === undefined || '.' in inner ? inner : makeNode(true, Object.entries(inner))]];
  });
  return makeNode('.' in set, children);
}
