/** Schemas and values that the real library was asked about. Its answers are kept in `facts.jsonl.gz`; `record.ts` writes them down. */
import type { CustomResourceColumnDefinition, JSONSchemaProps } from '../../../engine/api/apiextensions/v1/types.gen.ts';
import type { JsonValue } from '../../../engine/base/json.ts';
import { columnCases } from './column-cases.ts';
import { drawCase } from './draw.ts';
import { formatCases } from './format-cases.ts';

export interface Case {
  readonly name: string;
  readonly schema: JSONSchemaProps;
  readonly value: JsonValue;
  readonly old?: JsonValue;
  readonly columns?: readonly CustomResourceColumnDefinition[];
}

const ofSpec = (name: string, spec: JSONSchemaProps, value: JsonValue, old?: JsonValue): Case => ({
  name,
  schema: { type: 'object', properties: { spec } },
  value: { apiVersion: 'a.b/v1', kind: 'C', metadata: { name: 'x' }, spec: value },
  ...(old !== undefined && { old: { apiVersion: 'a.b/v1', kind: 'C', metadata: { name: 'x' }, spec: old } }),
});

const types = ['object', 'array', 'string', 'integer', 'number', 'boolean'];
const values: readonly JsonValue[] = [
  {},
  [],
  '',
  'a',
  0,
  1.5,
  12,
  1e21,
  9_007_199_254_740_992n,
  9_223_372_036_854_775_807n,
  true,
  null,
  { a: 1 },
  [1],
];

function* typeCases(): Iterable<Case> {
  for (const type of types)
    for (const value of values) yield ofSpec(`${type} of ${String(value)}`, { type, ...(type === 'array' && { items: { type: 'integer' } }) }, value);
  for (const value of values) yield ofSpec(`int or string of ${String(value)}`, { 'x-kubernetes-int-or-string': true }, value);
  for (const value of values) yield ofSpec(`nullable of ${String(value)}`, { type: 'string', nullable: true, enum: ['a', 'b'] }, value);
  for (const format of ['int32', 'int64', 'double', 'float', 'date', 'unheard-of'])
    for (const type of ['integer', 'number', 'string', 'boolean', 'array'])
      for (const value of ['a', 1, 1.5, 2 ** 31, 1e39, true, [1]] as const)
        yield ofSpec(`${type} ${format}`, { type, format, ...(type === 'array' && { items: { type: 'integer' } }) }, value as JsonValue);
}

function* numberCases(): Iterable<Case> {
  for (const type of ['integer', 'number'])
    for (const limit of [0, 1, 1.5, -3, 1e-5, 1e300])
      for (const value of [0, 1, 2, 1.5, -3, -4, 9_223_372_036_854_775_807n, 1e-5, 0.30000000000000004])
        for (const exclusive of [false, true]) {
          yield ofSpec('maximum', { type, maximum: limit, exclusiveMaximum: exclusive }, value);
          yield ofSpec('minimum', { type, minimum: limit, exclusiveMinimum: exclusive }, value);
        }
  for (const type of ['integer', 'number'])
    for (const multipleOf of [1, 2, 0.1, 0.5, 0, -1, 1.5])
      for (const value of [0, 1, 2, 0.3, 7.5, 1e-9]) yield ofSpec('multiple', { type, multipleOf }, value);
  for (const value of [1, 1.5, 65, 'A', 'B', true, null, [1], { a: [1] }, {}, 97n] as const)
    yield ofSpec('enum', { 'x-kubernetes-preserve-unknown-fields': true, enum: [1, 2.5, 'A', 'a', true, [1], { a: [1] }, null] }, value as JsonValue);
}

const branch: readonly JSONSchemaProps[] = [{ required: ['a'] }, { required: ['b'] }, { properties: { a: { minimum: 5 } } }];

function* branchCases(): Iterable<Case> {
  const properties = { a: { type: 'integer' }, b: { type: 'string' } };
  for (const value of [{}, { a: 1 }, { b: 'x' }, { a: 1, b: 'x' }, { a: 9, b: 'x' }, null] as const)
    for (const member of ['allOf', 'anyOf', 'oneOf'] as const) {
      yield ofSpec(member, { type: 'object', properties, [member]: branch }, value);
      yield ofSpec(`${member} in not`, { type: 'object', properties, not: { [member]: branch } }, value);
      yield ofSpec(`${member} in ${member}`, { type: 'object', properties, [member]: [{ [member]: branch }, { required: ['c'] }] }, value);
    }
}

