/** Does work for each item, so many at a time, taking them in order (client-go's ParallelizeUntil). */
export async function forEachLane<T>(lanesMax: number, items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(lanesMax, items.length) }, lane));
}
