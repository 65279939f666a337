/** Which cluster this page looks at: the one that the engine shows, or below `/branches/NAME/` that branch. Holds in the page and in its worker. */
export const branchBase = branchOf(globalThis.location?.pathname ?? '/');

/** `/branches/NAME` of a path below it, empty elsewhere. */
export function branchOf(path: string): string {
  return /^\/branches\/[^/]+(?=\/)/.exec(path)?.[0] ?? '';
}
