/** The body of a refused request, as far as it can be read. */
import type { JsonObject } from '../../../base/json.ts';

export function parsed(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as JsonObject | null;
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    // YAML and protobuf are told in present words.
    return undefined;
  }
}

export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
