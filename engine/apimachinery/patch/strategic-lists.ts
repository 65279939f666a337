/**
 * How lists merge in a strategic merge patch: by key or as sets of scalars, and in which order the items stand afterwards. Mirrors
 * mergeSlice and normalizeElementOrder of k8s.io/apimachinery pkg/util/strategicpatch.
 */
import { newGenericServerResponse, newStatusError } from '../errors.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { goPrint, goPrintText, goTypeOf } from '../go-value.ts';
import { type Lookup, mergeMaps, settle } from './strategic-merge.ts';

const noFields: Lookup = () => ({ strategy: '', mergeKey: '', element: undefined });

interface ListMeta {
  readonly mergeKey: string;
  readonly element: Lookup | undefined;
  /** Scalars of the patch go from the list; what is no scalar merges all the same. */
  readonly deletes: boolean;
}

function keyOf(item: JsonValue, mergeKey: string): JsonValue {
  if (mergeKey === '') return item;
  const value = isObject(item) ? item[mergeKey] : undefined;
  if (value === undefined) throw newStatusError(500, '', `map: ${goPrint(item)} does not contain declared merge key: ${mergeKey}`);
  return value;
}

/** Where each key stands first. */
function placesOf(list: readonly JsonValue[], mergeKey: string): Map<JsonValue | undefined, number> {
  const places = new Map<JsonValue | undefined, number>();
  for (const [index, item] of list.entries()) {
    const key = mergeKey === '' ? item : isObject(item) ? item[mergeKey] : undefined;
    if (!places.has(key)) places.set(key, index);
  }
  return places;
}

export function badArgument(expected: string, actual: JsonValue): string {
  return `expected a ${expected}, but received a ${actual === null ? '%!s(<nil>)' : goTypeOf(actual)}`;
}

/** What is changed must stand in the order that is given, as far as that goes. */
export function checkOrder(patch: readonly JsonValue[], order: readonly JsonValue[], mergeKey: string): void {
  if (patch.length === 0 || order.length === 0) return;
  const named = patch.filter((item) => !(isObject(item) && Object.hasOwn(item, '$patch')));
  let next = 0;
  for (const wanted of order) if (next < named.length && keyOf(named[next] ?? null, mergeKey) === keyOf(wanted, mergeKey)) next++;
  if (next < named.length)
    throw newStatusError(500, '', `The order in patch list:\n${goPrint(patch)}\n doesn't match $setElementOrder list:\n${goPrint(order)}\n`);
}

/** An order is looked through for each item, up to the place that names it. */
export function checkNamed(items: readonly JsonValue[], order: readonly JsonValue[], mergeKey: string): void {
  if (mergeKey === '' || items.length === 0) return;
  const bad = order.findIndex((item) => !isObject(item) || !Object.hasOwn(item, mergeKey));
  if (bad < 0) return;
  const places = placesOf(order.slice(0, bad), mergeKey);
  const wrong = order[bad] ?? null;
  if (isObject(wrong)) keyOf(wrong, mergeKey);
  const areFound = items.every((item) => places.has(keyOf(item, mergeKey)));
  throw newStatusError(500, '', areFound ? badArgument('map[string]interface {}', wrong) : `value for key ${bad} is not a map`);
}

/** Without the given scalars. */
function deleteScalars(list: readonly JsonValue[], unwanted: readonly JsonValue[]): readonly JsonValue[] {
  const gone = new Set(unwanted);
  return list.filter((item) => !gone.has(item));
}

/** Items by place in `order`; those it does not name keep their places among themselves, at the end. */
function sortBy(
  items: readonly JsonValue[],
  order: ReadonlyMap<JsonValue | undefined, number>,
  length: number,
  mergeKey: string,
): readonly JsonValue[] {
  return items
    .map((item) => [order.get(keyOf(item, mergeKey)) ?? length, item] as const)
    .sort((a, b) => a[0] - b[0])
    .map(([, item]) => item);
}

