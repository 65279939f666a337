/** Documents of version 2 of several servers, joined by the rules of kube-openapi's aggregator. */
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { mergeDocuments } from './openapi-merge.ts';

const path = (...definitions: readonly string[]): JsonObject => ({
  get: { responses: { 200: { schema: { anyOf: definitions.map((name) => ({ $ref: `#/definitions/${name}` })) } } } },
});
const gvk = (group: string, kind: string): JsonObject => ({ group, kind, version: 'v1' });
const own: JsonObject = {
  swagger: '2.0',
  info: { title: 'own' },
  paths: { '/api/v1/pods': path('Meta', 'Options') },
  definitions: {
    Meta: { type: 'object', properties: { name: { type: 'string' } } },
    Options: { type: 'object', 'x-kubernetes-group-version-kind': [gvk('', 'Options')] },
    Renamed: { type: 'object' },
  },
};
const prefix = '/apis/sample/v1/';

function joined(document: unknown): { readonly paths: JsonObject; readonly definitions: JsonObject; readonly parameters?: JsonObject } {
  return mergeDocuments(own, [{ prefix, document }]) as never;
}

test('what describes the group and version is taken, with what it names, and no more', () => {
  const document = {
    info: { title: 'other' },
    paths: { '/apis/sample/v1/toys': path('Toy'), '/apis/sample/v2/toys': path('New'), '/apis/sample/v10/': path('New'), '/version/': path('Info') },
    definitions: { Toy: { properties: { $ref: { $ref: '#/definitions/Part' } } }, Part: { type: 'string' }, New: {}, Info: {}, Loose: {} },
  };
  const merged = joined(document);
  expect(Object.keys(merged.paths)).toEqual(['/api/v1/pods', '/apis/sample/v1/toys']);
  expect(Object.keys(merged.definitions)).toEqual(['Loose', 'Meta', 'Options', 'Part', 'Renamed', 'Toy']);
  expect(merged).toMatchObject({ swagger: '2.0', info: { title: 'own' } });
});

test('what is described otherwise under the same name gets a name of its own, wherever it is named', () => {
  const meta = { type: 'object', properties: { uid: { type: 'string' } } };
  const document = {
    paths: { '/apis/sample/v1/toys': { ...path('Toy', 'Meta'), parameters: [{ $ref: '#/parameters/pretty' }] } },
    definitions: {
      Toy: { properties: { metadata: { $ref: '#/definitions/Meta' } }, default: { $ref: '#/definitions/Meta' }, example: '#/definitions/Meta' },
      Meta: meta,
    },
    parameters: { pretty: { in: 'query' } },
  };
  const merged = joined(document);
  expect(merged.definitions).toMatchObject({
    Meta: (own['definitions'] as JsonObject)['Meta'] as JsonObject,
    Meta_v2: meta,
    Toy: { properties: { metadata: { $ref: '#/definitions/Meta_v2' } }, default: { $ref: '#/definitions/Meta' } },
  });
  expect(merged.paths['/apis/sample/v1/toys']).toMatchObject(path('Toy', 'Meta_v2'));
  expect(merged.parameters).toEqual({ pretty: { in: 'query' } });
  // A second server that says what the first one said finds its name; a third one has one of its own.
  const third = { ...document, paths: { '/apis/third/v1/': path('Meta') }, definitions: { Meta: { type: 'array' } }, parameters: {} };
  const second = { ...document, paths: { '/apis/second/v1/': path('Meta') }, definitions: { Meta: meta } };
  const all = mergeDocuments(own, [
    { prefix, document },
    { prefix: '/apis/second/v1/', document: second },
    { prefix: '/apis/third/v1/', document: third },
  ]);
  expect(Object.keys(all['definitions'] as JsonObject)).toEqual(['Meta', 'Meta_v2', 'Meta_v3', 'Options', 'Renamed', 'Toy']);
  expect((all['paths'] as JsonObject)['/apis/third/v1/']).toEqual(path('Meta_v3'));
});

test('what is the same but for its kinds is of the kinds of both', () => {
  const document = {
    paths: { '/apis/sample/v1/toys': path('Options') },
    definitions: { Options: { type: 'object', 'x-kubernetes-group-version-kind': [gvk('sample', 'Options'), gvk('', 'Options')] } },
  };
  expect(joined(document).definitions['Options']).toEqual({
    type: 'object',
    'x-kubernetes-group-version-kind': [gvk('', 'Options'), gvk('sample', 'Options')],
  });
});

describe('what is no document changes nothing', () => {
  const deep = (depth: number): JsonValue => JSON.parse(`${'{"items":'.repeat(depth)}{}${'}'.repeat(depth)}`) as JsonValue;
  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['a list', []],
    ['no paths', { definitions: { Meta: {} } }],
    ['paths that are none', { paths: [] }],
    ['a nest', { paths: { '/apis/sample/v1/': { get: deep(900) } } }],
    ['a path of ours', { paths: { '/api/v1/pods': path('Toy') } }],
  ])('%s', (_name, document) => {
    expect(joined(document)).toEqual(own);
  });
});

test('names that every object inherits are names', () => {
  const document = JSON.parse(
    '{"paths":{"/apis/sample/v1/toys":{"get":{"schema":{"$ref":"#/definitions/__proto__"}}}},"definitions":{"__proto__":{"type":"string"},"constructor":{}}}',
  ) as unknown;
  const { definitions } = joined(document);
  expect(Object.keys(definitions)).toEqual(['Meta', 'Options', 'Renamed', '__proto__', 'constructor']);
  expect(Object.getPrototypeOf(definitions)).toBe(Object.prototype);
});
