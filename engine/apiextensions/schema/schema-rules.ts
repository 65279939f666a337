/**
 * What every schema of a definition must keep to, structural or not. Mirrors ValidateCustomResourceDefinitionOpenAPISchema of
 * pkg/apis/apiextensions/validation of apiextensions-apiserver.
 */
import type { JSONSchemaProps } from '../../api/apiextensions/v1/types.gen.ts';
import { evenEmpty, type FieldErrorList, type FieldPath, forbidden, invalid, notSupportedOf } from '../../apimachinery/field-errors.ts';
import type { JsonValue } from '../../base/json.ts';
import { FaultSink } from './fault-sink.ts';
import { internalItems } from './internal-form.ts';
import { judgeKeyedItems, judgeListKind, judgeMapKind } from './list-rules.ts';
import { judgeRuleTexts } from './rule-texts.ts';
import { isSchema } from './structural.ts';

/** What is looked at; a definition that is there already may break rules that came later. */
export interface SchemaRules {
  readonly requiresKnownTypes: boolean;
  readonly requiresAtomicSets: boolean;
  readonly requiresKeyedItems: boolean;
  /** Who judges the expressions of one schema. */
  ruleJudge?(schema: JSONSchemaProps): SchemaRuleJudge;
}

/** What expressions of `x-kubernetes-validations` must keep to. */
export interface SchemaRuleJudge {
  /** Asked where nothing else is wrong there or below. */
  judge(place: RulePlace): FieldErrorList;
  /** Of all together; `path` is the schema's. */
  total(path: FieldPath): FieldErrorList;
}

/** A schema that has rules, and how it is reached. */
export interface RulePlace {
  readonly schema: JSONSchemaProps;
  readonly path: FieldPath;
  readonly above: { readonly place: RulePlace; readonly by: 'property' | 'items' | 'additionalProperties'; readonly name: string } | undefined;
  /** The outermost schema within which old and new values cannot be told to belong together. */
  readonly uncorrelatedWithin: FieldPath | undefined;
}

interface Walk {
  readonly rules: SchemaRules;
  readonly judge: SchemaRuleJudge | undefined;
  readonly faults: FaultSink;
  readonly ruleFaults: FaultSink;
}

interface Context {
  readonly isRoot: boolean;
  /** Why no default may stand here. */
  readonly noDefaults: string | undefined;
  readonly isInMeta: boolean;
  readonly uncorrelatedWithin: FieldPath | undefined;
  /** Undefined within `allOf` and the like, and where the schema is not structural. */
  readonly place: RulePlace | undefined;
}

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const metaFields: ReadonlySet<string> = new Set(['metadata', 'kind', 'apiVersion']);

/** Faults of the schemas first, then of rules. `isStructural`: rules are judged. */
export function schemaFaults(schema: JSONSchemaProps, path: FieldPath, rules: SchemaRules, isStructural: boolean): FieldErrorList {
  const walk: Walk = { rules, judge: isStructural ? rules.ruleJudge?.(schema) : undefined, faults: new FaultSink(), ruleFaults: new FaultSink() };
  const place: RulePlace | undefined = isStructural ? { schema, path, above: undefined, uncorrelatedWithin: undefined } : undefined;
  judge(schema, path, { isRoot: true, noDefaults: undefined, isInMeta: false, uncorrelatedWithin: undefined, place }, walk);
  return [...walk.faults.faults, ...walk.ruleFaults.faults, ...(walk.judge?.total(path) ?? [])];
}

