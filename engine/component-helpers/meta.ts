/** Changes of an object's metadata that keep its canonical form: fields in schema order, map keys in byte order, nothing empty. */
import { setOwn } from '../base/dictionary.ts';
import type { ObjectMeta } from '../apimachinery/object.ts';

const order: readonly (keyof ObjectMeta)[] = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
];

type Changes = { readonly [K in keyof ObjectMeta]?: ObjectMeta[K] | undefined };

export function withMeta(metadata: ObjectMeta, changes: Changes): ObjectMeta {
  const result: Record<string, unknown> = {};
  for (const field of order) {
    const value = field in changes ? changes[field] : metadata[field];
    if (value === undefined || (typeof value === 'object' && Object.keys(value).length === 0)) continue;
    setOwn(result, field, value);
  }
  return result as ObjectMeta;
}

/** The map with its keys in byte order. */
export function sortedMap(map: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const result: Record<string, string> = {};
  for (const key of Object.keys(map).sort()) setOwn(result, key, map[key] ?? '');
  return result;
}
