/** A merge patch as an older reader took it: what is null in a list, and in the objects of one, is not there. Mirrors pruneNils of evanphx/json-patch of 2018. */
import { isList, isObject, type JsonValue } from '../../base/json.ts';

export function withoutNullItems(patch: JsonValue): JsonValue {
  if (isList(patch)) return patch.filter((item) => item !== null).map(withoutNulls);
  if (!isObject(patch)) return patch;
  return Object.fromEntries(Object.entries(patch).map(([name, value]) => [name, withoutNullItems(value)]));
}

function withoutNulls(value: JsonValue): JsonValue {
  if (isList(value)) return withoutNullItems(value);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([name, inner]) => (inner === null ? [] : [[name, withoutNulls(inner)] as const])));
}
