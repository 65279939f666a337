/** The document of OpenAPI v2 as a release wrote it: definitions under their former names, what is gone, what came later. */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { ReleaseOpenApi } from '../../contracts/release.ts';
import { dialectV2 } from './dialect.ts';

export function asReleased(document: JsonObject, told: ReleaseOpenApi | undefined): JsonObject {
  if (told === undefined) return document;
  const { definitions = {}, ...others } = renamed(document, told.renamed) as { readonly definitions?: { readonly [name: string]: JsonObject } };
  const present = Object.fromEntries(
    Object.entries({ ...definitions, ...told.written }).map(([name, schema]) => [name, changed(name, schema, told)]),
  );
  const all = { ...present, ...aliasesOf(Object.keys(present), told) };
  const sorted = Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1));
  const { paths } = others as { readonly paths?: JsonObject };
  const allPaths = Object.entries({ ...paths, ...told.morePaths }).sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...others, paths: Object.fromEntries(allPaths), definitions: Object.fromEntries(sorted) };
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
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [Object.hasOwn(names, key) ? (names[key] ?? key) : key, renamed(inner, names)]),
  );
}

function changed(name: string, schema: JsonObject, { moreProperties, fewerProperties }: ReleaseOpenApi): JsonObject {
  const more = moreProperties[name];
  const fewer = fewerProperties[name];
  if (more === undefined && fewer === undefined) return schema;
  const all = Object.entries({ ...(schema['properties'] as JsonObject | undefined), ...more });
  const left = all.filter(([property]) => fewer?.includes(property) !== true).sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...schema, properties: Object.fromEntries(left) };
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
