/**
 * Records what protobuf form a real API server gives a document of version 3:
 *   node build/with-node.mjs engine/apiserver/openapi/testing/record-v3.ts SERVER TOKEN PROTO
 * where a kind Odd of wire.example.com/v1 is defined, and PROTO is OpenAPIv3.proto of gnostic-models. Of the document the schema of that
 * kind and one path are kept, without prose: what is not our own.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import protobuf from 'protobufjs';
import type { JsonObject, JsonValue } from '../../../base/json.ts';

const [server = '', token = '', proto = ''] = process.argv.slice(2);
const path = '/apis/wire.example.com/v1/namespaces/{namespace}/odds/{name}/scale';
const schema = 'com.example.wire.v1.Odd';
const source = readFileSync(proto, 'utf8')
  .replaceAll(/^import .*;$/gm, '')
  .replace('google.protobuf.Any value = 1;', 'bytes value = 1;');
const documents = protobuf.parse(source, { keepCase: true }).root.lookupType('openapi.v3.Document');

async function fetched(accept: string): Promise<Uint8Array> {
  const response = await fetch(`${server}/openapi/v3/apis/wire.example.com/v1`, { headers: { accept, authorization: `Bearer ${token}` } });
  return new Uint8Array(await response.arrayBuffer());
}

function withoutProse(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(withoutProse);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key, inner]) => key !== 'description' || typeof inner !== 'string');
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutProse(inner)]));
}

const decoder = new TextDecoder();
const whole = JSON.parse(decoder.decode(await fetched('application/json'))) as {
  paths: JsonObject;
  components: { schemas: JsonObject } & JsonObject;
};
const json = withoutProse({
  ...whole,
  paths: { [path]: whole.paths[path] ?? {} },
  components: { ...whole.components, schemas: { [schema]: whole.components.schemas[schema] ?? {} } },
});
interface Named {
  readonly name: string;
}
interface Read {
  readonly paths: { path: readonly Named[] };
  readonly components: { schemas: { additional_properties: readonly Named[] } };
}
const type = 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf';
const read = documents.toObject(documents.decode(await fetched(type)), { defaults: false, bytes: String }) as Read;
read.paths.path = read.paths.path.filter(({ name }) => name === path);
const { schemas } = read.components;
schemas.additional_properties = schemas.additional_properties.filter(({ name }) => name === schema);
const bytes = documents.encode(documents.fromObject(withoutProse(read as unknown as JsonValue) as JsonObject)).finish();
const kept = { json, protobuf: Buffer.from(bytes).toString('base64') };
writeFileSync(new URL('v3-document.json', import.meta.url), `${JSON.stringify(kept, null, 1)}\n`);
