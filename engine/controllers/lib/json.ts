/** Small helpers for plain objects: equality by content, and building without empty fields (Go's `omitempty`). */

/** Whether two plain values have the same content; a field that is undefined counts as absent. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => equalJson(item, b[i]));
  if (Array.isArray(b)) return false;
  const left = a as Readonly<Record<string, unknown>>;
  const right = b as Readonly<Record<string, unknown>>;
  let fields = 0;
  for (const key in left) {
    if (left[key] === undefined) continue;
    fields++;
    if (!equalJson(left[key], right[key])) return false;
  }
  for (const key in right) if (right[key] !== undefined) fields--;
  return fields === 0;
}

type Compacted<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The object without its undefined fields, keys in the same order. */
export function compact<T extends object>(object: T): Compacted<T> {
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(object)) if (value !== undefined) result[key] = value;
  return result as Compacted<T>;
}

/** A number that is left out when zero, a list or map when empty. */
export function nonZero(value: number): number | undefined {
  return value === 0 ? undefined : value;
}

export function nonEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}

export function nonEmptyMap(map: Readonly<Record<string, string>>): Readonly<Record<string, string>> | undefined {
  for (const _ in map) return map;
  return undefined;
}
