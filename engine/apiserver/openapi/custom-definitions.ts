/**
 * Definitions of custom resources, from the schema that their CustomResourceDefinition gives. Mirrors apiextensions-apiserver
 * pkg/controller/openapi/builder; version 2 loses what its readers cannot take.
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { Definition } from './definitions.ts';
import type { Descriptions } from './descriptions.ts';
import { refTo, type Dialect } from './dialect.ts';

const objectMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
const listMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta';
const text: JsonObject = { type: 'string' };
const preserve = 'x-kubernetes-preserve-unknown-fields';
const notInV2: ReadonlySet<string> = new Set(['allOf', 'oneOf', 'anyOf', 'not', 'nullable', 'default']);

export function makeCustomDefinition(schema: JsonObject, dialect: Dialect, descriptions: Descriptions): Definition {
  // Readers of version 2 would take any listed property for the only ones.
  if (dialect.version === 'v2' && schema[preserve] === true) return { schema: { type: 'object' }, refs: [] };
  const own = typeProperties(dialect, descriptions);
  const embedded = withEmbedded(dialect.version === 'v2' ? reduce(schema) : withEither(schema), dialect, own);
  return { schema: { ...embedded, properties: { ...objectOf(embedded['properties']), ...own } }, refs: [objectMeta] };
}

/** What a list of custom resources holds, and what it is of. */
export interface CustomList {
  readonly item: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
}

export function makeCustomList({ item, kind, listKind, plural }: CustomList, dialect: Dialect, descriptions: Descriptions): Definition {
  const { apiVersion = {}, kind: ofKind = {} } = typeProperties(dialect, descriptions);
  const said = descriptions.of('io.k8s.api.core.v1.PodList')?.fields.get('metadata');
  const [more = ''] = /More info: [^#]*/.exec(said ?? '') ?? [];
  const metadata = refTo(dialect, listMeta);
  const ofMetadata = said === undefined ? metadata : { description: said, ...(dialect.version === 'v3' ? { allOf: [metadata] } : metadata) };
  const items = { description: `List of ${plural}. ${more}`.trim(), type: 'array', items: refTo(dialect, item) };
  const schema = {
    description: `${listKind} is a list of ${kind}`,
    type: 'object',
    required: ['items'],
    properties: { apiVersion, items, kind: ofKind, metadata: ofMetadata },
  };
  return { schema, refs: [item, listMeta] };
}

function typeProperties(dialect: Dialect, descriptions: Descriptions): JsonObject {
  const said = descriptions.ofEveryObject();
  const described = (name: string): JsonObject => (said.has(name) ? { description: said.get(name) as string } : {});
  const metadata = refTo(dialect, objectMeta);
  // Version 3 says something beside a reference only where that stands in allOf.
  const own = dialect.version === 'v3' && said.has('metadata') ? { allOf: [metadata] } : metadata;
  return {
    apiVersion: { ...described('apiVersion'), ...text },
    kind: { ...described('kind'), ...text },
    metadata: { ...described('metadata'), ...own },
  };
}

/** A number or a text is said to be so in the words of version 3, too. */
function withEither(schema: JsonObject): JsonObject {
  const inner = mapSchemas(schema, withEither);
  return schema['x-kubernetes-int-or-string'] === true && schema['anyOf'] === undefined
    ? { ...inner, anyOf: [{ type: 'integer' }, { type: 'string' }] }
    : inner;
}

/** What of a schema version 2 can say. */
function reduce(schema: JsonObject): JsonObject {
  const untyped = schema['nullable'] === true || schema[preserve] === true;
  const out = Object.fromEntries(
    Object.entries(schema).filter(([key]) => !notInV2.has(key) && !(untyped && (key === 'items' || key === 'properties'))),
  );
  const nullables = Object.entries(objectOf(schema['properties']))
    .filter(([, inner]) => isNullable(inner))
    .map(([name]) => name);
  const required = isNullable(schema['additionalProperties']) ? [] : listOf(schema['required']).filter((name) => !nullables.includes(String(name)));
  const kept = { ...mapSchemas(out, reduce), required };
  const isBare =
    schema['nullable'] === true || (kept.type === 'array' && kept.items === undefined) || (schema[preserve] === true && kept.type === 'object');
  return Object.fromEntries(Object.entries(kept).filter(([key]) => !(key === 'type' && isBare) && !(key === 'required' && required.length === 0)));
}

/** Of an object inside an object upstream says less, in words of its own; where to read more is where that of every object is told. */
const insideWords: readonly (readonly [field: string, words: string])[] = [
  ['apiVersion', 'apiVersion defines the versioned schema of this representation of an object.'],
  ['kind', 'kind is a string value representing the type of this object. In CamelCase.'],
];

function insideOf(own: JsonObject): JsonObject {
  const told = insideWords.flatMap(([field, words]) => {
    const { description, ...rest } = objectOf(own[field]);
    if (typeof description !== 'string') return [];
    const [more = ''] = /More info: \S+$/.exec(description) ?? [];
    return [[field, { description: `${words} ${more}`.trim(), ...rest }] as const];
  });
  return { ...own, ...Object.fromEntries(told) };
}

/** Whole objects inside an object have kind, apiVersion and metadata, too. */
function withEmbedded(schema: JsonObject, dialect: Dialect, own: JsonObject): JsonObject {
  const inner = mapSchemas(schema, (part) => withEmbedded(part, dialect, own));
  if (schema['x-kubernetes-embedded-resource'] !== true || (dialect.version === 'v2' && schema[preserve] === true)) return inner;
  const required = new Set([...listOf(schema['required']), 'kind', 'apiVersion']);
  return { ...inner, properties: { ...objectOf(inner.properties), ...insideOf(own) }, required: [...required] };
}

type Branches = JsonObject & { readonly type?: JsonValue; readonly items?: JsonValue; readonly properties?: JsonValue };

function mapSchemas(schema: JsonObject, change: (part: JsonObject) => JsonObject): Branches {
  const { items, properties, additionalProperties } = schema;
  return {
    ...schema,
    ...(items === undefined ? undefined : { items: change(objectOf(items)) }),
    ...(properties === undefined
      ? undefined
      : { properties: Object.fromEntries(Object.entries(objectOf(properties)).map(([name, part]) => [name, change(objectOf(part))])) }),
    ...(typeof additionalProperties === 'object' ? { additionalProperties: change(objectOf(additionalProperties)) } : undefined),
  };
}

function isNullable(value: JsonValue | undefined): boolean {
  return objectOf(value)['nullable'] === true;
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}
