/**
 * Strategic merge patches of old: what found nothing to merge with was taken as it stood, so that null in a map of texts became a text that says nothing.
 * Mirrors mergeMap of k8s.io/apimachinery pkg/util/strategicpatch as release 1.13 has it.
 */
import { getOwn, setOwn } from '../../base/dictionary.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { MessageSchema, SchemaRegistry } from '../schema.ts';

/** The patch with such texts; the same one where there are none. */
export function withKeptNulls(original: JsonValue | undefined, patch: JsonValue, schema: MessageSchema, registry: SchemaRegistry): JsonValue {
  if (!isObject(patch) || Object.hasOwn(patch, '$patch')) return patch;
  let changed: { [key: string]: JsonValue } | undefined;
  for (const { name, type, card, patchMergeKey } of schema.fields) {
    const value = getOwn(patch, name);
    if (isList(value) && patchMergeKey !== undefined) {
      const items = value.map((item) => withKey(item, patchMergeKey, type, registry));
      if (items.some((item, index) => item !== value[index])) changed = { ...(changed ?? patch), [name]: items };
    }
    if (!isObject(value)) continue;
    const current = isObject(original) ? getOwn(original, name) : undefined;
    const next = card === 'map' ? (type === 'string' && current === undefined ? texts(value) : value) : within(current, value, type, registry);
    if (next === value) continue;
    changed ??= { ...patch };
    setOwn(changed, name, next);
  }
  return changed ?? patch;
}

/** The item of a list whose key is null: one that says nothing, which is found nowhere and added. */
function withKey(item: JsonValue, mergeKey: string, type: MessageSchema['fields'][number]['type'], registry: SchemaRegistry): JsonValue {
  if (!isObject(item) || getOwn(item, mergeKey) !== null || Object.hasOwn(item, '$patch') || typeof type === 'string') return item;
  const key = registry.get(type.message)?.fields.find(({ name }) => name === mergeKey);
  return { ...item, [mergeKey]: key?.type === 'string' ? '' : 0 };
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
