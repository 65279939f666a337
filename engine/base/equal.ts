/**
 * Deep equality of JSON-shaped values: the order of keys does not count, a field that is undefined counts as absent, and subtrees that
 * are shared by reference cost nothing.
 */
import { fieldAt } from './plain.ts';

export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return isSameNumber(a, b);
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!deepEqual(a[i], b[i])) return false;
    return true;
  }
  if (Array.isArray(b)) return false;
  return fieldsEqual(a as Fields, b as Fields, deepEqual);
}

/** A whole number that no double holds, beside the double that it was stored as. */
function isSameNumber(a: unknown, b: unknown): boolean {
  if (typeof a === 'bigint') return typeof b === 'number' && Number(a) === b;
  return typeof b === 'bigint' && typeof a === 'number' && Number(b) === a;
}

type Fields = { readonly [key: string]: unknown };

/** Whether both have the same fields with something in them, each the same by `isSame`. */
export function fieldsEqual(a: Fields, b: Fields, isSame: (value: unknown, other: unknown, key: string) => boolean): boolean {
  let count = 0;
  for (const key in a) {
    const value = fieldAt(a, key);
    if (value === undefined) continue;
    count++;
    if (!Object.hasOwn(b, key) || !isSame(value, b[key], key)) return false;
  }
  for (const key in b) if (fieldAt(b, key) !== undefined) count--;
  return count === 0;
}