function judge(schema: JSONSchemaProps, path: FieldPath, context: Context, walk: Walk): void {
  const before = walk.faults.faults.length;
  judgeForbidden(schema, path, context, walk);
  if (schema.uniqueItems)
    walk.faults.push(forbidden(path.child('uniqueItems'), 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic'));
  judgeMembers(schema, path, context, walk);
  judgeBranches(schema, path, context, walk);
  judgeItems(schema, path, context, walk);
  if (schema['x-kubernetes-preserve-unknown-fields'] === false)
    walk.faults.push(invalid(path.child('x-kubernetes-preserve-unknown-fields'), false, 'must be true or undefined'));
  judgeMapKind(schema, path, walk.faults);
  judgeListKind(schema, path, walk.rules.requiresAtomicSets, walk.faults);
  if (walk.rules.requiresKeyedItems) judgeKeyedItems(schema, path, walk.faults);
  if (!schema['x-kubernetes-validations']?.length) return;
  judgeRuleTexts(schema, path, walk.faults);
  const { place } = context;
  if (walk.faults.faults.length === before && place !== undefined && walk.judge !== undefined) walk.ruleFaults.push(...walk.judge.judge(place));
}

function judgeForbidden(schema: JSONSchemaProps, path: FieldPath, { noDefaults, isInMeta }: Context, { rules, faults }: Walk): void {
  const never = (isSaid: boolean, member: string, why = `${member} is not supported`): void => {
    if (isSaid) faults.push(evenEmpty(forbidden(path.child(member), why)));
  };
  const { type = '', additionalItems, patternProperties, definitions, dependencies, items } = schema;
  if (rules.requiresKnownTypes && type !== '' && !types.includes(type)) faults.push(notSupportedOf(path.child('type'), type, types));
  never(isGiven(schema.default) && noDefaults !== undefined, 'default', `must not be set ${noDefaults ?? ''}`);
  never(Boolean(schema.id), 'id');
  never(isGiven(additionalItems), 'additionalItems');
  never(Object.keys(patternProperties ?? {}).length > 0, 'patternProperties');
  never(Object.keys(definitions ?? {}).length > 0, 'definitions');
  never(isGiven(dependencies as JsonValue | undefined), 'dependencies');
  never(isGiven(schema.$ref), '$ref');
  never(type === 'null', 'type', 'type cannot be set to null, use nullable as an alternative');
  never(Array.isArray(items) && items.length > 0, 'items', 'items must be a schema object and not an array');
  never(isInMeta && schema['x-kubernetes-embedded-resource'] === true, 'x-kubernetes-embedded-resource', 'must not be used inside of resource meta');
}

function isGiven(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null;
}

function judgeMembers(schema: JSONSchemaProps, path: FieldPath, context: Context, walk: Walk): void {
  const { additionalProperties } = schema;
  const properties = Object.entries(schema.properties ?? {});
  if (isGiven(additionalProperties)) {
    const at = path.child('additionalProperties');
    if (properties.length > 0 && additionalProperties !== true)
      walk.faults.push(forbidden(at, 'additionalProperties and properties are mutual exclusive'));
    const noDefaults = context.isInMeta ? 'inside additionalProperties applying to object metadata' : context.noDefaults;
    if (isSchema(additionalProperties))
      judge(
        additionalProperties as JSONSchemaProps,
        at,
        { ...inner(context), noDefaults, place: placeBelow(context, additionalProperties, at, 'additionalProperties') },
        walk,
      );
  }
  for (const [name, property] of properties) {
    const isMeta = (context.isRoot || schema['x-kubernetes-embedded-resource'] === true) && metaFields.has(name);
    const at = path.child('properties').key(name);
    const below: Context = {
      isRoot: false,
      noDefaults: isMeta && context.isRoot ? `in top-level ${name}` : context.noDefaults,
      isInMeta: context.isInMeta || isMeta,
      uncorrelatedWithin: context.uncorrelatedWithin,
      place: placeBelow(context, property as JsonValue, at, 'property', name),
    };
    judge(property, at, below, walk);
  }
}

function inner(context: Context): Context {
  return { ...context, isRoot: false };
}

function placeBelow(
  { place, uncorrelatedWithin }: Context,
  schema: JsonValue,
  path: FieldPath,
  by: NonNullable<RulePlace['above']>['by'],
  name = '',
): RulePlace | undefined {
  return place && { schema: schema as JSONSchemaProps, path, above: { place, by, name }, uncorrelatedWithin };
}

function judgeBranches(schema: JSONSchemaProps, path: FieldPath, context: Context, walk: Walk): void {
  const below: Context = { ...inner(context), place: undefined };
  if (schema.not) judge(schema.not, path.child('not'), below, walk);
  for (const member of ['allOf', 'oneOf', 'anyOf'] as const)
    for (const [index, one] of (schema[member] ?? []).entries()) judge(one, path.child(member).index(index), below, walk);
  for (const [name, one] of Object.entries(schema.definitions ?? {})) judge(one, path.child('definitions').key(name), below, walk);
  for (const [name, one] of Object.entries(schema.dependencies ?? {}))
    if (isSchema(one)) judge(one as JSONSchemaProps, path.child('dependencies').key(name), below, walk);
}

function judgeItems(schema: JSONSchemaProps, path: FieldPath, context: Context, walk: Walk): void {
  const uncorrelatedWithin = schema['x-kubernetes-list-type'] === 'map' ? context.uncorrelatedWithin : (context.uncorrelatedWithin ?? path);
  const at = path.child('items');
  const below = (one: JsonValue, where: FieldPath): Context => ({
    ...inner(context),
    uncorrelatedWithin,
    place: placeBelow({ ...context, uncorrelatedWithin }, one, where, 'items'),
  });
  const { single, list } = internalItems(schema.items);
  if (single !== undefined) judge(single, at, below(single as JsonValue, at), walk);
  for (const [index, one] of list.entries()) judge(one, at.index(index), below(one as JsonValue, at.index(index)), walk);
}
