/** What the API server's own OpenAPI (version 3, or 2 of releases that have no other) says of a kind: the fields there are, what they take, what they are for. */
import type { FieldPath } from './changes.ts';
import { ApiError, request } from '../api/request.ts';

export interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-group-version-kind'?: readonly { readonly group: string; readonly version: string; readonly kind: string }[];
}

/** Version 3 of a group and version, or version 2 of all there is. */
interface OpenApi {
  readonly components?: { readonly schemas?: { readonly [name: string]: Schema } };
  readonly definitions?: { readonly [name: string]: Schema };
}

/** One kind. Schemas are told without references: what they refer to is in them, one level at a time. */
export class KindSchema {
  readonly #schemas: ReadonlyMap<string, Schema>;
  readonly root: Schema;

  constructor(schemas: ReadonlyMap<string, Schema>, root: Schema) {
    this.#schemas = schemas;
    this.root = this.resolve(root);
  }

  resolve(schema: Schema): Schema {
    const { $ref, allOf, ...outer } = schema;
    const inner = [...($ref === undefined ? [] : [this.#schemas.get($ref.slice($ref.lastIndexOf('/') + 1)) ?? {}]), ...(allOf ?? [])];
    // What stands nearer to the field says more of it than what it refers to.
    return inner.length === 0 ? schema : { ...inner.reduce<Schema>((all, one) => ({ ...all, ...this.resolve(one) }), {}), ...outer };
  }

  field(schema: Schema, name: string | number): Schema | undefined {
    if (typeof name === 'number') return schema.items && this.resolve(schema.items);
    const { properties = {}, additionalProperties } = schema;
    if (Object.hasOwn(properties, name)) return this.resolve(properties[name] as Schema);
    return typeof additionalProperties === 'object' ? this.resolve(additionalProperties) : undefined;
  }

  at(path: FieldPath): Schema | undefined {
    return path.reduce<Schema | undefined>((schema, part) => schema && this.field(schema, part), this.root);
  }
}

/** Whether any field is allowed beside those that are named. */
export function isOpen(schema: Schema): boolean {
  return (
    schema['x-kubernetes-preserve-unknown-fields'] === true ||
    schema['x-kubernetes-embedded-resource'] === true ||
    (schema.additionalProperties !== undefined && schema.additionalProperties !== false) ||
    schema.properties === undefined
  );
}

/** `integer`, `list of object`, `map of string`, `integer or string`. */
export function typeWords(kind: KindSchema, schema: Schema): string {
  if (schema['x-kubernetes-int-or-string'] || schema.format === 'int-or-string') return 'integer or string';
  if (schema.oneOf) return schema.oneOf.map(({ type }) => type ?? 'anything').join(' or ');
  if (schema.type === 'array') return `list of ${schema.items ? typeWords(kind, kind.resolve(schema.items)) : 'anything'}`;
  const { additionalProperties: values } = schema;
  if (schema.type === 'object' && typeof values === 'object') return `map of ${typeWords(kind, kind.resolve(values))}`;
  return schema.type ?? 'anything';
}

export interface Gvk {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

type Document = ReadonlyMap<string, Schema> | undefined;

/** Documents by their paths: each is fetched once in the life of a page. */
const documents = new Map<string, Promise<Document>>();

/** Undefined where the server tells no schema, or does not serve the kind. */
export async function loadKindSchema({ group, version, kind }: Gvk): Promise<KindSchema | undefined> {
  const own = await loadOnce(`/openapi/v3/${group === '' ? `api/${version}` : `apis/${group}/${version}`}`);
  const schemas = own ?? (await loadOnce('/openapi/v2'));
  if (schemas === undefined) return undefined;
  const isKind = (schema: Schema): boolean =>
    schema['x-kubernetes-group-version-kind']?.some((one) => one.group === group && one.version === version && one.kind === kind) === true;
  const root = [...schemas.values()].find((schema) => isKind(schema) && schema.properties?.['metadata'] !== undefined);
  return root && new KindSchema(schemas, root);
}

function loadOnce(path: string): Promise<Document> {
  let asked = documents.get(path);
  if (asked === undefined) {
    asked = loadDocument(path);
    documents.set(path, asked);
    // What failed is asked for again.
    asked.catch(() => documents.delete(path));
  }
  return asked;
}

async function loadDocument(path: string): Promise<Document> {
  try {
    const { components, definitions } = await request<OpenApi>(path);
    return new Map(Object.entries(components?.schemas ?? definitions ?? {}));
  } catch (error) {
    if (error instanceof ApiError && error.code === 404) return undefined;
    throw error;
  }
}
