/**
 * Strategic merge patches of old: what found nothing to merge with was taken as it stood, so that null in a map of texts became a text that says nothing.
 * Mirrors mergeMap of k8s.io/apimachinery pkg/util/strategicpatch as release 1.13 has it.
 */
import { getOwn, setOwn } from '../../base/dictionary.ts';
import { isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { MessageSchema, SchemaRegistry } from '../schema.ts';

/** The patch with such texts; the same one where there are none. */
export function withKeptNulls(original: JsonValue | undefined, patch: JsonValue, schema: MessageSchema, registry: SchemaRegistry): JsonValue {
  if (!isObject(patch) || Object.hasOwn(patch, '$patch')) return patch;
  let changed: { [key: string]: JsonValue } | undefined;
  for (const { name, type, card } of schema.fields) {
    const value = getOwn(patch, name);
    if (!isObject(value)) continue;
    const current = isObject(original) ? getOwn(original, name) : undefined;
    const next = card === 'map' ? (type === 'string' && current === undefined ? texts(value) : value) : within(current, value, type, registry);
    if (next === value) continue;
    changed ??= { ...patch };
    setOwn(changed, name, next);
  }
  return changed ?? patch;
}

function within(
  current: JsonValue | undefined,
  value: JsonObject,
  type: MessageSchema['fields'][number]['type'],
  registry: SchemaRegistry,
): JsonValue {
  const message = typeof type === 'string' ? undefined : registry.get(type.message);
  return message === undefined ? value : withKeptNulls(current, value, message, registry);
}

function texts(map: JsonObject): JsonObject {
  if (Object.hasOwn(map, '$patch') || Object.values(map).every((value) => value !== null)) return map;
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, value ?? '']));
}
