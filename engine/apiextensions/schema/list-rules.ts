/** What `x-kubernetes-list-type`, `-list-map-keys` and `-map-type` ask of the schemas around them. Mirrors pkg/apis/apiextensions/validation. */
import type { JSONSchemaProps } from '../../api/apiextensions/v1/types.gen.ts';
import { type FieldError, type FieldPath, forbidden, invalid, notSupportedOf, required } from '../../apimachinery/field-errors.ts';
import { getOwn } from '../../base/dictionary.ts';
import { repeatsOf } from '../../base/repeats.ts';
import type { FaultSink } from './fault-sink.ts';
import { internalForm, internalItems } from './internal-form.ts';

type Faults = Pick<FaultSink, 'push'>;

export function judgeMapKind(schema: JSONSchemaProps, path: FieldPath, out: Faults): void {
  const kind = schema['x-kubernetes-map-type'];
  if (kind === undefined || kind === null) return;
  if (schema.type !== 'object') out.push(wrongType(schema, path, 'must be object if x-kubernetes-map-type is specified'));
  if (kind !== 'atomic' && kind !== 'granular') out.push(notSupportedOf(path.child('x-kubernetes-map-type'), kind, ['atomic', 'granular']));
}

function wrongType({ type = '' }: JSONSchemaProps, path: FieldPath, why: string): FieldError {
  return type === '' ? required(path.child('type'), why) : invalid(path.child('type'), type, why);
}

export function judgeListKind(schema: JSONSchemaProps, path: FieldPath, requiresAtomicSets: boolean, out: Faults): void {
  const kind = schema['x-kubernetes-list-type'] ?? undefined;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const at = path.child('x-kubernetes-list-type');
  const { single: items } = internalItems(schema.items);
  if (kind !== undefined && schema.type !== 'array') out.push(wrongType(schema, path, 'must be array if x-kubernetes-list-type is specified'));
  else if (requiresAtomicSets && kind === 'set' && items !== undefined) judgeSetItems(items, path.child('items'), out);
  if (kind !== undefined && !['atomic', 'set', 'map'].includes(kind)) out.push(notSupportedOf(at, kind, ['atomic', 'set', 'map']));
  if (keys.length > 0 && kind !== 'map') {
    const why = 'must be map if x-kubernetes-list-map-keys is non-empty';
    out.push(kind === undefined ? required(at, why) : invalid(at, kind, why));
  }
  if (kind === 'map') judgeMapKeys(schema, keys, path, out);
}

/** Items of sets are compared whole. */
function judgeSetItems(items: JSONSchemaProps, path: FieldPath, out: Faults): void {
  const why = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const kind = items['x-kubernetes-list-type'] ?? null;
  if (items.type === 'array' && kind !== null && kind !== 'atomic') out.push(invalid(path.child('x-kubernetes-list-type'), kind, why));
  if (items.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic') out.push(invalid(path.child('x-kubernetes-map-type'), kind, why));
}

function judgeMapKeys(schema: JSONSchemaProps, keys: readonly string[], path: FieldPath, out: Faults): void {
  const at = path.child('x-kubernetes-list-map-keys');
  const items = path.child('items');
  const { single, list } = internalItems(schema.items);
  if (keys.length === 0) out.push(required(at, 'must not be empty if x-kubernetes-list-type is map'));
  if (schema.items === undefined || schema.items === null) return out.push(required(items, 'must have a schema if x-kubernetes-list-type is map'));
  if (single === undefined) {
    const shown = { Schema: null, JSONSchemas: list.length === 0 ? null : list.map(internalForm) };
    return out.push(invalid(items, shown, 'must only have a single schema if x-kubernetes-list-type is map'));
  }
  if (single.type !== 'object')
    return out.push(invalid(items.child('type'), single.type ?? '', "must be object if parent array's x-kubernetes-list-type is map"));
  const repeats = repeatsOf(keys);
  for (const [place, key] of keys.entries()) {
    const property = getOwn(single.properties, key);
    if (property === undefined) out.push(invalid(at, keys, 'entries must all be names of item properties'));
    else if (property.type === 'array' || property.type === 'object')
      out.push(
        invalid(
          items.child('properties').key(key).child('type'),
          single.type,
          "must be a scalar type if parent array's x-kubernetes-list-type is map",
        ),
      );
    if (repeats.has(place)) out.push(invalid(at, keys, 'must not contain duplicate entries'));
  }
}

/** Items of sets and maps are never null, and keys are always there. */
export function judgeKeyedItems(schema: JSONSchemaProps, path: FieldPath, out: Faults): void {
  const kind = schema['x-kubernetes-list-type'];
  const { single } = internalItems(schema.items);
  if (single === undefined || (kind !== 'set' && kind !== 'map')) return;
  const items = path.child('items');
  if (single.nullable) out.push(forbidden(items.child('nullable'), `cannot be nullable when x-kubernetes-list-type is ${kind}`));
  if (kind !== 'map') return;
  const isRequired = new Set(single.required ?? []);
  for (const key of schema['x-kubernetes-list-map-keys'] ?? []) {
    const property = getOwn(single.properties, key);
    if (property === undefined) continue;
    const at = items.child('properties').key(key);
    const which = 'this property is in x-kubernetes-list-map-keys, so it';
    if (!isRequired.has(key) && (property.default === undefined || property.default === null))
      out.push(required(at.child('default'), `${which} must have a default or be a required property`));
    if (property.nullable) out.push(forbidden(at.child('nullable'), `${which} cannot be nullable`));
  }
}
