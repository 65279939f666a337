/**
 * JSON patch, RFC 6902, on immutable values: the result shares everything the operations leave alone. What a client reads when it
 * fails is what upstream's handler makes of the failure: 400 for no patch, 413 for too many operations, 422 for one that does not apply.
 */
import { newBadRequest, newGenericServerResponse, newRequestEntityTooLarge } from '../errors.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { deepEqual } from '../managed-fields/compare.ts';
import type { StatusError } from '../status.ts';

const maxOperations = 10_000;

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function doesNotApply(): StatusError {
  return newGenericServerResponse({ code: 422, verb: '' });
}

function parsePointer(value: JsonValue | undefined): readonly string[] {
  if (typeof value !== 'string') throw doesNotApply();
  if (value === '') return [];
  if (!value.startsWith('/')) throw doesNotApply();
  return value
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The place in a list; `size` stands for the end where adding is allowed. Negative indices count from the end, as upstream allows. */
function listIndex(key: string, size: number, adding: boolean): number {
  if (key === '-' && adding) return size;
  if (!/^-?[0-9]+$/.test(key)) throw doesNotApply();
  const index = Number(key) < 0 ? Number(key) + size + (adding ? 1 : 0) : Number(key);
  if (index < 0 || index > (adding ? size : size - 1)) throw doesNotApply();
  return index;
}

function get(value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  let current = value;
  for (const key of path) {
    if (isList(current)) current = current[listIndex(key, current.length, false)];
    else if (isObject(current) && Object.hasOwn(current, key)) current = current[key];
    else return undefined;
  }
  return current;
}

/** Rebuilds the containers along the path; `change` gets the innermost one and the last key. */
function rebuild(
  value: JsonValue | undefined,
  path: readonly string[],
  change: (container: JsonObject | readonly JsonValue[], key: string) => JsonValue,
): JsonValue {
  const [key = '', ...rest] = path;
  if (!isObject(value) && !isList(value)) throw doesNotApply();
  if (rest.length === 0) return change(value, key);
  if (isList(value)) {
    const index = listIndex(key, value.length, false);
    return value.with(index, rebuild(value[index], rest, change));
  }
  if (!Object.hasOwn(value, key)) throw doesNotApply();
  return { ...value, [key]: rebuild(value[key], rest, change) };
}

function add(document: JsonValue, path: readonly string[], value: JsonValue): JsonValue {
  if (path.length === 0) return value;
  return rebuild(document, path, (container, key) =>
    isList(container) ? container.toSpliced(listIndex(key, container.length, true), 0, value) : { ...(container as JsonObject), [key]: value },
  );
}

function remove(document: JsonValue, path: readonly string[]): JsonValue {
  if (path.length === 0) throw doesNotApply();
  return rebuild(document, path, (container, key) => {
    if (isList(container)) return container.toSpliced(listIndex(key, container.length, false), 1);
    if (!Object.hasOwn(container, key)) throw doesNotApply();
    return Object.fromEntries(Object.entries(container as JsonObject).filter(([name]) => name !== key));
  });
}

function replace(document: JsonValue, path: readonly string[], value: JsonValue): JsonValue {
  if (path.length === 0) return value;
  return rebuild(document, path, (container, key) => {
    if (isList(container)) return container.with(listIndex(key, container.length, false), value);
    if (!Object.hasOwn(container, key)) throw doesNotApply();
    return { ...(container as JsonObject), [key]: value };
  });
}

function applyOperation(document: JsonValue, operation: JsonObject): JsonValue {
  const path = parsePointer(operation['path']);
  const value = operation['value'] ?? null;
  switch (operation['op']) {
    case 'add':
      return add(document, path, value);
    case 'remove':
      return remove(document, path);
    case 'replace':
      return replace(document, path, value);
    case 'test':
      if (!deepEqual(get(document, path) ?? null, value)) throw doesNotApply();
      return document;
    case 'copy':
    case 'move': {
      const { from: origin } = operation;
      const start = parsePointer(origin);
      const source = get(document, start);
      if (source === undefined) throw doesNotApply();
      return add(operation['op'] === 'move' ? remove(document, start) : document, path, source);
    }
    default:
      throw doesNotApply();
  }
}

/** Throws StatusError. */
export function applyJsonPatch(original: JsonValue, patch: JsonValue): JsonValue {
  if (!isList(patch)) throw newBadRequest('json: cannot unmarshal object into Go value of type jsonpatch.Patch');
  if (patch.length > maxOperations)
    throw newRequestEntityTooLarge(`The allowed maximum operations in a JSON patch is ${maxOperations}, got ${patch.length}`);
  return patch.reduce<JsonValue>((document, operation) => {
    if (!isObject(operation)) throw newBadRequest('json: cannot unmarshal array into Go value of type jsonpatch.Operation');
    return applyOperation(document, operation);
  }, original);
}