function* shapeCases(): Iterable<Case> {
  const text = { type: 'string' };
  const map: JSONSchemaProps = {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k', 'l'],
    items: {
      type: 'object',
      required: ['k'],
      properties: { k: { type: 'string' }, l: { type: 'integer', default: 1 }, v: { type: 'string', maxLength: 1 } },
    } as JsonValue,
  };
  yield ofSpec('map keys', map, [{ k: 'a' }, { k: 'a', l: 1 }, { k: 'a' }, { k: 'a' }, { l: 1 }, {}, {}]);
  yield ofSpec('map of strangers', map, [{ k: 'a' }, 'x']);
  yield ofSpec('map with nulls', { ...map, items: { ...(map.items as object), nullable: true } as JsonValue }, [null, null, { k: 'a' }]);
  yield ofSpec(
    'map ratcheted',
    map,
    [
      { k: 'b', v: 'long' },
      { k: 'a', v: 'longer' },
      { k: 'c', v: 'long' },
    ],
    [
      { k: 'a', v: 'longer' },
      { k: 'b', v: 'long' },
    ],
  );
  yield ofSpec('list ratcheted', { type: 'array', items: text as JsonValue, maxItems: 1 }, [1, 2], [1, 2]);
  yield ofSpec('list changed', { type: 'array', items: text as JsonValue }, [1, 2, 'x'], [1, 2]);
  yield ofSpec('object ratcheted', { type: 'object', required: ['z'], properties: { a: text, z: text } }, { a: 1 }, { a: 1 });
  yield ofSpec(
    'unnamed fields are not followed',
    { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, required: ['z'], properties: { a: text } },
    { a: 1, b: 2 },
    { a: 1, b: 2 },
  );
  yield ofSpec('set', { type: 'array', 'x-kubernetes-list-type': 'set', items: { 'x-kubernetes-preserve-unknown-fields': true } as JsonValue }, [
    1,
    '1',
    1,
    null,
    null,
    { a: 1, b: 2 },
    { b: 2, a: 1 },
    [1],
    [1],
    true,
  ]);
  yield ofSpec('unique items', { type: 'array', uniqueItems: true, items: { 'x-kubernetes-preserve-unknown-fields': true } as JsonValue }, [
    { a: 1 },
    { a: 1 },
  ]);
  yield ofSpec(
    'additional',
    { type: 'object', additionalProperties: { type: 'integer', nullable: false } as JsonValue },
    { a: 'x', 'b.c': null, '': 1.5 },
  );
  yield ofSpec('additional none', { type: 'object', additionalProperties: false }, { a: 'x' });
  yield ofSpec(
    'deep unknown',
    { type: 'object', properties: { a: { type: 'array', items: { type: 'object', properties: { b: text } } as JsonValue } } },
    { a: [{ c: 1 }, [{ d: 1 }], { b: { e: 1 } }], 'x.y': { z: 1 } },
  );
  yield ofSpec(
    'keys of every object',
    { type: 'object', properties: { constructor: text, toString: { type: 'integer' } } as never },
    JSON.parse('{"constructor":1,"__proto__":{"a":1},"hasOwnProperty":2}') as JsonValue,
  );
  yield ofSpec(
    'defaults in lists',
    {
      type: 'array',
      items: {
        type: 'object',
        default: { a: 1 },
        properties: { a: { type: 'integer', default: 3 }, b: { type: 'object', default: {}, properties: { c: { type: 'string', default: 'd' } } } },
      } as JsonValue,
    },
    [null, {}, { a: null }, { b: null }],
  );
  yield ofSpec('defaults of members', { type: 'object', additionalProperties: { type: 'integer', default: 4 } as JsonValue }, { a: null, b: 1 });
}

function* embeddedCases(): Iterable<Case> {
  const embedded: JSONSchemaProps = { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true };
  const strict: JSONSchemaProps = {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } },
  };
  const metas: readonly JsonValue[] = [
    {},
    { name: 'a', unheard: 1 },
    { name: 'A B' },
    { name: 'a/b' },
    { namespace: 'UP', name: 'x' },
    { labels: { a: 1 } },
    { labels: { 'b b': 'x' }, annotations: { '': '' } },
    { creationTimestamp: null, name: 'a' },
    { creationTimestamp: 'yesterday' },
    { generation: -1, finalizers: ['x'] },
    { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u', extra: true }] },
    null,
    'x',
    [],
  ];
  for (const metadata of metas) {
    yield ofSpec('embedded', embedded, { apiVersion: 'v1', kind: 'Pod', metadata, more: 1 });
    yield ofSpec('embedded strict', strict, { apiVersion: 'v1', kind: 'Pod', metadata, spec: { a: 'x', b: 1 }, more: 1 });
  }
  for (const value of [
    {},
    { apiVersion: '', kind: '' },
    { apiVersion: 'a/b/c', kind: 'no kind' },
    { apiVersion: 1, kind: 'x' },
    { apiVersion: 'v1', kind: true },
    'x',
  ] as const)
    yield ofSpec('embedded types', embedded, value);
  yield ofSpec('embedded in a list', { type: 'array', items: embedded as JsonValue }, [{ kind: 'Pod', metadata: { x: 1 } }, { apiVersion: 'v1' }]);
  yield ofSpec('embedded in a map', { type: 'object', additionalProperties: embedded as JsonValue }, { a: { metadata: { x: 1, name: '..' } } });
}

export function* handWritten(): Iterable<Case> {
  yield* typeCases();
  yield* numberCases();
  yield* branchCases();
  yield* shapeCases();
  yield* embeddedCases();
  yield* formatCases(ofSpec);
  yield* columnCases();
}

export const drawnCount = 1_500;

export function* drawn(from: number, count: number): Iterable<Case> {
  for (let seed = from; seed < from + count; seed++) yield drawCase(seed);
}
