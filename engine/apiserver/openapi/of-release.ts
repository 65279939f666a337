/** The document of OpenAPI v2 as a release wrote it: definitions under their former names, what is gone, what came later. */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { ReleaseOpenApi, Rewords } from '../../contracts/release-documents.ts';
import { dialectV2 } from './dialect.ts';
import { membersInOrder } from './member-order.ts';

export function asReleased(document: JsonObject, told: ReleaseOpenApi | undefined): JsonObject {
  if (told === undefined) return document;
  const { definitions = {}, ...others } = renamed(reworded(document, told.rewords ?? []), told.renamed) as {
    readonly definitions?: { readonly [name: string]: JsonObject };
  };
  const present = Object.fromEntries(
    Object.entries({ ...definitions, ...told.written }).map(([name, schema]) => [name, changed(name, schema, told)]),
  );
  const all = { ...present, ...aliasesOf(Object.keys(present), told) };
  const sorted = Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1));
  const {
    swagger = '',
    info = {},
    paths,
    ...rest
  } = others as { readonly swagger?: string; readonly info?: JsonObject; readonly paths?: JsonObject };
  const allPaths = Object.entries({ ...paths, ...told.morePaths }).sort(([a], [b]) => (a < b ? -1 : 1));
  return { swagger, info, paths: Object.fromEntries(allPaths), definitions: Object.fromEntries(sorted), ...rest };
}

/** With every reference and every key of a definition under its name of then. */
function renamed(value: JsonValue, names: ReleaseOpenApi['renamed']): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((one) => renamed(one, names));
  if (typeof value === 'string') {
    if (!value.startsWith(dialectV2.refPrefix)) return value;
    const then = names[value.slice(dialectV2.refPrefix.length)];
    return then === undefined ? value : dialectV2.refPrefix + then;
  }
  if (typeof value !== 'object' || value === null) return value;
  // What became two is one, and says what that one says.
  const known = Object.entries(value).filter(([key]) => !Object.hasOwn(names, key) || !Object.hasOwn(value, names[key] ?? key));
  return Object.fromEntries(known.map(([key, inner]) => [Object.hasOwn(names, key) ? (names[key] ?? key) : key, renamed(inner, names)]));
}

/** With what is described said as it was then. */
function reworded(value: JsonValue, rewords: Rewords): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((one) => reworded(one, rewords));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === 'description' && typeof inner === 'string'
        ? rewords.reduce((text, [now, then]) => text.replaceAll(now, then), inner)
        : reworded(inner, rewords),
    ]),
  );
}

function changed(name: string, schema: JsonObject, told: ReleaseOpenApi): JsonObject {
  const { required: _, description, ...plain } = told.merges === undefined ? schema : withoutMerges(name, schema, told.merges);
  const required = told.required?.[name] ?? schema['required'];
  const properties = propertiesOf(name, (plain['properties'] ?? {}) as { readonly [property: string]: JsonObject }, told);
  const isSaid = description !== undefined && told.silent?.[name]?.includes('') !== true;
  return membersInOrder({
    ...(isSaid ? { description } : undefined),
    ...plain,
    ...(required === undefined || (required as readonly JsonValue[]).length === 0 ? undefined : { required }),
    ...(properties.length === 0 ? undefined : { properties: Object.fromEntries(properties) }),
  });
}

type Property = readonly [string, JsonObject];

function propertiesOf(name: string, own: { readonly [property: string]: JsonObject }, told: ReleaseOpenApi): readonly Property[] {
  const fewer = told.fewerProperties[name];
  const silent = told.silent?.[name];
  const marks = told.marks?.[name];
  const all: Property[] = Object.entries({ ...own, ...(told.moreProperties[name] as typeof own | undefined) });
  const left = all.filter(([property]) => fewer?.includes(property) !== true).sort(([a], [b]) => (a < b ? -1 : 1));
  return left.map(([property, { description, ...schema }]) => {
    const isSaid = description !== undefined && silent?.includes(property) !== true;
    return [property, withReferenceLast(membersInOrder({ ...schema, ...(isSaid ? { description } : undefined), ...marks?.[property] }))];
  });
}

function withReferenceLast({ $ref, ...others }: JsonObject): JsonObject {
  return $ref === undefined ? others : { ...others, $ref };
}

const ofMerges: ReadonlySet<string> = new Set(['x-kubernetes-list-type', 'x-kubernetes-list-map-keys', 'x-kubernetes-map-type']);

/** As it was before types said how they are merged when applied. */
function withoutMerges(name: string, schema: JsonObject, merges: NonNullable<ReleaseOpenApi['merges']>): JsonObject {
  const { properties, type, 'x-kubernetes-map-type': _, ...others } = schema as JsonObject & { readonly properties?: JsonObject };
  const kept = type === undefined || type === 'object' ? others : { ...others, type };
  if (properties === undefined) return kept;
  const written = Object.entries(properties as { readonly [property: string]: JsonObject }).map(([property, inner]): Property => {
    if (merges[name]?.includes(property) === true) return [property, inner];
    return [property, Object.fromEntries(Object.entries(inner).filter(([member]) => !ofMerges.has(member)))];
  });
  return { ...kept, properties: Object.fromEntries(written) };
}

function aliasesOf(names: readonly string[], { aliases }: ReleaseOpenApi): JsonObject {
  const all: [string, JsonObject][] = [];
  for (const [former, { prefix, later }] of Object.entries(aliases)) {
    for (const name of names) {
      const short = name.slice(prefix.length);
      if (!name.startsWith(prefix) || later.includes(short)) continue;
      all.push([former + short, { description: `Deprecated. Please use ${name} instead.`, $ref: dialectV2.refPrefix + name }]);
    }
  }
  return Object.fromEntries(all);
}
