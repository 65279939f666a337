/** Where in a list something stands for a second time. */

/** The places of items that equal one before them. */
export function repeatsOf(items: readonly unknown[]): ReadonlySet<number> {
  const seen = new Set<unknown>();
  const places = new Set<number>();
  for (const [place, item] of items.entries()) {
    if (seen.has(item)) places.add(place);
    seen.add(item);
  }
  return places;
}
