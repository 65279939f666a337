/**
 * Strategic merge patches of old: what found nothing to merge with was taken as it stood, so that null in a map of texts became a text that says nothing,
 * and what was to be deleted from a list that is not there was put into it.
 * Mirrors mergeMap of k8s.io/apimachinery pkg/util/strategicpatch as release 1.13 has it.
 */
import { getOwn, setOwn } from '../../base/dictionary.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { FieldSchema, MessageSchema, SchemaRegistry } from '../schema.ts';

const command = '$patch';
const deletion = '$deleteFromPrimitiveList/';

/** The patch with such texts, and without what says in vain that something is to be deleted; the same one where there is nothing of it. */
export function withKeptNulls(original: JsonValue | undefined, patch: JsonValue, schema: MessageSchema, registry: SchemaRegistry): JsonValue {
  if (!isObject(patch) || (original !== undefined && Object.hasOwn(patch, command))) return patch;
  let changed = original === undefined ? withoutCommand(patch) : withMadeLists(original, patch);
  for (const { name, type, card, patchMergeKey } of fieldsOf(schema, registry)) {
    const value = getOwn(patch, name);
    const current = isObject(original) ? getOwn(original, name) : undefined;
    const next = isList(value)
      ? items(current, value, { type, mergeKey: patchMergeKey }, registry)
      : isObject(value)
        ? card === 'map'
          ? type === 'string' && current === undefined
            ? texts(value)
            : value
          : within(current, value, type, registry)
        : value;
    if (next === value || next === undefined) continue;
    if (changed === patch) changed = { ...patch };
    setOwn(changed as { [key: string]: JsonValue }, name, next);
  }
  return changed;
}

function fieldsOf(schema: MessageSchema, registry: SchemaRegistry): readonly FieldSchema[] {
  return schema.fields.flatMap((field) => {
    const inlined = field.inline === true && typeof field.type !== 'string' ? registry.get(field.type.message) : undefined;
    return inlined === undefined ? [field] : fieldsOf(inlined, registry);
  });
}

/** What commands where there is nothing is a member that nobody knows. */
function withoutCommand(patch: JsonObject): JsonObject {
  if (!Object.hasOwn(patch, command)) return patch;
  return Object.fromEntries(Object.entries(patch).filter(([key]) => key !== command));
}

/** Scalars that are to be deleted from a list that is not there are put into it. */
function withMadeLists(original: JsonValue, patch: JsonObject): JsonObject {
  const isMade = (key: string): boolean => {
    const name = key.slice(deletion.length);
    return key.startsWith(deletion) && isObject(original) && getOwn(original, name) === undefined && !Object.hasOwn(patch, name);
  };
  if (!Object.keys(patch).some(isMade)) return patch;
  return Object.fromEntries(Object.entries(patch).map(([key, value]) => [isMade(key) ? key.slice(deletion.length) : key, value]));
}

interface ListField {
  readonly type: FieldSchema['type'];
  readonly mergeKey: string | undefined;
}

function items(
  current: JsonValue | undefined,
  value: readonly JsonValue[],
  { type, mergeKey }: ListField,
  registry: SchemaRegistry,
): readonly JsonValue[] {
  const message = typeof type === 'string' ? undefined : registry.get(type.message);
  const known = isList(current) ? current : undefined;
  const next = value.map((item) => {
    const keyed = mergeKey === undefined ? item : withKey(item, mergeKey, type, registry);
    if (message === undefined || !isObject(keyed) || (known !== undefined && Object.hasOwn(keyed, command))) return keyed;
    const key = mergeKey === undefined ? undefined : getOwn(keyed, mergeKey);
    const found = key === undefined ? undefined : known?.find((other) => isObject(other) && getOwn(other, mergeKey ?? '') === key);
    return withKeptNulls(found, keyed, message, registry);
  });
  return next.some((item, index) => item !== value[index]) ? next : value;
}

/** The item of a list whose key is null: one that says nothing, which is found nowhere and added. */
function withKey(item: JsonValue, mergeKey: string, type: FieldSchema['type'], registry: SchemaRegistry): JsonValue {
  if (!isObject(item) || getOwn(item, mergeKey) !== null || Object.hasOwn(item, command) || typeof type === 'string') return item;
  const key = registry.get(type.message)?.fields.find(({ name }) => name === mergeKey);
  return { ...item, [mergeKey]: key?.type === 'string' ? '' : 0 };
}

function within(current: JsonValue | undefined, value: JsonObject, type: FieldSchema['type'], registry: SchemaRegistry): JsonValue {
  const message = typeof type === 'string' ? undefined : registry.get(type.message);
  return message === undefined ? value : withKeptNulls(current, value, message, registry);
}

function texts(map: JsonObject): JsonObject {
  if (Object.hasOwn(map, command) || Object.values(map).every((value) => value !== null)) return map;
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, value ?? '']));
}
