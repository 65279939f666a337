/** Building plain objects without empty fields (Go's `omitempty`). */
import { setOwn } from '../../base/dictionary.ts';

type Compacted<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The object without its undefined fields, keys in the same order. */
export function compact<T extends object>(object: T): Compacted<T> {
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(object)) if (value !== undefined) setOwn(result, key, value);
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
