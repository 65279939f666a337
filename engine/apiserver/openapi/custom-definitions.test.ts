/** What each version says of a custom resource's schema. */
import { expect, it } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { makeCustomDefinition } from './custom-definitions.ts';
import { Descriptions } from './descriptions.ts';
import { dialectV2, dialectV3, refTo } from './dialect.ts';

const none = new Descriptions(() => undefined, []);

const typed = (dialect = dialectV2): JsonObject => ({
  apiVersion: { type: 'string' },
  kind: { type: 'string' },
  metadata: refTo(dialect, 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'),
});

it.each<[string, JsonObject, JsonObject]>([
  [
    'nullable fields lose their type and are not required',
    { type: 'object', required: ['a', 'b'], properties: { a: { type: 'string', nullable: true }, b: { type: 'string' } } },
    { type: 'object', required: ['b'], properties: { a: {}, b: { type: 'string' } } },
  ],
  [
    'junctors go',
    { type: 'object', properties: { a: { anyOf: [{ type: 'integer' }], type: 'string' } } },
    { type: 'object', properties: { a: { type: 'string' } } },
  ],
  [
    'lists without items have no type',
    { type: 'object', properties: { a: { type: 'array', nullable: false } } },
    { type: 'object', properties: { a: {} } },
  ],
  [
    'objects that keep unknown fields have none',
    { type: 'object', properties: { a: { type: 'object', properties: { x: {} }, 'x-kubernetes-preserve-unknown-fields': true } } },
    { type: 'object', properties: { a: { 'x-kubernetes-preserve-unknown-fields': true } } },
  ],
])('version 2: %s', (_name, schema, expected) => {
  expect(makeCustomDefinition(schema, dialectV2, none).schema).toEqual({
    ...expected,
    properties: { ...(expected['properties'] as JsonObject), ...typed() },
  });
});

it('says nothing in version 2 of an object that takes anything', () => {
  expect(
    makeCustomDefinition({ type: 'object', properties: { a: {} }, 'x-kubernetes-preserve-unknown-fields': true }, dialectV2, none).schema,
  ).toEqual({
    type: 'object',
  });
});

it('keeps all in version 3, and completes embedded objects', () => {
  const schema: JsonObject = {
    type: 'object',
    properties: { a: { nullable: true, anyOf: [{ type: 'string' }] }, pod: { type: 'object', 'x-kubernetes-embedded-resource': true } },
  };
  const { properties } = makeCustomDefinition(schema, dialectV3, none).schema;
  expect(properties).toEqual({
    a: { nullable: true, anyOf: [{ type: 'string' }] },
    pod: { type: 'object', 'x-kubernetes-embedded-resource': true, properties: typed(dialectV3), required: ['kind', 'apiVersion'] },
    ...typed(dialectV3),
  });
});

it('says less of an object inside an object, as upstream', () => {
  const more = 'More info: https://example.org/types#kinds';
  const said = new Map([
    ['apiVersion', `APIVersion defines the versioned schema of this representation of an object. Servers should convert. ${more}`],
    ['kind', `Kind is a string value representing the REST resource this object represents. ${more}`],
  ]);
  const descriptions = Object.assign(new Descriptions(() => undefined, []), { ofEveryObject: () => said });
  const inner: JsonObject = { type: 'object', 'x-kubernetes-embedded-resource': true };
  const { properties } = makeCustomDefinition({ type: 'object', properties: { pod: inner } }, dialectV3, descriptions).schema;
  expect(properties).toMatchObject({
    kind: { description: said.get('kind') },
    pod: {
      properties: {
        apiVersion: { description: `apiVersion defines the versioned schema of this representation of an object. ${more}` },
        kind: { description: `kind is a string value representing the type of this object. In CamelCase. ${more}` },
      },
    },
  });
});
