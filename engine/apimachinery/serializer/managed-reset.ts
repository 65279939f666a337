/** How a client says that nobody manages anything any more. */
import type { JsonValue } from '../../base/json.ts';

/** An empty list of managed fields means what a list with an empty entry means, and only that one can be kept until somebody looks. */
export const managedReset: readonly JsonValue[] = [{}];

/** `path`: that of an empty list. */
export function isManagedReset(path: readonly (string | number)[]): boolean {
  return path.length === 2 && path[1] === 'managedFields' && path[0] === 'metadata';
}
