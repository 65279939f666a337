/** An object as people edit it, and back: what the server keeps for itself is left out, and values of Secrets can be hidden. */
import { isObject, type JsonObject, type JsonValue } from '../../engine/base/json.ts';
import { texts } from '../texts/texts.ts';
import { own } from './changes.ts';
import { writeYaml } from './yaml-write.ts';

const serversMetadata = ['resourceVersion', 'generation', 'managedFields'] as const;

export function isSecret(object: JsonObject): boolean {
  return object['kind'] === 'Secret' && object['apiVersion'] === 'v1';
}

/** Without versions, managed fields and status. */
export function editableOf(object: JsonObject): JsonObject {
  const { status: _, apiVersion = '', kind = '', ...rest } = object;
  const metadata = isObject(object['metadata']) ? object['metadata'] : {};
  const kept = Object.entries(metadata).filter(([name]) => !serversMetadata.some((one) => one === name));
  return { apiVersion, kind, ...rest, metadata: Object.fromEntries(kept) };
}

export function textOf(object: JsonObject, withValues: boolean): string {
  const editable = editableOf(object);
  return writeYaml(isSecret(object) && !withValues ? mapData(editable, (_, value) => hide(value)) : editable);
}

/** Hidden values that nobody touched become those of `base` again. */
export function unhidden(edited: JsonObject, base: JsonObject): JsonObject {
  const data = isObject(base['data']) ? base['data'] : {};
  return mapData(edited, (name, value) => {
    const before = own(data, name);
    return before !== undefined && value === hide(before) ? before : value;
  });
}

/** Data of a Secret as its size alone, for texts that people look at. */
export function withoutValues(object: JsonObject): JsonObject {
  return isSecret(object) ? mapData(object, (_, value) => (typeof value === 'string' ? texts.editor.sized(bytesOf(value)) : value)) : object;
}

function hide(value: JsonValue): JsonValue {
  return typeof value === 'string' ? texts.editor.hidden(bytesOf(value)) : value;
}

function bytesOf(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.max(0, Math.floor((base64.length * 3) / 4) - padding);
}

function mapData(object: JsonObject, change: (name: string, value: JsonValue) => JsonValue): JsonObject {
  const { data } = object;
  if (!isObject(data)) return object;
  return { ...object, data: Object.fromEntries(Object.entries(data).map(([name, value]) => [name, change(name, value)])) };
}
