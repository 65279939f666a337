/** Short sums of the documents in which a server of release 1.36 describes itself: of all that it says, in both forms, what is equal is proved by little. */
import { createHash } from 'node:crypto';
import type { JsonObject } from '../../../engine/base/json.ts';

/** Gives the body of a document. */
export type Fetch = (path: string, accept: string) => Promise<Uint8Array>;

const json = 'application/json';
const protobufV3 = 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf';
/** Groups that this server alone has. */
const own = /(^|\.)(sim\.wavetank\.dev|kwok\.x-k8s\.io|metrics\.k8s\.io|snapshot\.storage\.k8s\.io)/;

/** By document: of version 3 the sum of the JSON and of the protobuf form, of version 2 (`v2 PART`) that of each part without groups of our own. */
export async function sumsOf(fetch: Fetch): Promise<{ readonly [document: string]: string }> {
  const { paths } = parsed(await fetch('/openapi/v3', json));
  const names = Object.keys(paths as JsonObject).filter((name) => !own.test(name.split('/')[1] ?? ''));
  const sums: [string, string][] = [];
  const known = new Set<string>();
  for (const name of names.sort()) {
    const [text, binary] = [await fetch(`/openapi/v3/${name}`, json), await fetch(`/openapi/v3/${name}`, protobufV3)];
    const { schemas } = parsed(text)['components'] as { readonly schemas?: JsonObject };
    for (const schema of Object.keys(schemas ?? {})) known.add(schema);
    sums.push([name, `${sum(text)} ${sum(binary)}`]);
  }
  for (const [part, value] of Object.entries(parsed(await fetch('/openapi/v2', json))))
    sums.push([`v2 ${part}`, sum(JSON.stringify(withoutOwn(part, value as JsonObject, known)))]);
  return Object.fromEntries(sums);
}

function withoutOwn(part: string, value: JsonObject, known: ReadonlySet<string>): unknown {
  if (part === 'paths') return Object.entries(value).filter(([path]) => !own.test(path.split('/')[2] ?? ''));
  if (part !== 'definitions') return value;
  const kinds = 'x-kubernetes-group-version-kind';
  const others = Object.entries(value as { readonly [name: string]: JsonObject }).filter(([name]) => known.has(name));
  return others.map(([name, { [kinds]: all, ...rest }]) => [
    name,
    rest,
    (all as readonly JsonObject[] | undefined)?.filter(({ group }) => !own.test(String(group))),
  ]);
}

function parsed(body: Uint8Array): JsonObject {
  return JSON.parse(new TextDecoder().decode(body)) as JsonObject;
}

function sum(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 8);
}
