/**
 * Building blocks of defaults that keep references: what needs no filling stays the same object, so a defaulted object costs a
 * walk and no allocation.
 */

/** Fills what is absent or null. Pass a frozen constant as `defaults`. */
export function fill<T extends object>(object: T, defaults: Partial<T>): T {
  for (const key in defaults) {
    const value = object[key];
    if (value === undefined || value === null) return fillAll(object, defaults);
  }
  return object;
}

/** Fills what is absent, null, empty text or zero: Go's zero values of fields that are no pointers. */
export function fillZero<T extends object>(object: T, defaults: Partial<T>): T {
  for (const key in defaults) if (isZero(object[key])) return fillAllZero(object, defaults);
  return object;
}

function isZero(value: unknown): boolean {
  return value === undefined || value === null || value === '' || value === 0;
}

function fillAll<T extends object>(object: T, defaults: Partial<T>): T {
  const filled: T = { ...object };
  for (const key in defaults) {
    const value = filled[key];
    if (value === undefined || value === null) filled[key] = defaults[key] as T[typeof key];
  }
  return filled;
}

function fillAllZero<T extends object>(object: T, defaults: Partial<T>): T {
  const filled: T = { ...object };
  for (const key in defaults) if (isZero(filled[key])) filled[key] = defaults[key] as T[typeof key];
  return filled;
}

/** Replaces one member when it changed. */
export function put<T extends object, K extends keyof T>(object: T, key: K, value: T[K]): T {
  return object[key] === value ? object : { ...object, [key]: value };
}

/** Applies a change to a member that is there. */
export function edit<T extends object, K extends keyof T>(object: T, key: K, change: (value: NonNullable<T[K]>) => T[K]): T {
  const value = object[key];
  if (value === undefined || value === null) return object;
  return put(object, key, change(value));
}

/** Maps a list; the same list when no element changed. */
export function mapSame<T>(list: readonly T[], change: (element: T) => T): readonly T[] {
  let changed: T[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const element = list[index] as T;
    const next = change(element);
    if (next === element) continue;
    // A copy of the list has its length; one that grows by itself would keep room for more, as long as the object lives.
    changed ??= list.slice();
    changed[index] = next;
  }
  return changed ?? list;
}

type ElementOf<L> = NonNullable<L> extends readonly (infer E)[] ? E : never;

/** Maps the list that is a member of an object. */
export function editEach<T extends object, K extends keyof T>(object: T, key: K, change: (element: ElementOf<T[K]>) => ElementOf<T[K]>): T {
  const list = object[key] as readonly ElementOf<T[K]>[] | null | undefined;
  if (list === undefined || list === null || list.length === 0) return object;
  const next = mapSame(list, change);
  return next === list ? object : { ...object, [key]: next };
}

/** A member that is always there: filled with an empty object first. */
export function ensure<T extends object, K extends keyof T>(object: T, key: K, change: (value: NonNullable<T[K]>) => NonNullable<T[K]>): T {
  const value = object[key];
  return put(object, key, change((value === undefined || value === null ? {} : value) as NonNullable<T[K]>));
}
