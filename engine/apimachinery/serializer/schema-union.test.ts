/** Schemas within schemas, which clients send with all their zeros over protobuf. */
import { expect, test } from 'vitest';
import { createSchemaRegistry } from '../../api/schemas.ts';
import { canonicalizerOf } from './canonicalize.ts';

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
