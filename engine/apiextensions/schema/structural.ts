/**
 * A schema of a custom kind, read once into what pruning, defaulting and validation ask of it. One form serves the structure and the value
 * validations nested in `allOf`, `anyOf`, `oneOf` and `not`: which of its parts may stand where is judged when a definition is written.
 * Mirrors pkg/apiserver/schema/structural.go and convert.go of apiextensions-apiserver.
 */
import type { JSONSchemaProps, ValidationRule } from '../../api/apiextensions/v1/types.gen.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { type Int64, toNumber } from '../../base/int64.ts';
import { type CompiledPattern, compilePattern } from '../../cel/patterns/program.ts';
import { PatternError } from '../../cel/patterns/syntax.ts';
import { enumOf, type EnumValues } from './enum-values.ts';
import { checkedFormat, formatsOfToday } from './formats.ts';

/** A pattern in Go's syntax. It is compiled when the first text is held against it. */
export interface SchemaPattern {
  readonly source: string;
  /** Undefined where the text matches; else what the pattern is, and why where it is none. */
  mismatch(text: string): string | undefined;
}

export interface ValueLimits {
  readonly maximum: number | undefined;
  readonly exclusiveMaximum: boolean;
  readonly minimum: number | undefined;
  readonly exclusiveMinimum: boolean;
  readonly multipleOf: number | undefined;
  readonly maxLength: number | undefined;
  readonly minLength: number | undefined;
  readonly maxItems: number | undefined;
  readonly minItems: number | undefined;
  readonly maxProperties: number | undefined;
  readonly minProperties: number | undefined;
  readonly uniqueItems: boolean;
}

export interface Structural {
  /** What it was read from: descriptions, titles, examples. */
  readonly props: JSONSchemaProps;
  /** Empty where none is said. */
  readonly type: string;
  /** What values may be: `type`, or integer and string for `x-kubernetes-int-or-string`. */
  readonly types: readonly string[];
  readonly nullable: boolean;
  /** Undefined where there is none; a default of null is none. */
  readonly default: JsonValue | undefined;
  readonly properties: ReadonlyMap<string, Structural>;
  /** Undefined where nothing is said about it. */
  readonly additionalProperties: Structural | boolean | undefined;
  readonly items: Structural | undefined;
  readonly preserveUnknownFields: boolean;
  readonly embeddedResource: boolean;
  readonly intOrString: boolean;
  readonly listType: string | undefined;
  readonly listMapKeys: readonly string[];
  readonly mapType: string | undefined;
  readonly validations: readonly ValidationRule[];
  /** As it was written. */
  readonly format: string;
  /** Empty where the release does not know it, or not for this type. */
  readonly checkedFormat: string;
  readonly pattern: SchemaPattern | undefined;
  readonly enum: EnumValues | undefined;
  readonly limits: ValueLimits;
  readonly required: readonly string[];
  readonly allOf: readonly Structural[];
  readonly anyOf: readonly Structural[];
  readonly oneOf: readonly Structural[];
  readonly not: Structural | undefined;
  /** Whether it, or something within its structure, has a default. */
  readonly hasDefaults: boolean;
  /** Whether it, or something within its structure, is an embedded resource. */
  readonly hasEmbedded: boolean;
  /** Whether it, or something within its structure, is a list of type set or map. */
  readonly hasKeyedLists: boolean;
  /** Whether it, or something within its structure, has rules. */
  readonly hasRules: boolean;
}

export interface StructuralOptions {
  /** Formats of texts that the release checks, without dashes. */
  readonly formats?: ReadonlySet<string>;
}

/** Reads a schema, whatever it says; parts that no valid definition has (`$ref`, `definitions`, lists of items) are left out. */
export function structuralOf(props: JSONSchemaProps, { formats = formatsOfToday }: StructuralOptions = {}): Structural {
  return read(props, formats);
}

