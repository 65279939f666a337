/** An object as people edit it, and back: what the server keeps for itself is left out, and values of Secrets can be hidden. */
import { isObject, type JsonObject, type JsonValue } from '../../engine/base/json.ts';
import { texts } from '../texts/texts.ts';
import { own } from './changes.ts';
import { writeYaml } from './yaml-write.ts';

/** In it `kubectl apply` keeps a copy of all that it was given, values too. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
const serversMetadata = ['resourceVersion', 'generation', 'managedFields'] as const;
/** An owner may be gone with it, and whoever finalizes it has done so. */
const givenMetadata = [
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
  'ownerReferences',
  'finalizers',
] as const;

/** Whether a text, of YAML or JSON, holds a Secret. */
export function namesSecret(text: string): boolean {
  return /^\s*"?kind"?:\s*["']?Secret\b/m.test(text);
}

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

/** Of an object that is gone, what another is made of: without what the server gave that one. */
export function newlyMade(object: JsonObject): JsonObject {
  const editable = editableOf(object);
  const metadata = isObject(editable['metadata']) ? editable['metadata'] : {};
  const kept = Object.entries(metadata).filter(([name]) => !givenMetadata.some((one) => one === name));
  return { ...editable, metadata: Object.fromEntries(kept) };
}

export function textOf(object: JsonObject, withValues: boolean): string {
  const editable = editableOf(object);
  return writeYaml(isSecret(object) && !withValues ? mapValues(editable, (_, value, bytes) => hide(value, bytes)) : editable);
}

/** All that there is, in the rules by which kubectl reads what is copied from it; managed fields and values of Secrets when asked for. */
export function shownText(object: JsonObject, managed: boolean, values: boolean): string {
  const { metadata, ...rest } = values ? object : withoutValues(object);
  const { managedFields, ...kept } = isObject(metadata) ? metadata : {};
  const { apiVersion = '', kind = '', ...others } = rest;
  return writeYaml({ apiVersion, kind, metadata: managed && managedFields !== undefined ? { ...kept, managedFields } : kept, ...others });
}

/** Hidden values that nobody touched become those of `base` again. */
export function unhidden(edited: JsonObject, base: JsonObject): JsonObject {
  const data = isObject(base['data']) ? base['data'] : {};
  const kept = annotationsOf(base);
  return mapValues(edited, (name, value, bytes) => {
    const before = own(bytes === bytesOf ? data : kept, name);
    return before !== undefined && value === hide(before, bytes) ? before : value;
  });
}

/** Data of a Secret as its size alone, for texts that people look at. */
export function withoutValues(object: JsonObject): JsonObject {
  return isSecret(object) ? mapValues(object, (_, value, bytes) => (typeof value === 'string' ? texts.editor.sized(bytes(value)) : value)) : object;
}

function hide(value: JsonValue, bytes: Measure): JsonValue {
  return typeof value === 'string' ? texts.editor.hidden(bytes(value)) : value;
}

function bytesOf(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.max(0, Math.floor((base64.length * 3) / 4) - padding);
}

type Measure = (value: string) => number;

function lengthOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

function annotationsOf({ metadata }: JsonObject): JsonObject {
  return isObject(metadata) && isObject(metadata['annotations']) ? metadata['annotations'] : {};
}

/** Each value of `data`, and of the annotation that has them all; with what tells its size. */
function mapValues(object: JsonObject, change: (name: string, value: JsonValue, bytes: Measure) => JsonValue): JsonObject {
  const { data, metadata } = object;
  const kept = own(annotationsOf(object), lastApplied);
  const annotations = kept === undefined ? {} : { annotations: { ...annotationsOf(object), [lastApplied]: change(lastApplied, kept, lengthOf) } };
  return {
    ...object,
    ...(isObject(metadata) ? { metadata: { ...metadata, ...annotations } } : {}),
    ...(isObject(data) ? { data: Object.fromEntries(Object.entries(data).map(([name, value]) => [name, change(name, value, bytesOf)])) } : {}),
  };
}
