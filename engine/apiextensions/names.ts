/** How custom kinds are called where Go's package paths name built-in ones. Mirrors apiserver pkg/endpoints/openapi (ToRESTFriendlyName). */
import { getOwn } from '../base/dictionary.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';

/** `com.example.stable.v1.CronTab` for version v1 of `stable.example.com`. */
export function definitionName(group: string, version: string, kind: string): string {
  return [...group.split('.').reverse(), version, kind].join('.');
}

/** The steps of a path such as `.spec.replicas`. */
export function stepsOf(path: string): readonly string[] {
  return (path.startsWith('.') ? path.slice(1) : path).split('.');
}

/** What stands at the end of the steps; undefined where a step leads nowhere. */
export function valueAt(object: JsonValue | undefined, steps: readonly string[]): JsonValue | undefined {
  let value = object;
  for (const step of steps) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    value = getOwn(value as { readonly [key: string]: JsonValue }, step);
  }
  return value;
}

/** The object with another value at the end of the steps; what lies between is made where it is missing. */
export function withValueAt(object: JsonObject, [step = '', ...rest]: readonly string[], value: JsonValue): JsonObject {
  if (rest.length === 0) return { ...object, [step]: value };
  const inner = getOwn(object, step);
  const below = typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? (inner as JsonObject) : {};
  return { ...object, [step]: withValueAt(below, rest, value) };
}