function read(props: JSONSchemaProps, formats: ReadonlySet<string>): Structural {
  const nested = (list: readonly JSONSchemaProps[] | undefined): readonly Structural[] => (list ?? []).map((one) => read(one, formats));
  const type = props.type ?? '';
  const intOrString = props['x-kubernetes-int-or-string'] === true;
  const types = typesOf(type, intOrString);
  const properties = new Map(Object.entries(props.properties ?? {}).map(([name, one]) => [name, read(one, formats)]));
  const additionalProperties = isSchema(props.additionalProperties)
    ? read(props.additionalProperties, formats)
    : asBoolean(props.additionalProperties);
  const items = isSchema(props.items) ? read(props.items, formats) : undefined;
  const listType = props['x-kubernetes-list-type'];
  const below = [...properties.values(), ...(typeof additionalProperties === 'object' ? [additionalProperties] : []), ...(items ? [items] : [])];
  const embeddedResource = props['x-kubernetes-embedded-resource'] === true;
  const own = props.default ?? undefined;
  return {
    props,
    type,
    types,
    nullable: props.nullable === true,
    default: own,
    properties,
    additionalProperties,
    items,
    preserveUnknownFields: props['x-kubernetes-preserve-unknown-fields'] === true,
    embeddedResource,
    intOrString,
    listType,
    listMapKeys: props['x-kubernetes-list-map-keys'] ?? [],
    mapType: props['x-kubernetes-map-type'],
    validations: props['x-kubernetes-validations'] ?? [],
    format: props.format ?? '',
    checkedFormat: checkedFormat(props.format ?? '', types, formats),
    pattern: props.pattern ? patternOf(props.pattern) : undefined,
    enum: props.enum && props.enum.length > 0 ? enumOf(props.enum) : undefined,
    limits: limitsOf(props),
    required: props.required ?? [],
    allOf: nested(props.allOf),
    anyOf: nested(props.anyOf),
    oneOf: nested(props.oneOf),
    not: props.not ? read(props.not, formats) : undefined,
    hasDefaults: own !== undefined || below.some((one) => one.hasDefaults),
    hasEmbedded: embeddedResource || below.some((one) => one.hasEmbedded),
    hasRules: (props['x-kubernetes-validations'] ?? []).length > 0 || below.some((one) => one.hasRules),
    hasKeyedLists: listType === 'set' || listType === 'map' || below.some((one) => one.hasKeyedLists),
  };
}

/** The same schema with another default. */
export function withDefault(structural: Structural, value: JsonValue): Structural {
  return { ...structural, default: value ?? undefined };
}

function typesOf(type: string, intOrString: boolean): readonly string[] {
  if (intOrString) return ['integer', 'string'];
  return type === '' ? [] : [type];
}

function limitsOf(props: JSONSchemaProps): ValueLimits {
  const count = (value: Int64 | undefined | null): number | undefined => (value === undefined || value === null ? undefined : toNumber(value));
  return {
    maximum: count(props.maximum),
    exclusiveMaximum: props.exclusiveMaximum === true,
    minimum: count(props.minimum),
    exclusiveMinimum: props.exclusiveMinimum === true,
    multipleOf: count(props.multipleOf),
    maxLength: count(props.maxLength),
    minLength: count(props.minLength),
    maxItems: count(props.maxItems),
    minItems: count(props.minItems),
    maxProperties: count(props.maxProperties),
    minProperties: count(props.minProperties),
    uniqueItems: props.uniqueItems === true,
  };
}

function patternOf(source: string): SchemaPattern {
  let compiled: CompiledPattern | string | undefined;
  return {
    source,
    mismatch(text) {
      compiled ??= compiledOrFault(source);
      if (typeof compiled === 'string') return `${source}, but pattern is invalid: ${compiled}`;
      return compiled.test(text) ? undefined : source;
    },
  };
}

/** Why a pattern is none, in Go's words; undefined where it is one. */
export function patternFault(source: string): string | undefined {
  const compiled = compiledOrFault(source);
  return typeof compiled === 'string' ? compiled : undefined;
}

function compiledOrFault(source: string): CompiledPattern | string {
  try {
    return compilePattern(source);
  } catch (error) {
    if (error instanceof PatternError) return error.message;
    throw error;
  }
}

/** Whether a member that may be a schema or something else is one. */
export function isSchema(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asBoolean(value: JsonValue | undefined): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}
