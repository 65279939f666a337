/** Objects and lists rewritten member by member. What does not change stays the very same value, so that revisions share it. */
import { setOwn } from '../../base/dictionary.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../base/json.ts';

/** What the function gives in place of each member; undefined leaves it out. */
export function rewriteMembers(object: JsonObject, next: (key: string, value: JsonValue) => JsonValue | undefined): JsonObject {
  const keys = Object.keys(object);
  let changed: { [key: string]: JsonValue } | undefined;
  for (let place = 0; place < keys.length; place++) {
    const key = keys[place] as string;
    const value = object[key] as JsonValue;
    const given = next(key, value);
    if (changed === undefined && given !== value) changed = membersBefore(object, keys, place);
    if (changed !== undefined && given !== undefined) setOwn(changed, key, given);
  }
  return changed ?? object;
}

export function rewriteItems(list: readonly JsonValue[], next: (item: JsonValue, index: number) => JsonValue): readonly JsonValue[] {
  let changed: JsonValue[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const item = list[index] as JsonValue;
    const given = next(item, index);
    if (changed === undefined && given !== item) changed = list.slice(0, index);
    changed?.push(given);
  }
  return changed ?? list;
}

function membersBefore(object: JsonObject, keys: readonly string[], end: number): { [key: string]: JsonValue } {
  const before: { [key: string]: JsonValue } = {};
  for (let place = 0; place < end; place++) {
    const key = keys[place] as string;
    setOwn(before, key, object[key] as JsonValue);
  }
  return before;
}

/** As Go prints an object inside of a message: members by name. */
export function inOrder(value: JsonValue): JsonValue {
  if (isList(value)) return value.map(inOrder);
  if (!isObject(value)) return value;
  const sorted: { [key: string]: JsonValue } = {};
  for (const key of Object.keys(value).sort()) setOwn(sorted, key, inOrder(value[key] as JsonValue));
  return sorted;
}
