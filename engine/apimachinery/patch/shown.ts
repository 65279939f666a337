/**
 * The text of what a patch has made, as upstream shows it when it fits no type: its library reads only the maps on the way of the patch, and
 * writes those with sorted keys; all else stays the text that it was.
 */
import { getOwn, setOwn } from '../../base/dictionary.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { pointerKeys } from './json-patch.ts';

/** `patched` with its keys in the order in which they are shown; `patch` is a merge patch, or the operations of a JSON patch. */
export function shownPatched(patched: JsonValue, patch: JsonValue | undefined): JsonValue {
  return sortedWhere(patched, isList(patch) ? wayOf(patch) : patch);
}

/** Of what a merge brings, all maps are read; in lists that were there, those that an operation leads into. */
function sortedWhere(value: JsonValue, touched: JsonValue | undefined): JsonValue {
  if (isObject(value) && isObject(touched)) {
    const names = Object.keys(value).sort();
    return Object.fromEntries(names.map((name) => [name, sortedWhere(value[name] ?? null, getOwn(touched, name))]));
  }
  if (!isList(value)) return value;
  if (isList(touched)) return value.map((item, index) => sortedWhere(item, touched[index]));
  return isObject(touched) ? value.map((item, index) => sortedWhere(item, getOwn(touched, String(index)))) : value;
}

/** The containers that the operations lead into. */
function wayOf(operations: readonly JsonValue[]): JsonObject {
  const way: { [key: string]: JsonValue } = {};
  for (const operation of operations) {
    if (!isObject(operation)) continue;
    const { op, path, from } = operation;
    if (typeof path === 'string') addWay(way, path, op !== 'test');
    if (typeof from === 'string') addWay(way, from, op === 'move');
  }
  return way;
}

/** What is written anew at the end of the path was read by nobody yet, though something led into what was there. */
function addWay(way: { [key: string]: JsonValue }, path: string, isWritten: boolean): void {
  let at = way;
  const keys = pointerKeys(path);
  for (const key of keys.slice(0, -1)) {
    const inner = (getOwn(at, key) ?? {}) as { [key: string]: JsonValue };
    setOwn(at, key, inner);
    at = inner;
  }
  const last = keys.at(-1);
  if (isWritten && last !== undefined) delete at[last];
}
