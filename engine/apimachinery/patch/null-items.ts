/**
 * A merge patch as an older reader took it: what is null in a list, and in the objects of one, is not there, but in a list that takes the place of an
 * object. Mirrors merge and pruneNulls of evanphx/json-patch of 2018.
 */
import { getOwn } from '../../base/dictionary.ts';
import { isList, isObject, type JsonValue } from '../../base/json.ts';

export function withoutNullItems(patch: JsonValue, original: JsonValue | undefined): JsonValue {
  if (isList(patch)) return isObject(original) ? patch : patch.filter((item) => item !== null).map(withoutNulls);
  if (!isObject(patch)) return patch;
  const inner = (name: string): JsonValue | undefined => (isObject(original) ? getOwn(original, name) : undefined);
  return Object.fromEntries(Object.entries(patch).map(([name, value]) => [name, withoutNullItems(value, inner(name))]));
}

function withoutNulls(value: JsonValue): JsonValue {
  if (isList(value)) return withoutNullItems(value, undefined);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([name, inner]) => (inner === null ? [] : [[name, withoutNulls(inner)] as const])));
}
