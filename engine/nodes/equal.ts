/** Deep equality of plain JSON-shaped values; shared subtrees are not walked. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => isSame(item, b[i]));
  const left = a as { readonly [key: string]: unknown };
  const right = b as { readonly [key: string]: unknown };
  let count = 0;
  for (const key in left) {
    count++;
    if (!isSame(left[key], right[key])) return false;
  }
  for (const key in right) if (right[key] !== undefined) count--;
  return count === 0;
}
