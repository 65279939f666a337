/** Schemas within schemas, which clients send with all their zeros over protobuf. */
import { expect, test } from 'vitest';
import { createSchemaRegistry } from '../../api/schemas.ts';
import type { CustomResourceDefinition } from '../../api/apiextensions/v1/types.gen.ts';
import { canonicalizerOf } from './canonicalize.ts';
import { createCodec } from './codec.ts';
import { unwrapEnvelope } from './envelope.ts';

const schemas = createSchemaRegistry([]);
const props = schemas.mustGet('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps');
const read = (value: object): object => canonicalizerOf(schemas).canonicalize(value, props);

test('are as canonical as what holds them', () => {
  const zeros = { type: 'string', id: '', title: '', nullable: false, 'x-kubernetes-int-or-string': false };
  expect(read({ type: 'array', items: zeros })).toEqual({ type: 'array', items: { type: 'string' } });
  expect(read({ items: [zeros, { items: zeros }] })).toEqual({ items: [{ type: 'string' }, { items: { type: 'string' } }] });
  expect(read({ type: 'object', additionalProperties: { ...zeros, properties: { a: zeros } } })).toEqual({
    type: 'object',
    additionalProperties: { type: 'string', properties: { a: { type: 'string' } } },
  });
  expect(read({ dependencies: { a: zeros, b: ['c'] } })).toEqual({ dependencies: { a: { type: 'string' }, b: ['c'] } });
  expect(read({ additionalProperties: false, additionalItems: true })).toEqual({ additionalItems: true, additionalProperties: false });
});

test('stay the very same where they are canonical', () => {
  const value = { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } } };
  expect(read(value)).toBe(value);
});

/** A definition with rules, as client-go writes it over protobuf. */
const withRules =
  'azhzAAozChdhcGlleHRlbnNpb25zLms4cy5pby92MRIYQ3VzdG9tUmVzb3VyY2VEZWZpbml0aW9uEt0DCi8KH3N0cnVjdHVyYWxzLm15Z3JvdXAuZXhhbXBsZS5jb20SABoAIgAqADIA' +
  'OABCABKbAwoTbXlncm91cC5leGFtcGxlLmNvbRodCgtzdHJ1Y3R1cmFscxIAIgpTdHJ1Y3R1cmFsKgAiB0NsdXN0ZXI62QIKB3YxYmV0YTEQARgBIsMCCsACCgASACIXQ1JEIHdpdGgg' +
  'Q0VMIHZhbGlkYXRvcnMqBm9iamVjdDIAOgBQAGAAegCQAQDqAYECCgRzcGVjEvgBCgASACIAKgZvYmplY3QyADoAUABgAHoAkAEA6gHQAQoHYmFja2VuZBLEAQoAEgAiACoFYXJyYXky' +
  'ADoAUABgAHoAgAFkkAEAwgGaAQqXAQoAEgAiACoGb2JqZWN0MgA6AFAAYAB6AJABALoBCHJlcGxpY2Fz6gExCghyZXBsaWNhcxIlCgASACIAKgdpbnRlZ2VyMgA6AFAAYAB6AJABAKgC' +
  'ALgCAMACAKgCALgCAMACAOICMQopMCA8PSBzZWxmLnJlcGxpY2FzICYmIHNlbGYucmVwbGljYXMgPD0gMTASABoAKgCoAgC4AgDAAgCoAgC4AgDAAgCoAgC4AgDAAgAqAgoAOABQABoM' +
  'EggKABIAIgAqACAAGgAiAA==';

test('have their rules one by one on the wire, as a Go client sends and reads them', () => {
  const codec = createCodec(schemas);
  const definition = schemas.mustGet('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition');
  const sent = new Uint8Array(Buffer.from(withRules, 'base64'));
  const { apiVersion, kind, raw } = unwrapEnvelope(sent);
  const read = codec.decodeProtobuf(raw, definition, { apiVersion, kind }) as CustomResourceDefinition & { apiVersion: string; kind: string };
  const rules = read.spec.versions?.[0]?.schema?.openAPIV3Schema?.properties?.['spec']?.properties?.['backend']?.items;
  expect(rules).toMatchObject({ 'x-kubernetes-validations': [{ rule: '0 <= self.replicas && self.replicas <= 10' }] });
  // Tag 44 of two bytes, the length of the rule itself, its first field.
  const again = Buffer.from(codec.encodeProtobuf(read, definition));
  expect(again.includes(Buffer.from([0xe2, 0x02, 0x31, 0x0a, 0x29]))).toBe(true);
});
