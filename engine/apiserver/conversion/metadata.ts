/** What a webhook that converts may change of an object's metadata: labels and annotations. Mirrors validateConvertedObject and restoreObjectMeta. */
import { aggregateText, root } from '../../apimachinery/field-errors.ts';
import { goTypeOf } from '../../apimachinery/go-value.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import { validateAnnotations, validateLabels } from '../../apimachinery/validation.ts';
import { getOwn } from '../../base/dictionary.ts';
import { isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { textAt } from './review.ts';

/** What is wrong with what came back, after the words that say who gave it. */
export class ConversionFault extends Error {}

type Texts = { readonly [name: string]: string };

/** Throws ConversionFault. */
export function withMetadataOf(original: KubeObject, converted: JsonObject): KubeObject {
  const metadata = getOwn(converted, 'metadata');
  const given = isObject(metadata) ? metadata : {};
  for (const [what, field] of identity) {
    const [wanted, got] = [original.metadata[field] ?? '', textAt(given, field)];
    if (wanted !== got) throw new ConversionFault(`returned invalid object: must have the same ${what}: ${wanted} != ${got}`);
  }
  const labels = mapOf(given, 'labels', original.metadata.labels);
  const annotations = mapOf(given, 'annotations', original.metadata.annotations);
  const { labels: _labels, annotations: _annotations, ...rest } = original.metadata;
  const kept = { ...rest, ...(labels === undefined ? {} : { labels }), ...(annotations === undefined ? {} : { annotations }) };
  return { ...converted, metadata: kept } as unknown as KubeObject;
}

const identity = [
  ['name', 'name'],
  ['namespace', 'namespace'],
  ['UID', 'uid'],
] as const;

function mapOf(given: JsonObject, field: 'labels' | 'annotations', before: Texts | undefined): Texts | undefined {
  const fault = (why: string): ConversionFault => new ConversionFault(`returned invalid metadata: ${why}`);
  const value = getOwn(given, field);
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) throw fault(`invalid metadata.${field} of type ${goTypeOf(value)} in converted object`);
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner !== 'string')
      throw fault(`metadata.${field}[${key}] must be a string, but is ${goTypeOf(inner as JsonValue)} in converted object`);
  }
  const next = value as Texts;
  const keys = Object.keys(next);
  const isAsBefore =
    keys.length === Object.keys(before ?? {}).length && keys.every((key) => before !== undefined && getOwn(before, key) === next[key]);
  if (isAsBefore) return next;
  // Upstream's path of annotations lacks the last letter.
  const faults = field === 'labels' ? validateLabels(next, root('metadata', 'labels')) : validateAnnotations(next, root('metadata', 'annotation'));
  if (faults.length > 0) throw fault(aggregateText(faults));
  return next;
}
