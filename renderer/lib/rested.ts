/** Resolves when the page has nothing else to do. */
export function rested(): Promise<void> {
  return new Promise((resolve) => requestIdleCallback(() => resolve()));
}
