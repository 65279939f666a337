/** The patches that controllers send, applied simply: JSON patch, merge, and of strategic merge what controllers use. */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { PatchType } from '../../contracts/request.ts';

const mergeKeys: { readonly [field: string]: string } = {
  ownerReferences: 'uid',
  conditions: 'type',
  containers: 'name',
  initContainers: 'name',
  taints: '',
};
const primitiveLists = ['finalizers'];
const deletePrefix = '$deleteFromPrimitiveList/';

export function applyPatch(object: JsonObject, patchType: PatchType, patch: JsonValue): JsonObject {
  if (patchType === 'json') return (patch as readonly JsonObject[]).reduce<JsonValue>(applyOperation, object) as JsonObject;
  return mergeObject(object, patch as JsonObject, patchType === 'strategic');
}

function mergeObject(target: JsonObject, patch: JsonObject, strategic: boolean): JsonObject {
  const result: { [key: string]: JsonValue } = { ...target };
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith('$setElementOrder/') || key === '$retainKeys') continue;
    if (key.startsWith(deletePrefix)) {
      const field = key.slice(deletePrefix.length);
      const left = ((result[field] ?? []) as readonly JsonValue[]).filter((item) => !(value as readonly JsonValue[]).includes(item));
      if (left.length > 0) result[field] = left;
      else delete result[field];
    } else if (value === null) delete result[key];
    else if (Array.isArray(value) && strategic)
      result[key] = mergeList(key, (result[key] ?? []) as readonly JsonValue[], value as readonly JsonValue[]);
    else if (typeof value === 'object' && !Array.isArray(value))
      result[key] = mergeObject((result[key] ?? {}) as JsonObject, value as JsonObject, strategic);
    else result[key] = value;
  }
  return result;
}

function mergeList(field: string, target: readonly JsonValue[], patch: readonly JsonValue[]): readonly JsonValue[] {
  if (primitiveLists.includes(field)) return [...target, ...patch.filter((item) => !target.includes(item))];
  const mergeKey = mergeKeys[field];
  if (!mergeKey) return patch;
  let result = target as readonly JsonObject[];
  for (const item of patch as readonly JsonObject[]) {
    const { $patch: directive, ...rest } = item;
    const position = result.findIndex((old) => old[mergeKey] === item[mergeKey]);
    if (directive === 'delete') result = result.filter((_, i) => i !== position);
    else if (position < 0) result = [...result, rest];
    else result = result.map((old, i) => (i === position ? mergeObject(old, rest, true) : old));
  }
  return result;
}

function applyOperation(document: JsonValue, operation: JsonObject): JsonValue {
  const path = String(operation['path']).split('/').slice(1);
  return at(
    document,
    path.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')),
    operation,
  );
}

function at(document: JsonValue, path: readonly string[], operation: JsonObject): JsonValue {
  const [head = '', ...rest] = path;
  const value = operation['value'] ?? null;
  if (Array.isArray(document)) {
    const list = [...(document as readonly JsonValue[])];
    const position = head === '-' ? list.length : Number(head);
    if (rest.length > 0) list[position] = at(list[position] ?? {}, rest, operation);
    else if (operation['op'] === 'add') list.splice(position, 0, value);
    else if (operation['op'] === 'remove') list.splice(position, 1);
    else if (operation['op'] === 'replace') list[position] = value;
    return list;
  }
  const result: { [key: string]: JsonValue } = { ...(document as JsonObject) };
  if (rest.length > 0) result[head] = at(result[head] ?? {}, rest, operation);
  else if (operation['op'] === 'remove') delete result[head];
  else if (operation['op'] !== 'test') result[head] = value;
  return result;
}
