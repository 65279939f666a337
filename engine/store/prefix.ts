/** Ranges of keys that share a beginning. */

/** The first text above every text that begins with `prefix`; undefined if nothing is. */
export function prefixEnd(prefix: string): string | undefined {
  if (prefix === '') return undefined;
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}
