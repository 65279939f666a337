/**
 * The annotation in which client-side `kubectl apply` keeps what it applied last. Server-side apply by kubectl may take over the
 * fields it names, and keeps it up to date. Mirrors lastappliedmanager.go and lastappliedupdater.go.
 */
import { goJson } from '../quote.ts';
import type { KubeObject } from '../object.ts';
import { isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { withSortedKeys } from '../serializer/key-order.ts';
import { totalAnnotationSizeLimit } from '../validation.ts';
import { type Comparer, toFieldSet } from './compare.ts';
import { difference, emptySet, type FieldSet } from './field-set.ts';
import { type TypeNode } from './types.ts';

export const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';

/** The fields that kubectl applied before and that nobody has changed since. */
export function fieldsOfLastApplied(live: KubeObject, apiVersion: string, type: TypeNode, comparer: Comparer): FieldSet | undefined {
  const text = live.metadata.annotations?.[lastAppliedAnnotation];
  if (!text) return undefined;
  const applied = parse(text);
  if (applied === undefined || applied['apiVersion'] !== apiVersion) return undefined;
  const changes = comparer.compare(applied, live as unknown as JsonObject, type);
  const own = toFieldSet(applied, type) ?? emptySet;
  return [changes?.modified, changes?.added, changes?.removed].reduce<FieldSet>(
    (set, part) => (part === undefined ? set : difference(set, part)),
    own,
  );
}

/** The annotation is text that anybody may have written: what does not parse counts as absent. */
function parse(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The object with its annotation telling the configuration just applied; the object itself where it has no such annotation. */
export function updateLastApplied(object: KubeObject, patch: JsonObject): KubeObject {
  const annotations = object.metadata.annotations;
  if (!annotations?.[lastAppliedAnnotation]) return object;
  const meta = isObject(patch['metadata']) ? patch['metadata'] : {};
  const { annotations: sent, ...bare } = meta;
  const applied = isObject(sent) ? Object.entries(sent).filter(([key]) => key !== lastAppliedAnnotation) : undefined;
  // Upstream reads annotations as a map of texts, in which null is an empty one.
  const kept = applied === undefined ? bare : { ...bare, annotations: Object.fromEntries(applied.map(([key, value]) => [key, value ?? ''])) };
  const clean = sent === undefined ? patch : { ...patch, metadata: kept };
  const next: { [key: string]: string } = { ...annotations, [lastAppliedAnnotation]: `${goJson(withSortedKeys(clean))}\n` };
  // What was merged is not typed yet: a value may be null.
  const size = Object.entries(next).reduce((sum, [key, value]) => sum + key.length + ((value as string | null)?.length ?? 0), 0);
  if (size <= totalAnnotationSizeLimit) return { ...object, metadata: { ...object.metadata, annotations: next } };
  const { [lastAppliedAnnotation]: _dropped, ...rest } = next;
  return { ...object, metadata: { ...object.metadata, annotations: rest } };
}
