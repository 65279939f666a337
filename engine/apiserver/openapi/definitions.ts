/** Message schemas as OpenAPI definitions, in both dialects, each made once. Mirrors the output of kube-openapi's openapi-gen. */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { FieldSchema, MessageSchema } from '../../apimachinery/schema.ts';
import { type Descriptions, withoutListedValues } from './descriptions.ts';
import { refTo, type Dialect } from './dialect.ts';
import { markedDefaults, markedUnions, withBareMetadata } from './markers.ts';
import { inlineTypes, namedTypes, specialDefinitions } from './special-types.ts';

export interface DefinitionOptions {
  readonly dialect: Dialect;
  readonly lookup: MessageLookup;
  readonly descriptions: Descriptions;
  /** Whether possible values of fields are listed. */
  readonly listsValues: boolean;
}

/** Finds a message by its definition name. */
export type MessageLookup = (name: string) => MessageSchema | undefined;

export interface Definition {
  readonly schema: JsonObject;
  /** Definitions that it names. */
  readonly refs: readonly string[];
}

export function makeDefinition(name: string, { dialect, lookup, descriptions, listsValues }: DefinitionOptions): Definition {
  const special = specialDefinitions.get(name);
  if (special !== undefined) return { schema: { ...describedAs(descriptions.of(name)?.text), ...special[dialect.version] }, refs: [] };
  const message = lookup(name);
  // A name without fields behind it is an object of which nothing more is known.
  if (message === undefined) return { schema: { type: 'object' }, refs: [] };
  const refs = new Set<string>();
  const fields = flatten(message, lookup);
  const defaults = dialect.version === 'v3' ? markedDefaults[name] : undefined;
  const unions = markedUnions[name];
  const described = descriptions.of(name);
  const ofObjects = fields.some((field) => field.name === 'apiVersion') ? descriptions.ofEveryObject() : undefined;
  const said = (text: string | undefined) => (text === undefined || listsValues ? text : withoutListedValues(text));
  const isBare = withBareMetadata.has(name);
  const ofField = (field: FieldSchema): string | undefined =>
    isBare && field.name === 'metadata' ? undefined : (field.description ?? said(described?.fields.get(field.name)) ?? ofObjects?.get(field.name));
  const properties: [string, JsonObject][] = fields.map((field) => [
    field.name,
    withBareReference({
      ...describedAs(ofField(field)),
      ...property(listsValues ? field : withoutValues(field), dialect, refs),
      ...defaultOf(defaults?.[field.name]),
    }),
  ]);
  const required = fields.filter((field) => field.required === true).map((field) => field.name);
  const schema: JsonObject = {
    ...describedAs(message.description ?? described?.text),
    ...(properties.length === 0 ? undefined : { properties: Object.fromEntries(properties.sort(byFirst)) }),
    ...(required.length === 0 ? undefined : { required }),
    type: 'object',
    ...(message.atomic === true ? { 'x-kubernetes-map-type': 'atomic' } : undefined),
    ...(unions === undefined ? undefined : { 'x-kubernetes-unions': [unions] }),
  };
  return { schema, refs: [...refs] };
}

/** All definitions that `names` need, sorted. */
export function closure(names: Iterable<string>, refsOf: (name: string) => readonly string[]): readonly string[] {
  const found = new Set(names);
  for (const name of found) for (const ref of refsOf(name)) found.add(ref);
  return [...found].sort();
}

/** JSON lays the fields of inline messages into the parent. */
export function flatten(message: MessageSchema, lookup: MessageLookup): readonly FieldSchema[] {
  return message.fields.flatMap((field) => {
    if (field.inline !== true || typeof field.type === 'string') return [field];
    const inner = lookup(field.type.message);
    return inner === undefined ? [] : flatten(inner, lookup);
  });
}

function withoutValues({ values: _, ...field }: FieldSchema): FieldSchema {
  return field;
}

function property(field: FieldSchema, dialect: Dialect, refs: Set<string>): JsonObject {
  return {
    ...shape(field, dialect, refs),
    ...(field.listMapKeys === undefined ? undefined : { 'x-kubernetes-list-map-keys': field.listMapKeys }),
    ...(field.listType === undefined ? undefined : { 'x-kubernetes-list-type': field.listType }),
    ...(field.mapType === undefined ? undefined : { 'x-kubernetes-map-type': field.mapType }),
    ...(field.patchMergeKey === undefined ? undefined : { 'x-kubernetes-patch-merge-key': field.patchMergeKey }),
    ...(field.patchStrategy === undefined ? undefined : { 'x-kubernetes-patch-strategy': field.patchStrategy }),
  };
}

function shape(field: FieldSchema, dialect: Dialect, refs: Set<string>): JsonObject {
  switch (field.card) {
    case 'one':
      return single(field, dialect, refs);
    case 'list':
      return { items: element(field, dialect, refs, true), type: 'array' };
    case 'map':
      return { additionalProperties: element(field, dialect, refs, true), type: 'object' };
    case 'mapOfLists':
      return { additionalProperties: { items: element(field, dialect, refs, true), type: 'array' }, type: 'object' };
  }
}

function single(field: FieldSchema, dialect: Dialect, refs: Set<string>): JsonObject {
  const { type, pointer, omitEmpty } = field;
  const schema = element(field, dialect, refs, !pointer && (typeof type !== 'string' || !omitEmpty));
  return dialect.version === 'v3' && schema['$ref'] !== undefined ? { allOf: [schema] } : schema;
}

/** Version 3 says what a value that cannot be absent is by default. */
function element({ type, values }: FieldSchema, dialect: Dialect, refs: Set<string>, hasDefault: boolean): JsonObject {
  const withDefault = hasDefault && dialect.version === 'v3';
  const inline = typeof type === 'string' ? inlineTypes[type] : undefined;
  if (inline !== undefined) {
    const plain = values === undefined ? inline : { ...inline, enum: values };
    return withDefault && type !== 'bytes' ? { default: zeroOf(inline), ...plain } : plain;
  }
  const name = typeof type === 'string' ? (namedTypes[type] ?? '') : type.message;
  refs.add(name);
  const ref = refTo(dialect, name);
  return withDefault && typeof type !== 'string' ? { allOf: [ref], default: {} } : ref;
}

/** What stands beside nothing needs no `allOf`. */
function withBareReference(property: JsonObject): JsonObject {
  const { allOf, ...others } = property;
  const [only] = Array.isArray(allOf) && Object.keys(others).length === 0 ? (allOf as readonly JsonObject[]) : [];
  return only ?? property;
}

function describedAs(description: string | undefined): JsonObject | undefined {
  return description === undefined || description === '' ? undefined : { description };
}

function defaultOf(value: JsonValue | undefined): JsonObject | undefined {
  return value === undefined ? undefined : { default: value };
}

function zeroOf(inline: JsonObject): JsonValue {
  if (inline['type'] === 'boolean') return false;
  return inline['type'] === 'string' ? '' : 0;
}

function byFirst(a: readonly [string, unknown], b: readonly [string, unknown]): number {
  return a[0] < b[0] ? -1 : 1;
}
