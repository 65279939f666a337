/**
 * What the schema of a definition must satisfy, all of it. Mirrors validateCustomResourceDefinitionValidation and
 * ValidateCustomResourceSelectableFields of pkg/apis/apiextensions/validation of apiextensions-apiserver.
 */
import type { JSONSchemaProps, SelectableField } from '../../api/apiextensions/v1/types.gen.ts';
import {
  duplicate,
  type FieldError,
  type FieldErrorList,
  type FieldPath,
  forbidden,
  invalid,
  required,
  tooMany,
} from '../../apimachinery/field-errors.ts';
import { deepEqual } from '../../base/equal.ts';
import type { JsonValue } from '../../base/json.ts';
import { type DefaultRules, defaultFaults } from './default-rules.ts';
import { withPrunedDefaults } from './defaulting.ts';
import { FaultSink } from './fault-sink.ts';
import { followPath } from './field-path.ts';
import { internalForm, internalItems, membersSaid } from './internal-form.ts';
import { judgeKeyedItems } from './list-rules.ts';
import { schemaFaults, type SchemaRules } from './schema-rules.ts';
import { structuralFaults, unreadable } from './structural-rules.ts';
import { isSchema, structuralOf, type Structural } from './structural.ts';

export interface DefinitionRules extends SchemaRules {
  readonly requiresStructural: boolean;
  readonly defaults: DefaultRules;
}

const allowedAtRoot =
  'Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations';
const allowed: ReadonlySet<string> = new Set(allowedAtRoot.split(' '));

/** Faults of one version's schema. `path` is what holds `openAPIV3Schema`. */
export function validateSchema(schema: JSONSchemaProps, path: FieldPath, hasStatus: boolean, rules: DefinitionRules): FieldErrorList {
  const at = path.child('openAPIV3Schema');
  const out: FieldError[] = [];
  if (hasStatus) judgeRoot(schema, path, out);
  if (schema.nullable) out.push(forbidden(path.child('openAPIV3Schema.nullable'), 'nullable cannot be true at the root'));
  const unread = rules.requiresStructural ? unreadable(schema) : undefined;
  let isStructural = false;
  if (rules.requiresStructural && unread === undefined) {
    const structural = structuralOf(schema);
    const faults = structuralFaults(structural, at);
    const more = faults.length > 0 ? faults : defaultFaults(structural, at, rules.defaults);
    out.push(...more);
    isStructural = more.length === 0;
  }
  out.push(...schemaFaults(schema, at, rules, isStructural));
  return out.length === 0 && unread !== undefined ? [invalid(at, '', unread)] : out;
}

/** With a status of its own, the root may only say what does not get lost when `properties.status` is taken out of it. */
export function judgeRoot(schema: JSONSchemaProps, path: FieldPath, out: FieldError[]): void {
  for (const member of membersSaid(schema)) {
    if (member === 'Type') {
      if (schema.type === 'object') continue;
      const why = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
      return void out.push(invalid(path.child('openAPIV3Schema.type'), schema.type, why));
    }
    if (allowed.has(member)) continue;
    const why = `only [${allowedAtRoot}] fields are allowed at the root of the schema if the status subresource is enabled`;
    return void out.push(invalid(path.child('openAPIV3Schema'), internalForm(schema), why));
  }
}

const selectableMax = 8;
const selectableTypes = ['string', 'boolean', 'integer'];

/** `mayBeMany`: there were too many before, and they did not change. */
export function validateSelectableFields(
  fields: readonly SelectableField[],
  schema: Structural,
  path: FieldPath,
  mayBeMany: boolean,
): FieldErrorList {
  const out: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, { jsonPath = '' }] of fields.entries()) {
    const at = path.index(index).child('jsonPath');
    const found = jsonPath === '' ? undefined : followPath(jsonPath, schema, false);
    if (found === undefined) out.push(required(at));
    else if (typeof found === 'string') out.push(invalid(at, jsonPath, `is an invalid path: ${found}`));
    else {
      const [first = ''] = found.steps;
      if (first === 'metadata') out.push(invalid(at, jsonPath, 'must not point to fields in metadata'));
      const why = 'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
      if (!selectableTypes.includes(found.schema?.type ?? '')) out.push(invalid(at, jsonPath, why));
      const key = found.steps.join('.');
      if (seen.has(key)) out.push(duplicate(at, jsonPath));
      seen.add(key);
    }
  }
  if (seen.size > selectableMax && !mayBeMany) out.push(tooMany(path, seen.size, selectableMax));
  return out;
}

/** Whether a schema, or one of those within it, is such a one. */
export function someSchema(schema: JSONSchemaProps, isSuch: (one: JSONSchemaProps) => boolean): boolean {
  if (isSuch(schema)) return true;
  const { single, list } = internalItems(schema.items);
  const others = [schema.additionalProperties, schema.additionalItems, ...Object.values(schema.dependencies ?? {})].filter((one) =>
    isSchema(one as JsonValue),
  );
  const below: readonly (JSONSchemaProps | undefined)[] = [
    single,
    ...list,
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    schema.not,
    ...Object.values(schema.properties ?? {}),
    ...Object.values(schema.patternProperties ?? {}),
    ...Object.values(schema.definitions ?? {}),
    ...(others as JSONSchemaProps[]),
  ];
  return below.some((one) => one !== undefined && one !== null && someSchema(one, isSuch));
}

const knownTypes = ['', 'array', 'boolean', 'integer', 'number', 'object', 'string'];

export const isUnknownType = ({ type = '' }: JSONSchemaProps): boolean => !knownTypes.includes(type);
export const hasDefault = ({ default: value }: JSONSchemaProps): boolean => value !== undefined && value !== null;

export function isUnkeyed(schema: JSONSchemaProps, path: FieldPath): boolean {
  const out = new FaultSink();
  judgeKeyedItems(schema, path, out);
  return out.faults.length > 0;
}

/** A set whose items are not compared whole. */
export function isLooseSet(schema: JSONSchemaProps): boolean {
  const { single } = internalItems(schema.items);
  if (schema['x-kubernetes-list-type'] !== 'set' || single === undefined) return false;
  if (single.type === 'array') return (single['x-kubernetes-list-type'] ?? 'atomic') !== 'atomic';
  return single.type === 'object' && single['x-kubernetes-map-type'] !== 'atomic';
}

export function isStructural(schema: JSONSchemaProps, path: FieldPath): boolean {
  return unreadable(schema) === undefined && structuralFaults(structuralOf(schema), path).length === 0;
}

/** Whether a structural schema has defaults that name unknown fields. */
export function hasUnprunedDefaults(schema: JSONSchemaProps, path: FieldPath): boolean {
  if (!someSchema(schema, hasDefault) || !isStructural(schema, path)) return false;
  const structural = structuralOf(schema);
  return !sameDefaults(structural, withPrunedDefaults(structural));
}

function sameDefaults(a: Structural, b: Structural): boolean {
  if (a === b) return true;
  if (!deepEqual(a.default, b.default)) return false;
  const pairs: (readonly [unknown, unknown])[] = [
    [a.items, b.items],
    [a.additionalProperties, b.additionalProperties],
  ];
  for (const [name, property] of a.properties) pairs.push([property, b.properties.get(name)]);
  return pairs.every(([one, other]) => typeof one !== 'object' || one === null || sameDefaults(one as Structural, other as Structural));
}
