/** The wire forms against upstream's own fully populated objects: decode each form, encode the others, byte for byte. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createSchemaRegistry } from '../../api/schemas.ts';
import type { MessageSchema } from '../schema.ts';
import { createCodec, unwrapEnvelope } from './codec.ts';
import { decodeJson, encodeJson } from './json.ts';
import { indentJson } from './json-indent.ts';
import { decodeYaml, encodeYaml } from './yaml.ts';

const folder = join(dirname(fileURLToPath(import.meta.url)), '../../../../shared/testdata/api-goldens');
const present = existsSync(folder);
if (!present) console.log(`skipped: ${folder} is not here (upstream's golden objects)`);
const names = present
  ? readdirSync(folder)
      .filter((file) => file.endsWith('.json'))
      .map((file) => file.slice(0, -5))
      .sort()
  : [];
const schemas = createSchemaRegistry();
const codec = createCodec(schemas);

/** `apps.v1.Deployment` or `networking.k8s.io.v1.Ingress` to the schema. */
function schemaOf(name: string): MessageSchema {
  const parts = name.split('.');
  const kind = parts.pop() as string;
  const version = parts.pop() as string;
  const group = parts[0] === 'internal' ? 'apiserverinternal' : parts[0];
  const meta = `io.k8s.apimachinery.pkg.apis.meta.v1.${kind}`;
  return schemas.get(`io.k8s.api.${group}.${version}.${kind}`) ?? schemas.mustGet(meta);
}

describe.skipIf(!present)('golden objects of release 1.36', () => {
  it('are all there', () => expect(names).toHaveLength(185));

  it.each(names)('%s', (name) => {
    const schema = schemaOf(name);
    const json = readFileSync(join(folder, `${name}.json`), 'utf8').trimEnd();
    const yaml = readFileSync(join(folder, `${name}.yaml`), 'utf8');
    const binary = new Uint8Array(readFileSync(join(folder, `${name}.pb`)));

    const fromJson = codec.decodeInto<{ apiVersion: string; kind: string }>(decodeJson(json).value, schema);
    expect(fromJson.unknownFields).toEqual([]);
    expect(indentJson(encodeJson(fromJson.object))).toBe(json);
    expect(Buffer.from(codec.encodeProtobuf(fromJson.object, schema)).toString('hex')).toBe(Buffer.from(binary).toString('hex'));
    expect(encodeYaml(fromJson.object)).toBe(yaml);

    const envelope = unwrapEnvelope(binary);
    expect(codec.decodeProtobuf(envelope.raw, schema, envelope)).toEqual(fromJson.object);
    expect(codec.decodeInto(decodeYaml(yaml).value, schema).object).toEqual(fromJson.object);
  });
});
