/**
 * JSON merge patch, RFC 7386: null deletes, objects merge, everything else replaces. The result shares every subtree that the patch
 * leaves as it was.
 */
import { getOwn, setOwn } from '../../base/dictionary.ts';
import { isObject, type JsonObject, type JsonValue } from '../../base/json.ts';

export function mergePatch(original: JsonValue | undefined, patch: JsonValue): JsonValue {
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
