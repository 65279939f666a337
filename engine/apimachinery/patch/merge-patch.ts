/**
 * JSON merge patch, RFC 7386: null deletes, objects merge, everything else replaces. The result shares every subtree that the patch
 * leaves as it was.
 */
import { getOwn, setOwn } from '../../base/dictionary.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../base/json.ts';

export function mergePatch(original: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (isList(patch)) return isObject(original) ? patch : pruned(patch);
  if (!isObject(patch)) return patch;
  const base: JsonObject = isObject(original) ? original : {};
  const out: { [key: string]: JsonValue } = { ...base };
  let changed = base !== original;
  for (const key of Object.keys(patch)) {
    const value = patch[key] ?? null;
    if (value === null) {
      if (!Object.hasOwn(out, key)) continue;
      delete out[key];
      changed = true;
      continue;
    }
    const current = getOwn(base, key);
    const merged = mergePatch(current, value);
    if (merged === current) continue;
    setOwn(out, key, merged);
    changed = true;
  }
  return changed ? out : base;
}

/** Objects in a list that comes where no object is lose what is null in them, as by the library that upstream uses. */
function pruned(value: JsonValue): JsonValue {
  if (isList(value)) return value.map(pruned);
  if (!isObject(value)) return value;
  const out: { [key: string]: JsonValue } = {};
  for (const key of Object.keys(value)) {
    const inner = value[key] ?? null;
    if (inner !== null) setOwn(out, key, pruned(inner));
  }
  return out;
}
