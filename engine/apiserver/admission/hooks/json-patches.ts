/** JSON patches of webhooks and policies; what is wrong with one is said in the words of evanphx/json-patch. */
import { applyJsonPatch, pointerKeys } from '../../../apimachinery/patch/json-patch.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import { StatusError } from '../../../apimachinery/status.ts';
import { getOwn } from '../../../base/dictionary.ts';
import type { JsonObject, JsonValue } from '../../../base/json.ts';

/** Undefined where an operation does not apply. */
export function patchJson(document: JsonValue, operations: readonly JsonValue[]): JsonValue | undefined {
  try {
    return applyJsonPatch(document, operations);
  } catch (error) {
    if (error instanceof StatusError) return undefined;
    throw error;
  }
}

/** Why a patch does not apply. */
export function patchFault(document: JsonValue, operations: readonly JsonValue[]): string {
  let now = document;
  for (const operation of operations) {
    const next = patchJson(now, [operation]);
    if (next === undefined) return operationFault(now, operation as JsonObject);
    now = next;
  }
  return 'invalid state detected';
}

/** Whether what went wrong is that a `test` did not hold. */
export function isFailedTest(fault: string): boolean {
  return fault.endsWith(': test failed');
}

function operationFault(document: JsonValue, operation: JsonObject): string {
  const op = String(operation['op'] ?? 'unknown');
  const path = textOf(operation, 'path');
  const from = textOf(operation, 'from');
  switch (op) {
    case 'add':
      return placeFault(document, path, 'add') ?? `add operation does not apply: doc is missing path: "${path}": missing value`;
    case 'remove':
      return removalFault(document, path, 'remove') ?? `remove operation does not apply: doc is missing path: "${path}": missing value`;
    case 'replace':
      if (containerOf(document, path) === undefined) return `replace operation does not apply: doc is missing path: ${path}: missing value`;
      return placeFault(document, path, 'replace') ?? `replace operation does not apply: doc is missing key: ${path}: missing value`;
    case 'test':
      if (containerOf(document, path) === undefined) return `test operation does not apply: is missing path: ${path}: missing value`;
      return `testing value ${path} failed: test failed`;
    case 'move':
    case 'copy':
      if (operation['from'] === undefined) return `${op} operation failed to decode from: operation, missing from field: missing value`;
      if (containerOf(document, from) === undefined) return `${op} operation does not apply: doc is missing from path: ${from}: missing value`;
      return (
        (op === 'move' ? removalFault(document, from, 'move') : undefined) ??
        placeFault(document, path, op) ??
        `${op} operation does not apply: doc is missing destination path: ${path}: missing value`
      );
    default:
      return `Unexpected kind: ${op}`;
  }
}

/** Of adding to a container that is there. */
function placeFault(document: JsonValue, path: string, op: string): string | undefined {
  const container = containerOf(document, path);
  const key = keyOf(path);
  return Array.isArray(container) ? `error in ${op} for path: '${path}': ${indexFault(key)}` : undefined;
}

function removalFault(document: JsonValue, path: string, op: string): string | undefined {
  const container = containerOf(document, path);
  const key = keyOf(path);
  const shown = op === 'move' ? key : path;
  if (container === undefined) return undefined;
  const why = Array.isArray(container) ? indexFault(key) : `Unable to remove nonexistent key: ${key}: missing value`;
  return `error in ${op} for path: '${shown}': ${why}`;
}

function indexFault(key: string): string {
  if (/^-?[0-9]+$/.test(key)) return `Unable to access invalid index: ${key}: invalid index referenced`;
  return `value was not a proper array index: '${key}': strconv.Atoi: parsing ${goQuote(key)}: invalid syntax`;
}

function containerOf(document: JsonValue, path: string): JsonObject | readonly JsonValue[] | undefined {
  let found: JsonValue | undefined = document;
  for (const key of pointerKeys(path).slice(0, -1)) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = Array.isArray(found) ? (found as readonly JsonValue[])[Number(key)] : getOwn(found as JsonObject, key);
  }
  return typeof found === 'object' && found !== null ? (found as JsonObject | readonly JsonValue[]) : undefined;
}

function keyOf(path: string): string {
  return (path.split('/').at(-1) ?? '').replaceAll('~1', '/').replaceAll('~0', '~');
}

function textOf(object: JsonObject, name: string): string {
  const value = object[name];
  return typeof value === 'string' ? value : '';
}
