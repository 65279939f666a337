/**
 * Short sums of the documents in which a server of release 1.13 describes itself, without what it says in words: of OpenAPI of paths by
 * group and version and of definitions by package, in their order; of Swagger 1.2 by document.
 */
import { createHash } from 'node:crypto';
import type { JsonObject, JsonValue } from '../../../engine/base/json.ts';

/** Groups that this server alone has. */
const own = /(^|\.)(sim\.wavetank\.dev|kwok\.x-k8s\.io|metrics\.k8s\.io|snapshot\.storage\.k8s\.io|federation)$/;
const ownDefinition = /wavetank|\.x-k8s\.|\.kwok\.|metrics\.v1|storage\.snapshot|\.federation\.|meta\.v1\.Duration$/;

/** Gives the text of a document, JSON where it can be had so. */
export type Fetch113 = (path: string) => Promise<string>;

export async function sumsOf113(fetch: Fetch113): Promise<{ readonly [part: string]: string }> {
  return { ...openApiSums(parsed(await fetch('/openapi/v2'))), ...(await swaggerSums(fetch)) };
}

/** Where the server is found is no matter. */
async function swaggerSums(fetch: Fetch113): Promise<{ readonly [part: string]: string }> {
  const listing = parsed(await fetch('/swaggerapi'));
  const sums: [string, string][] = [['swagger', sum(withoutWords(listing))]];
  for (const { path } of listing['apis'] as readonly { readonly path: string }[]) {
    const { basePath: _, ...document } = parsed(await fetch(`/swaggerapi${path}`));
    sums.push([`swagger ${path}`, sum(withoutWords(document))]);
  }
  return Object.fromEntries(sums);
}

function parsed(text: string): JsonObject {
  return JSON.parse(text) as JsonObject;
}

function openApiSums(document: JsonObject): { readonly [part: string]: string } {
  const parts = new Map<string, JsonValue[]>();
  const add = (part: string, value: JsonValue): unknown => parts.set(part, [...(parts.get(part) ?? []), value]);
  const { paths = {}, definitions = {}, ...others } = document as { readonly [part: string]: JsonObject };
  for (const [path, item] of Object.entries(paths)) if (!own.test(path.split('/')[2] ?? '')) add(`paths ${baseOf(path)}`, [path, withoutWords(item)]);
  for (const [name, schema] of Object.entries(definitions))
    if (!ownDefinition.test(name)) add(`definitions ${name.slice(0, name.lastIndexOf('.'))}`, [name, withoutWords(schema)]);
  for (const [part, value] of Object.entries(others)) add(part, withoutWords(value));
  return Object.fromEntries([...parts].map(([part, all]) => [part, `${all.length} ${sum(all)}`]));
}

/** `/apis/apps/v1/`, `/api/`. */
function baseOf(path: string): string {
  return path
    .split('/')
    .slice(0, path.startsWith('/apis/') ? 4 : 3)
    .join('/');
}

/** Descriptions are texts, and what is called so in an object of names is none. */
function withoutWords(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).flatMap((one) => (isOwnKind(one) ? [] : [withoutWords(one)]));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key, inner]) => key !== 'description' || typeof inner !== 'string');
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutWords(inner)]));
}

function isOwnKind(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { group, kind } = value as JsonObject;
  return typeof kind === 'string' && typeof group === 'string' && own.test(group);
}

function sum(value: JsonValue): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 8);
}
