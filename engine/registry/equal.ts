/** Sharing of what did not change, so that a status update keeps the spec of the revision before, and what counts as no change. */
import { getOwn, setOwn } from '../base/dictionary.ts';
import { deepEqual } from '../base/equal.ts';
import { fieldAt, fieldCount, roomFor } from '../base/plain.ts';
import type { KubeObject, ManagedFieldsEntry, ObjectMeta } from '../apimachinery/object.ts';
import type { JsonValue } from '../base/json.ts';

type Value = JsonValue | undefined;
type Fields = { readonly [key: string]: Value };

/** `next` with every top-level part, and every part of its metadata, that equals the old one replaced by it. */
export function shareUnchanged(next: KubeObject, old: KubeObject): KubeObject {
  const shared = shareFields(next as unknown as Fields, old as unknown as Fields);
  const metadata = shareFields(next.metadata as unknown as Fields, old.metadata as unknown as Fields) as unknown as ObjectMeta;
  return { ...(shared as unknown as KubeObject), metadata };
}

function shareFields(next: Fields, old: Fields): Fields {
  const out = roomFor(fieldCount(next)) as { [key: string]: Value };
  for (const key in next) {
    const value = fieldAt(next, key);
    const before = getOwn(old, key);
    setOwn(out, key, typeof value === 'object' && value !== before && deepEqual(value, before) ? before : value);
  }
  return out;
}

/** Equal but for `resourceVersion`; expects both to be shared by `shareUnchanged`. */
export function sameObject(next: KubeObject, old: KubeObject): boolean {
  if (!sameFields(next as unknown as Fields, old as unknown as Fields, 'metadata')) return false;
  return sameFields(next.metadata as unknown as Fields, old.metadata as unknown as Fields, 'resourceVersion');
}

function sameFields(a: Fields, b: Fields, except: string): boolean {
  let count = 0;
  for (const key in a) {
    if (key === except) continue;
    const value = fieldAt(a, key);
    if (value === undefined) continue;
    count++;
    if (!deepEqual(value, b[key])) return false;
  }
  for (const key in b) if (key !== except && fieldAt(b, key) !== undefined) count--;
  return count === 0;
}

/** Whether two lists of managed fields differ in nothing but times. */
export function sameManagedFieldsButTimes(a: readonly ManagedFieldsEntry[] | undefined, b: readonly ManagedFieldsEntry[] | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined || a.length !== b.length) return false;
  return a.every((entry, index) => sameFields(entry as unknown as Fields, b[index] as unknown as Fields, 'time'));
}
