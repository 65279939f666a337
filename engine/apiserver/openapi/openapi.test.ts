/** The documents as clients ask for them: forms, caches, contents that kubectl relies on. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { deduced } from '../../apimachinery/managed-fields/types.ts';
import { defineKind } from '../../contracts/kind.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { encodeV3Document } from './proto-document-v3.ts';
import { noRelease } from '../non-resource.ts';
import { createOpenApiFixture } from './testing/server.ts';

const fixture = createOpenApiFixture();

function read(path: string): JsonObject {
  const response = fixture.get(path);
  return JSON.parse(String(response?.body)) as JsonObject;
}

function at(value: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((inner, key) => (inner as JsonObject | undefined)?.[key], value);
}

const v2 = read('/openapi/v2');
const core = read('/openapi/v3/api/v1');
const sim = read('/openapi/v3/apis/sim.wavetank.dev/v1alpha1');
const itemPath = '/api/v1/namespaces/{namespace}/pods/{name}';

describe('version 2', () => {
  it.each<[string, readonly string[], JsonValue]>([
    [
      'a kind says which it is',
      ['definitions', 'io.k8s.api.core.v1.Pod', 'x-kubernetes-group-version-kind'],
      [{ group: '', kind: 'Pod', version: 'v1' }],
    ],
    ['references', ['definitions', 'io.k8s.api.core.v1.Pod', 'properties', 'spec'], { $ref: '#/definitions/io.k8s.api.core.v1.PodSpec' }],
    ['required fields', ['definitions', 'io.k8s.api.apps.v1.DeploymentSpec', 'required'], ['selector', 'template']],
    [
      'merge keys',
      ['definitions', 'io.k8s.api.core.v1.Container', 'properties', 'ports'],
      {
        items: { $ref: '#/definitions/io.k8s.api.core.v1.ContainerPort' },
        type: 'array',
        'x-kubernetes-list-map-keys': ['containerPort', 'protocol'],
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-patch-merge-key': 'containerPort',
        'x-kubernetes-patch-strategy': 'merge',
      },
    ],
    ['numbers or text', ['definitions', 'io.k8s.apimachinery.pkg.util.intstr.IntOrString'], { format: 'int-or-string', type: 'string' }],
    ['ways to patch', ['paths', itemPath, 'patch', 'x-kubernetes-action'], 'patch'],
    ['kinds of paths', ['paths', itemPath, 'patch', 'x-kubernetes-group-version-kind'], { group: '', kind: 'Pod', version: 'v1' }],
  ])('%s', (_name, path, expected) => {
    expect(at(v2, ...path)).toEqual(expected);
  });

  it('says that dry run and field validation are known, beside the operation, and what many take once', () => {
    const parameters = at(v2, 'paths', itemPath, 'patch', 'parameters') as readonly JsonObject[];
    expect(parameters.flatMap((parameter) => parameter['name'] ?? [])).toEqual(['dryRun', 'fieldValidation']);
    const refs = parameters.flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref.split('/').slice(1)] : []));
    expect(refs.map((path) => (at(v2, ...path) as JsonObject)['name'])).toEqual(['body', 'fieldManager', 'force']);
  });

  it('has every definition that it names', () => {
    const names = new Set(Object.keys(v2['definitions'] as JsonObject));
    const named = [...JSON.stringify(v2).matchAll(/"#\/definitions\/([^"]+)"/g)].map(([, name]) => name ?? '');
    expect(named.filter((name) => !names.has(name))).toEqual([]);
  });

  it.each(['application/com.github.proto-openapi.spec.v2@v1.0+protobuf', 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf;q=0.9'])(
    'comes as %s',
    (accept) => {
      const response = fixture.get('/openapi/v2', { accept });
      expect(response?.headers['content-type']).toBe('application/com.github.proto-openapi.spec.v2.v1.0+protobuf');
      const bytes = response?.body as Uint8Array;
      expect([...bytes.subarray(0, 5)]).toEqual([0x0a, 3, ...new TextEncoder().encode('2.0')]);
      expect(new TextDecoder().decode(bytes)).toContain('- group: apps\n  kind: Deployment\n  version: v1\n');
    },
  );
});

describe('version 3', () => {
  it.each<[string, JsonObject, readonly string[], JsonValue]>([
    [
      'defaults of what is always there',
      core,
      ['components', 'schemas', 'io.k8s.api.core.v1.Pod', 'properties', 'spec'],
      { allOf: [{ $ref: '#/components/schemas/io.k8s.api.core.v1.PodSpec' }], default: {} },
    ],
    [
      'marked defaults',
      core,
      ['components', 'schemas', 'io.k8s.api.core.v1.ContainerPort', 'properties', 'protocol'],
      { type: 'string', default: 'TCP' },
    ],
    [
      'quantities',
      core,
      ['components', 'schemas', 'io.k8s.apimachinery.pkg.api.resource.Quantity'],
      { oneOf: [{ type: 'string' }, { type: 'number' }] },
    ],
    [
      'kinds of our own',
      sim,
      ['components', 'schemas', 'dev.wavetank.sim.v1alpha1.NodePool', 'x-kubernetes-group-version-kind'],
      [{ group: 'sim.wavetank.dev', kind: 'NodePool', version: 'v1alpha1' }],
    ],
    ['lists of them', sim, ['components', 'schemas', 'dev.wavetank.sim.v1alpha1.NodePoolList', 'required'], ['items']],
    ['ids', core, ['paths', '/api/v1/namespaces/{namespace}/pods', 'delete', 'operationId'], 'deleteCoreV1CollectionNamespacedPod'],
  ])('%s', (_name, document, path, expected) => {
    expect(at(document, ...path)).toEqual(expected);
  });

  it('names in its index where the documents are', () => {
    const index = read('/openapi/v3')['paths'] as JsonObject;
    expect(Object.keys(index)).toEqual(expect.arrayContaining(['api', 'api/v1', 'apis', 'apis/apps', 'apis/apps/v1', 'version']));
    for (const entry of Object.values(index)) expect(fixture.get(String(at(entry, 'serverRelativeURL')))?.status).toBe(200);
  });
});

describe('version 3 in protobuf', () => {
  it.each(['application/com.github.proto-openapi.spec.v3@v1.0+protobuf', 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf'])(
    'comes as %s, under the tag of the same document in JSON',
    (accept) => {
      const response = fixture.get('/openapi/v3/apis/apps/v1', { accept });
      expect(response?.headers['content-type']).toBe('application/com.github.proto-openapi.spec.v3.v1.0+protobuf');
      expect(response?.headers['etag']).toBe(fixture.get('/openapi/v3/apis/apps/v1')?.headers['etag']);
      expect([...(response?.body as Uint8Array).subarray(0, 7)]).toEqual([0x0a, 5, ...new TextEncoder().encode('3.0.0')]);
    },
  );

  it('is byte for byte what the real server makes of the same document', () => {
    const { json, protobuf } = JSON.parse(readFileSync(new URL('testing/v3-document.json', import.meta.url), 'utf8')) as {
      readonly json: JsonObject;
      readonly protobuf: string;
    };
    expect(Buffer.from(encodeV3Document(json)).toString('base64')).toBe(protobuf);
  });
});

describe('caches', () => {
  it.each(['/openapi/v2', '/openapi/v3/apis/apps/v1'])('%s need not be sent twice', (path) => {
    const etag = String(fixture.get(path)?.headers['etag']);
    expect(etag).toMatch(/^"[0-9A-F]{128}"$/);
    expect(fixture.get(path, { 'if-none-match': etag })).toMatchObject({ status: 304, body: '' });
  });

  it('says when a document was made, and does not send it to who has it since', () => {
    for (const path of ['/openapi/v2', '/openapi/v3', '/openapi/v3/apis/apps/v1']) {
      const made = 'Thu, 01 Jan 2026 00:00:00 GMT';
      expect(fixture.get(path)?.headers['last-modified']).toBe(made);
      expect(fixture.get(path, { 'if-modified-since': made })).toMatchObject({ status: 304, body: '' });
      expect(fixture.get(path, { 'if-modified-since': 'Wed, 31 Dec 2025 23:59:59 GMT' })?.status).toBe(200);
      expect(fixture.get(path, { 'if-modified-since': made, 'if-none-match': '"other"' })?.status).toBe(200);
    }
  });

  it('keeps a document for good under its hash and leads from an old hash to the new', () => {
    const url = String(at(read('/openapi/v3'), 'paths', 'apis/apps/v1', 'serverRelativeURL'));
    expect(fixture.get(url)?.headers['cache-control']).toContain('immutable');
    expect(fixture.get('/openapi/v3/apis/apps/v1?hash=OLD')).toMatchObject({ status: 301, headers: { location: url } });
  });

  it('follows the kinds', () => {
    const own = createOpenApiFixture();
    expect(own.get('/openapi/v3/apis/batch/v1')?.status).toBe(200);
    for (const plural of ['jobs', 'cronjobs']) own.server.registry.table.unregister({ group: 'batch', version: 'v1', plural }, false);
    expect(own.get('/openapi/v3/apis/batch/v1')).toMatchObject({ status: 404, body: '' });
  });
});

it('describes custom resources by their own schema', () => {
  const own = createOpenApiFixture({
    customSchema: (group) => (group === 'stable.example.com' ? { type: 'object', properties: { spec: { type: 'string' } } } : undefined),
  });
  own.server.registry.table.register(
    defineKind({
      group: 'stable.example.com',
      version: 'v1',
      kind: 'CronTab',
      plural: 'crontabs',
      singular: 'crontab',
      namespaced: true,
      storagePrefix: 'stable.example.com/crontabs',
      selectableFields: { 'spec.color': () => '', 'spec.size': () => '' },
      schema: { name: 'com.example.stable.v1.CronTab', fields: [], custom: { read: (object) => object, inOrder: (object) => object, type: deduced } },
    }),
  );
  const document = JSON.parse(String(own.get('/openapi/v3/apis/stable.example.com/v1')?.body)) as JsonObject;
  expect(Object.keys(at(document, 'components', 'schemas', 'com.example.stable.v1.CronTab', 'properties') as JsonObject)).toEqual([
    'apiVersion',
    'kind',
    'metadata',
    'spec',
  ]);
  expect(at(document, 'components', 'schemas', 'com.example.stable.v1.CronTabList', 'x-kubernetes-group-version-kind')).toEqual([
    { group: 'stable.example.com', kind: 'CronTabList', version: 'v1' },
  ]);
  for (const name of ['CronTab', 'CronTabList'])
    expect(at(document, 'components', 'schemas', `com.example.stable.v1.${name}`, 'x-kubernetes-selectable-fields')).toEqual([
      { fieldPath: 'spec.color' },
      { fieldPath: 'spec.size' },
    ]);
  // kubectl sends a strategic merge patch to whoever says that it takes one.
  const item = '/apis/stable.example.com/v1/namespaces/{namespace}/crontabs/{name}';
  const patchTypes = ['application/json-patch+json', 'application/merge-patch+json', 'application/apply-patch+yaml'];
  expect(Object.keys(at(document, 'paths', item, 'patch', 'requestBody', 'content') as JsonObject)).toEqual(patchTypes.toSorted());
  expect(document['info']).toEqual({ title: 'Kubernetes CRD Swagger', version: 'v0.1.0' });
  expect(own.get('/openapi/v3/apis/stable.example.com')).toMatchObject({ status: 404, body: '' });
  expect(Object.keys(document['paths'] as JsonObject).filter((path) => path.includes('/watch/') || path.endsWith('/v1/'))).toEqual([]);
  const collection = at(document, 'paths', item.replace('/{name}', ''), 'delete') as JsonObject;
  expect(collection['requestBody']).toBeUndefined();
  expect((collection['parameters'] as readonly JsonObject[]).map(({ name }) => name)).toContain('watch');
  expect((at(document, 'paths', item, 'get', 'parameters') as readonly JsonObject[]).map(({ name }) => name)).toEqual(['resourceVersion']);
  expect(at(document, 'components', 'schemas', 'com.example.stable.v1.CronTabList', 'description')).toBe('CronTabList is a list of CronTab');
  const second = JSON.parse(String(own.get('/openapi/v2')?.body)) as JsonObject;
  expect(at(second, 'paths', item, 'patch', 'consumes')).toEqual(patchTypes);
  expect(at(second, 'paths', item, 'get', 'produces')).toEqual(['application/json', 'application/yaml']);
});

it.each([
  ['/openapi/v2', 'text/html', 406],
  ['/openapi/v3/api/v1', 'text/html', 406],
  ['/openapi/v3/apis/none/v1', '*/*', 404],
  ['/openapi/v4', '*/*', undefined],
  ['/version', '*/*', undefined],
])('%s as %s', (path, accept, status) => {
  expect(fixture.get(path, { accept })?.status).toBe(status);
});

it('describes no parameter that a release does not read', () => {
  const own = createOpenApiFixture({ release: { ...noRelease, laterQueries: ['force'] } });
  const document = JSON.parse(String(own.get('/openapi/v3/api/v1')?.body)) as JsonObject;
  const parameters = at(document, 'paths', itemPath, 'patch', 'parameters') as readonly JsonObject[];
  expect(parameters.map(({ name }) => name)).toEqual(['dryRun', 'fieldManager', 'fieldValidation']);
});
