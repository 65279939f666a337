/** The adapter as a client on the wire sees it: codes, texts, media types, streams. */
import { describe, expect, it } from 'vitest';
import type { KubeletConnections } from '../contracts/connect.ts';
import { selfSubjectAccessReviewKind } from '../kinds/authorization/v1/self-subject-access-review.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { KindDefinition } from '../contracts/kind.ts';
import { cm, makeWire } from './testing/wire.ts';

const path = '/api/v1/namespaces/default/configmaps';

describe('errors', () => {
  const wire = makeWire();
  wire.send('POST', path, cm('a'));
  it.each<[string, string, string, string, Readonly<Record<string, string>>, number, string]>([
    ['unknown resource', 'GET', '/api/v1/foo', '', {}, 404, 'the server could not find the requested resource'],
    ['a group without a name', 'GET', '/apis//v1/namespaces', '', {}, 404, '404 page not found\n'],
    ['unknown group', 'GET', '/apis/foo.io/v1/foo', '', {}, 404, '404 page not found\n'],
    ['unknown object', 'GET', `${path}/x`, '', {}, 404, 'configmaps \\"x\\" not found'],
    ['wrong method', 'PUT', path, '', {}, 405, 'the server does not allow this method on the requested resource'],
    ['namespace of a cluster object', 'GET', '/api/v1/namespaces/default/nodes', '', {}, 404, 'could not find'],
    ['broken body', 'POST', path, '{', {}, 400, 'the object provided is unrecognized (must be of type ConfigMap)'],
    [
      'another kind',
      'POST',
      path,
      '{"kind":"Foo","apiVersion":"v1"}',
      {},
      400,
      'Foo in version \\"v1\\" cannot be handled as a ConfigMap: no kind \\"Foo\\" is registered',
    ],
    [
      'another version',
      'POST',
      path,
      '{"kind":"ConfigMap","apiVersion":"v2"}',
      {},
      400,
      String.raw`ConfigMap in version \"v2\" cannot be handled as a ConfigMap: no kind \"ConfigMap\" is registered for version \"v2\" in scheme`,
    ],
    [
      'wrong type',
      'POST',
      path,
      '{"kind":"ConfigMap","apiVersion":"v1","data":{"a":1}}',
      {},
      400,
      'ConfigMap in version \\"v1\\" cannot be handled as a ConfigMap',
    ],
    [
      'unknown field',
      'POST',
      `${path}?fieldValidation=Strict`,
      '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"z"},"foo":1}',
      {},
      400,
      'strict decoding error: unknown field \\"foo\\"',
    ],
    [
      'faults in the order of the document',
      'POST',
      `${path}?fieldValidation=Strict`,
      '{"kind":"ConfigMap","apiVersion":"v1","foo":1,"data":{"a":"b"},"data":{},"bar":2}',
      {},
      400,
      'strict decoding error: unknown field \\"foo\\", duplicate field \\"data\\", unknown field \\"bar\\"',
    ],
    [
      'another namespace',
      'POST',
      path,
      '{"metadata":{"name":"z","namespace":"other"}}',
      {},
      400,
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
    ['bad dryRun', 'POST', `${path}?dryRun=Some`, cm('z'), {}, 422, 'supported values: \\"All\\"'],
    [
      'unknown media type',
      'POST',
      path,
      cm('z'),
      { 'content-type': 'text/csv' },
      415,
      'the body of the request was in an unknown format - accepted media types include: application/json',
    ],
    ['unknown patch type', 'PATCH', `${path}/a`, '{}', { 'content-type': 'application/json' }, 415, '"415: Unsupported Media Type"'],
    ['two patch types', 'PATCH', `${path}/a`, '{}', { 'content-type': 'application/merge-patch+json,x' }, 415, 'application/json-patch+json'],
    ['apply without manager', 'PATCH', `${path}/a`, '{}', { 'content-type': 'application/apply-patch+yaml' }, 422, 'is required for apply patch'],
    [
      'nothing acceptable',
      'GET',
      path,
      '',
      { accept: 'text/html' },
      406,
      '406: Not Acceptable\\n\\nAvailable representations: application/json, application/yaml',
    ],
    [
      'nothing acceptable of a route',
      'GET',
      path,
      '',
      { accept: 'application/json;as=Table;g=x;v=v1' },
      406,
      'only the following media types are accepted: application/json',
    ],
    ['bad limit', 'GET', `${path}?limit=x`, '', {}, 400, 'strconv.ParseInt: parsing \\"x\\": invalid syntax'],
    ['too large a limit', 'GET', `${path}?limit=9223372036854775808`, '', {}, 400, 'parsing \\"9223372036854775808\\": value out of range'],
    ['bad label selector', 'GET', `${path}?labelSelector=a%3D%3D%3Db`, '', {}, 400, 'unable to parse requirement'],
    [
      'bad field',
      'GET',
      `${path}?fieldSelector=data.a%3Db`,
      '',
      {},
      400,
      'is not a known field selector: only \\"metadata.name\\", \\"metadata.namespace\\"',
    ],
    ['unknown subresource', 'POST', '/api/v1/namespaces/default/pods/p/nothing', '{}', {}, 404, 'the server could not find the requested resource'],
    ['exec', 'POST', '/api/v1/namespaces/default/pods/p/exec', '', {}, 404, 'pods \\"p\\" not found'],
  ])('%s', (_name, method, target, body, headers, status, text) => {
    const answer = wire.send(method, target, body, headers);
    expect(answer.text).toContain(text);
    expect(answer.status).toBe(status);
  });

  it('makes no table of what is only created', () => {
    const reviews = makeWire({}, [], [selfSubjectAccessReviewKind as unknown as KindDefinition]);
    const body = '{"spec":{"nonResourceAttributes":{"path":"/","verb":"get"}}}';
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    expect(reviews.send('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', body, { accept }).status).toBe(406);
    expect(
      reviews.send('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', body, { accept: `${accept},application/json` }).status,
    ).toBe(201);
  });

  it('refuses more than three megabytes', () => {
    expect(makeWire().send('POST', path, ' '.repeat(3 * 1024 * 1024 + 1))).toMatchObject({ status: 413 });
  });
});

describe('answers', () => {
  it('sorts the unknown fields of a strategic merge patch', () => {
    const wire = makeWire();
    wire.send('POST', '/api/v1/namespaces/default/configmaps', '{"metadata":{"name":"sorted"}}');
    const patch = (type: string): string =>
      wire.send('PATCH', '/api/v1/namespaces/default/configmaps/sorted?fieldValidation=Strict', '{"metadata":{"foo":1},"dat":{}}', {
        'content-type': `application/${type}+json`,
      }).text;
    expect(patch('strategic-merge-patch')).toContain('strict decoding error: unknown field \\"dat\\", unknown field \\"metadata.foo\\"');
  });

  it('warns of unknown fields', () => {
    const { headers, status } = makeWire().send('POST', path, '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"z"},"foo":1}');
    expect(status).toBe(201);
    expect(headers['warning']).toEqual(['299 - "unknown field \\"foo\\""']);
  });

  it('leaves kind and apiVersion out of list items', () => {
    const wire = makeWire();
    wire.send('POST', path, cm('a'));
    const { text } = wire.send('GET', path);
    expect(text.startsWith('{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"2"},"items":[{"metadata":{"name":"a"')).toBe(
      true,
    );
    expect(text.endsWith('}]}\n')).toBe(true);
    expect(wire.send('GET', `${path}?pretty=true`).text).toContain('\n  "items": [\n    {\n      "metadata": {');
  });

  it('makes tables and partial metadata', () => {
    const wire = makeWire();
    wire.send('POST', path, cm('a'));
    const table = JSON.parse(wire.send('GET', `${path}/a`, '', { accept: 'application/json;as=Table;v=v1beta1;g=meta.k8s.io' }).text) as {
      apiVersion: string;
      rows: { cells: unknown[]; object: KubeObject }[];
    };
    expect(table.apiVersion).toBe('meta.k8s.io/v1beta1');
    expect(table.rows[0]?.cells).toEqual(['a', '2026-01-01T00:00:00Z']);
    expect(table.rows[0]?.object.kind).toBe('PartialObjectMetadata');
    const partial = JSON.parse(wire.send('GET', path, '', { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' }).text) as {
      kind: string;
      items: object[];
    };
    expect(partial.kind).toBe('PartialObjectMetadataList');
    expect(Object.keys(partial.items[0] ?? {})).toEqual(['kind', 'apiVersion', 'metadata']);
    const bytes = wire.send('GET', path, '', { accept: 'application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' }).bytes;
    expect([...bytes.subarray(0, 4)]).toEqual([0x6b, 0x38, 0x73, 0]);
  });

  it('streams watches as JSON lines, protobuf frames and tables', () => {
    const wire = makeWire();
    wire.send('POST', path, cm('a'));
    const collect = (accept: string): (string | Uint8Array)[] => {
      const chunks: (string | Uint8Array)[] = [];
      const response = wire.raw('GET', `${path}?watch=true`, '', { accept });
      if (!('open' in response)) throw new Error('no stream');
      response.open({ write: (chunk) => chunks.push(typeof chunk === 'function' ? chunk() : chunk), end: () => {} });
      return chunks;
    };
    const lines = collect('application/json');
    const frames = collect('application/vnd.kubernetes.protobuf');
    const tables = collect('application/json;as=Table;v=v1;g=meta.k8s.io');
    wire.send('DELETE', `${path}/a`);
    expect(lines.map((line) => (JSON.parse(String(line)) as { type: string }).type)).toEqual(['ADDED', 'DELETED']);
    const first = frames[0] as Uint8Array;
    expect(new DataView(first.buffer, first.byteOffset).getUint32(0)).toBe(first.length - 4);
    const [with_, without] = tables.map((line) => (JSON.parse(String(line)) as { object: { columnDefinitions?: unknown } }).object.columnDefinitions);
    expect([Array.isArray(with_), without]).toEqual([true, null]);
    expect(wire.send('GET', `${path}?watch=true`, '', { accept: 'application/yaml' }).status).toBe(406);
    expect(wire.send('GET', `${path}?watch=true&fieldSelector=x%3Dy`).status).toBe(400);
  });

  it('watches by the old paths', () => {
    const wire = makeWire();
    wire.send('POST', path, cm('a'));
    wire.send('POST', path, cm('b'));
    const names: string[] = [];
    const response = wire.raw('GET', '/api/v1/watch/namespaces/default/configmaps/b');
    if (!('open' in response)) throw new Error('no stream');
    response.open({
      write: (chunk) =>
        names.push((JSON.parse(String(typeof chunk === 'function' ? chunk() : chunk)) as { object: KubeObject }).object.metadata.name ?? ''),
      end: () => {},
    });
    expect(names).toEqual(['b']);
  });

  it('deletes as body and query ask', () => {
    const wire = makeWire();
    wire.send('POST', path, cm('a'));
    expect(wire.send('DELETE', `${path}/a?dryRun=All`).status).toBe(200);
    expect(wire.send('DELETE', `${path}/a`, '{"kind":"DeleteOptions","apiVersion":"v1","preconditions":{"uid":"x"}}').status).toBe(409);
    const { text } = wire.send('DELETE', `${path}/a`, '{"kind":"DeleteOptions","apiVersion":"v1","propagationPolicy":"Background"}');
    expect(text).toMatch(
      /^\{"kind":"Status","apiVersion":"v1","metadata":\{\},"status":"Success","details":\{"name":"a","kind":"configmaps","uid":"[^"]+"\}\}\n$/,
    );
  });
});

describe('discovery', () => {
  const wire = makeWire();
  it('lists groups and resources', () => {
    expect(JSON.parse(wire.send('GET', '/api').text)).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
    expect(JSON.parse(wire.send('GET', '/apis').text)).toMatchObject({
      kind: 'APIGroupList',
      groups: [{ name: 'apps', preferredVersion: { groupVersion: 'apps/v1' } }],
    });
    const { resources } = JSON.parse(wire.send('GET', '/apis/apps/v1').text) as { resources: { name: string; kind: string }[] };
    expect(resources.map((resource) => `${resource.name} ${resource.kind}`)).toEqual([
      'deployments Deployment',
      'deployments/scale Scale',
      'deployments/status Deployment',
    ]);
    expect(wire.send('GET', '/apis/nope').status).toBe(404);
  });

  it('aggregates, with an ETag', () => {
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';
    const first = wire.send('GET', '/apis', '', { accept });
    expect(first.headers['content-type']).toBe('application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList');
    expect(JSON.parse(first.text)).toMatchObject({ items: [{ metadata: { name: 'apps' }, versions: [{ version: 'v1', freshness: 'Current' }] }] });
    expect(wire.send('GET', '/apis', '', { accept, 'if-none-match': String(first.headers['etag']) }).status).toBe(304);
    const protobuf = wire.send('GET', '/api', '', {
      accept: 'application/vnd.kubernetes.protobuf;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
    });
    expect(protobuf.bytes.length).toBeGreaterThan(100);
  });

  it('aggregates in YAML too, and no longer in the beta form', () => {
    const form = (type: string, v: string): string => `${type};g=apidiscovery.k8s.io;v=${v};as=APIGroupDiscoveryList`;
    const yaml = wire.send('GET', '/apis', '', { accept: form('application/yaml', 'v2') });
    expect([yaml.status, yaml.headers['content-type'], yaml.text.split('\n')[0]]).toEqual([
      200,
      form('application/yaml', 'v2'),
      'apiVersion: apidiscovery.k8s.io/v2',
    ]);
    expect(wire.send('GET', '/apis', '', { accept: form('application/json', 'v2beta1') }).status).toBe(406);
    const older = wire.send('GET', '/apis', '', { accept: `${form('application/json', 'v2beta1')},application/json` });
    expect(JSON.parse(older.text)).toMatchObject({ kind: 'APIGroupList' });
  });

  it('reads over what no query can hold', () => {
    for (const query of ['limit=1;continue=x', 'limit=%zz', '%zz=1&limit=2', '&&&=x']) {
      expect(wire.send('GET', `${path}?${query}`).status, query).toBe(200);
    }
    expect(wire.send('GET', `${path}?limit=x`).status).toBe(400);
  });

  it('lists its paths at /index.html as well', () => {
    expect(wire.send('GET', '/index.html').text).toBe(wire.send('GET', '/').text);
  });

  it('answers version and health', () => {
    expect(wire.send('GET', '/version').text).toContain('+wavetank');
    expect(wire.send('GET', '/healthz').text).toBe('ok');
    expect(wire.send('GET', '/readyz?verbose').text).toContain('[+]ping ok\n');
    expect(wire.send('GET', '/livez/ping').text).toBe('ok');
    expect(wire.send('GET', '/nowhere').status).toBe(404);
  });
});

it('reads and follows logs, and hands port-forward to the room of sockets', () => {
  const kubelets: KubeletConnections = {
    readLogs: (_namespace, _pod, options) => `tail=${options.tailLines ?? 0}\n`,
    followLogs: (_namespace, _pod, _options, onText, onEnd) => {
      onText('more\n');
      onEnd();
      return { cancel: () => {} };
    },
    serverAt: () => undefined,
    openPort: () => {
      throw new Error('not here');
    },
    readNode: () => ({ text: '', contentType: '' }),
    reopenPort: () => {
      throw new Error('not here');
    },
    openProcess: () => {
      throw new Error('not here');
    },
    reopenProcess: () => undefined,
  };
  const wire = makeWire({ kubelets });
  wire.send('POST', '/api/v1/namespaces/default/pods', '{"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}}');
  const nowhere = wire.send('GET', '/api/v1/namespaces/default/pods/p/log');
  expect([nowhere.status, nowhere.text]).toEqual([204, '']);
  expect(wire.send('GET', '/api/v1/namespaces/default/pods/p/log?container=x').text).toContain('container x is not valid for pod p');
  wire.send('POST', '/api/v1/namespaces/default/pods', '{"metadata":{"name":"o"},"spec":{"nodeName":"n","containers":[{"name":"c","image":"i"}]}}');
  for (const way of ['log', 'exec?command=ls&stdout=true', 'attach?stdout=true', 'portforward']) {
    const astray = wire.send(way === 'log' ? 'GET' : 'POST', `/api/v1/namespaces/default/pods/o/${way}`);
    expect([astray.status, JSON.parse(astray.text)]).toEqual([
      404,
      expect.objectContaining({ reason: 'NotFound', message: 'pods "n" not found', details: { name: 'n', kind: 'pods' } }),
    ]);
  }
  wire.send('POST', '/api/v1/nodes', '{"metadata":{"name":"n"}}');
  expect(wire.send('GET', '/api/v1/namespaces/default/pods/o/log?tailLines=3').text).toBe('tail=3\n');
  const seen: string[] = [];
  const follow = wire.raw('GET', '/api/v1/namespaces/default/pods/o/log?follow=true');
  if (!('open' in follow)) throw new Error('no stream');
  follow.open({ write: (chunk) => seen.push(String(chunk)), end: () => seen.push('end') });
  expect(seen).toEqual(['tail=0\n', 'more\n', 'end']);
  expect(wire.raw('POST', '/api/v1/namespaces/default/pods/o/portforward')).toMatchObject({ upgrade: 'portforward', pod: 'o' });
  for (const way of ['exec?command=ls&stdout=true', 'portforward']) {
    const refused = wire.send('POST', `/api/v1/namespaces/default/pods/p/${way}`);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('pod p does not have a host assigned')]);
  }
});
