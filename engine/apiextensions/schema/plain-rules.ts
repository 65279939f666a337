/**
 * What the schema of a definition had to satisfy before schemas were structural. Mirrors ValidateCustomResourceDefinitionOpenAPISchema of release 1.13
 * (apiextensions-apiserver pkg/apis/apiextensions/validation).
 */
import type { JSONSchemaProps } from '../../api/apiextensions/v1/types.gen.ts';
import { evenEmpty, type FieldError, type FieldErrorList, type FieldPath, forbidden } from '../../apimachinery/field-errors.ts';
import type { JsonValue } from '../../base/json.ts';
import { judgeRoot } from './definition-validation.ts';
import { internalItems } from './internal-form.ts';
import { isSchema } from './structural.ts';

/** `path` is what holds `openAPIV3Schema`. */
export function plainSchemaFaults(schema: JSONSchemaProps, path: FieldPath, hasStatus: boolean): FieldErrorList {
  const out: FieldError[] = [];
  if (hasStatus) judgeRoot(schema, path, out);
  judge(schema, path.child('openAPIV3Schema'), out);
  return out;
}

function judge(schema: JSONSchemaProps, path: FieldPath, out: FieldError[]): void {
  for (const [member, why] of unsupportedIn(schema)) out.push(evenEmpty(forbidden(path.child(member), why)));
  if (schema.uniqueItems)
    out.push(forbidden(path.child('uniqueItems'), 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic'));
  const more = schema.additionalProperties as JsonValue | undefined;
  if (isSaid(more) && more !== true && Object.keys(schema.properties ?? {}).length > 0)
    out.push(forbidden(path.child('additionalProperties'), 'additionalProperties and properties are mutual exclusive'));
  for (const [below, at] of within(schema, path)) judge(below, at, out);
}

/** Members that no schema may have, in order. */
function unsupportedIn(schema: JSONSchemaProps): readonly (readonly [string, string])[] {
  const { default: value, id, additionalItems, patternProperties, definitions, dependencies, $ref: reference, type, items } = schema;
  const not = (member: string, isThere: boolean): readonly (readonly [string, string])[] => (isThere ? [[member, `${member} is not supported`]] : []);
  return [
    ...not('default', isSaid(value)),
    ...not('id', Boolean(id)),
    ...not('additionalItems', isSaid(additionalItems)),
    ...not('patternProperties', Object.keys(patternProperties ?? {}).length > 0),
    ...not('definitions', Object.keys(definitions ?? {}).length > 0),
    ...not('dependencies', isSaid(dependencies)),
    ...not('$ref', isSaid(reference)),
    ...(type === 'null' ? [['type', 'type cannot be set to null'] as const] : []),
    ...(internalItems(items).list.length > 0 ? [['items', 'items must be a schema object and not an array'] as const] : []),
  ];
}

/** The schemas that stand in one, with their places, in the order in which they are judged. */
function within(schema: JSONSchemaProps, path: FieldPath): readonly (readonly [JSONSchemaProps, FieldPath])[] {
  const one = (member: string, value: unknown): readonly (readonly [JSONSchemaProps, FieldPath])[] =>
    isSchema(value as JsonValue) ? [[value as JSONSchemaProps, path.child(member)]] : [];
  const keyed = (member: string, map: { readonly [key: string]: unknown } | undefined): readonly (readonly [JSONSchemaProps, FieldPath])[] =>
    Object.entries(map ?? {}).flatMap(([key, value]) => (isSchema(value as JsonValue) ? [[value as JSONSchemaProps, path.child(member).key(key)] as const] : [])); // biome-ignore format: one line
  const listed = (member: string, list: readonly JSONSchemaProps[] | undefined): readonly (readonly [JSONSchemaProps, FieldPath])[] =>
    (list ?? []).map((value, index) => [value, path.child(member).index(index)] as const);
  const { single, list } = internalItems(schema.items);
  return [
    ...one('additionalProperties', schema.additionalProperties),
    ...keyed('properties', schema.properties),
    ...keyed('patternProperties', schema.patternProperties),
    ...one('additionalItems', schema.additionalItems),
    ...one('not', schema.not),
    ...listed('allOf', schema.allOf),
    ...listed('oneOf', schema.oneOf),
    ...listed('anyOf', schema.anyOf),
    ...keyed('definitions', schema.definitions),
    ...one('items', single),
    ...listed('items', list),
    ...keyed('dependencies', schema.dependencies),
  ];
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null;
}
