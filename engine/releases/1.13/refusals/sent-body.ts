/** The body of a refused request, as far as it can be read. */
import { encodeJson } from '../../../apimachinery/serializer/json.ts';
import { DecodeError } from '../../../apimachinery/serializer/scalars.ts';
import { decodeFirstYaml } from '../../../apimachinery/serializer/yaml.ts';
import type { JsonObject, JsonValue } from '../../../base/json.ts';

export function parsed(text: string): JsonObject | undefined {
  const value = parsedValue(text);
  return typeof value === 'object' && value !== null ? (value as JsonObject) : undefined;
}

export function parsedValue(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return fromYaml(text);
  }
}

/** Protobuf is no YAML, and told in present words. */
function fromYaml(text: string): JsonValue | undefined {
  try {
    return decodeFirstYaml(text, 'old').value;
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

/** YAML was made JSON before it was read. */
export function asJson(text: string, contentType: string): string {
  if (!contentType.includes('yaml')) return text;
  const value = fromYaml(text);
  return value === undefined ? text : encodeJson(value);
}

export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
