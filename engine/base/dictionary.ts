/**
 * Maps whose keys somebody else chose. A plain object answers `constructor` and `toString` with what every object inherits, and an
 * assignment of `__proto__` changes its ancestry; who reads or writes a plain object by such a key does it here. What is built anew
 * and never becomes JSON is a `Map`.
 */

/** The value of a key that the object itself has. */
export function getOwn<T>(map: { readonly [key: string]: T } | undefined | null, key: string): T | undefined {
  return map !== undefined && map !== null && Object.hasOwn(map, key) ? map[key] : undefined;
}

/** Sets a key whatever its name. */
export function setOwn<T>(map: { [key: string]: T }, key: string, value: T): void {
  if (key === '__proto__') Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
  else map[key] = value;
}

/** An empty object that inherits nothing. */
export function dictionary<T>(): { [key: string]: T } {
  return Object.create(null) as { [key: string]: T };
}
