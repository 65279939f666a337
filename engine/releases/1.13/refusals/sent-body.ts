/** The body of a refused request, as far as it can be read. */
import type { JsonObject, JsonValue } from '../../../base/json.ts';

export function parsed(text: string): JsonObject | undefined {
  const value = parsedValue(text);
  return typeof value === 'object' && value !== null ? (value as JsonObject) : undefined;
}

export function parsedValue(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    // YAML and protobuf are told in present words.
    return undefined;
  }
}

export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