/** Items of the patch in the order it gives, those of the server in theirs, woven together by the server's order. */
export function orderItems(
  merged: readonly JsonValue[],
  order: readonly JsonValue[],
  serverOrder: readonly JsonValue[],
  mergeKey: string,
): readonly JsonValue[] {
  const places = placesOf(order, mergeKey);
  const serverPlaces = placesOf(serverOrder, mergeKey);
  const named = (item: JsonValue): boolean => places.has(keyOf(item, mergeKey));
  const mine = sortBy(merged.filter(named), places, order.length, mergeKey);
  const theirs = sortBy(
    merged.filter((item) => !named(item)),
    serverPlaces,
    serverOrder.length,
    mergeKey,
  );
  const out: JsonValue[] = [];
  let m = 0;
  let t = 0;
  while (m < mine.length && t < theirs.length) {
    const left = theirs[t] ?? null;
    const right = mine[m] ?? null;
    const leftPlace = serverPlaces.get(keyOf(left, mergeKey)) ?? -1;
    const rightPlace = serverPlaces.get(keyOf(right, mergeKey)) ?? -1;
    if (leftPlace >= 0 && rightPlace >= 0 && leftPlace < rightPlace) {
      out.push(left);
      t++;
    } else {
      out.push(right);
      m++;
    }
  }
  return [...out, ...theirs.slice(t), ...mine.slice(m)];
}

interface Commands {
  readonly original: readonly JsonValue[];
  readonly patch: readonly JsonObject[];
}

/** Carries out `$patch: delete` and `$patch: replace` items, and leaves the rest of the patch. */
function applyCommands(original: readonly JsonValue[], patch: readonly JsonObject[], mergeKey: string): Commands {
  const gone = new Set<JsonValue>();
  let replace = false;
  const rest: JsonObject[] = [];
  for (const item of patch) {
    const command = item['$patch'];
    if (command === undefined) rest.push(item);
    else if (command === 'delete') {
      gone.add(keyOf(item, mergeKey));
    } else if (command === 'replace') replace = true;
    else if (command === 'merge') throw newStatusError(500, '', 'merging lists cannot yet be specified in the patch');
    else throw newStatusError(500, '', `unknown patch type: ${goPrintText(command)} in map: ${goPrint(item)}`);
  }
  if (replace) return { original: rest, patch: [] };
  const left = gone.size === 0 ? original : original.filter((other) => !isObject(other) || !gone.has(other[mergeKey] ?? null));
  return { original: left, patch: rest };
}

function sameItems(a: readonly JsonValue[], b: readonly JsonValue[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

/** All items are of one type, and no lists. */
function checkTypes(original: readonly JsonValue[], patch: readonly JsonValue[]): void {
  const first = original[0] ?? patch[0] ?? null;
  if (isList(first)) throw newGenericServerResponse({ code: 422, verb: '' });
  const type = typeOf(first);
  if ([...original, ...patch].every((item) => typeOf(item) === type)) return;
  throw newStatusError(500, '', `list element types are not identical: ${goPrint([original, patch])}`);
}

/** As Go names what JSON holds; of objects and lists alone that they are such. */
export function typeOf(value: JsonValue): string {
  return isList(value) ? 'slice' : isObject(value) ? 'map' : value === null ? 'nil' : goTypeOf(value);
}

/** A list whose type says `patchStrategy: merge`, or of which items are to go. */
export function mergeLists(
  original: readonly JsonValue[],
  patch: readonly JsonValue[],
  { mergeKey, element, deletes }: ListMeta,
): readonly JsonValue[] {
  if (original.length === 0 && patch.length === 0) return original;
  checkTypes(original, patch);
  if (!isObject(original[0] ?? patch[0])) {
    const ordered = deletes ? deleteScalars(original, patch) : orderItems([...new Set([...original, ...patch])], patch, original, '');
    return sameItems(original, ordered) ? original : ordered;
  }
  if (mergeKey === '') throw newStatusError(500, '', 'cannot merge lists without merge key for struct');
  const commands = applyCommands(original, patch.filter(isObject), mergeKey);
  const merged = [...commands.original];
  const places = placesOf(merged, mergeKey);
  for (const item of commands.patch) {
    const key = keyOf(item, mergeKey);
    const index = places.get(key) ?? -1;
    const current = merged[index];
    if (isObject(current)) merged[index] = mergeMaps(current, item, element ?? noFields);
    else {
      if (index < 0) places.set(key, merged.length);
      // A key that is null is one all the same.
      merged.push({ ...(settle(item) as JsonObject | undefined), [mergeKey]: key });
    }
  }
  const ordered = orderItems(merged, commands.patch, commands.original, mergeKey);
  return sameItems(original, ordered) ? original : ordered;
}
