/** What this server says of itself under release 1.13: all but words is what a real 1.13.12 says, in its form and order (`documents-1.13.json`). */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Identity } from '../../../engine/contracts/request.ts';
import { adminIdentity } from '../../../engine/cluster/identities.ts';
import { readTypes } from '../../../engine/host/type-files.ts';
import { aCluster, type TestCluster } from '../../support/cluster.ts';
import { sumsOf113 } from './documents-1.13.ts';
import recorded from './documents-1.13.json' with { type: 'json' };

let tank: TestCluster;

interface Asked {
  readonly method?: string;
  readonly accept?: string;
  readonly identity?: Identity;
}

interface Answered {
  readonly status: number;
  readonly type: unknown;
  readonly text: string;
}

function ask(path: string, { method = 'GET', accept, identity = adminIdentity }: Asked = {}, { door } = tank): Answered {
  const headers: Record<string, string> = accept === undefined ? {} : { accept };
  const answer = door.serveAtOnce({ method, path, query: '', headers, body: new Uint8Array(), identity });
  if (!('body' in answer)) throw new Error(`no document ${path}`);
  const chunks = typeof answer.body === 'string' || answer.body instanceof Uint8Array ? [answer.body] : [...answer.body];
  const text = Buffer.concat(chunks.map((one) => Buffer.from(one as string))).toString();
  return { status: answer.status, type: answer.headers['content-type'], text };
}

beforeAll(async () => {
  tank = await aCluster({ nodes: 0, release: '1.13' }, { readTypes });
});

describe('the documents', () => {
  it('say what those of the real server say', async () => {
    expect(await sumsOf113((path) => Promise.resolve(ask(path).text))).toEqual(recorded['']);
  });

  it('say so of all versions that there are', async () => {
    const all = await aCluster({ nodes: 0, release: '1.13', options: { 'runtime-config': 'api/all=true' } }, { readTypes });
    expect(await sumsOf113((path) => Promise.resolve(ask(path, {}, all).text))).toEqual(recorded['api/all=true']);
  });

  it('have nothing of custom resources', async () => {
    tank.call('POST', '/apis/apiextensions.k8s.io/v1beta1/customresourcedefinitions', {
      apiVersion: 'apiextensions.k8s.io/v1beta1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'boats.sea.example.com' },
      spec: { group: 'sea.example.com', version: 'v1', scope: 'Namespaced', names: { plural: 'boats', kind: 'Boat' } },
    });
    await tank.advance(10_000);
    expect(ask('/apis/sea.example.com/v1').text).toContain('boats');
    expect(ask('/openapi/v2').text).not.toContain('sea.example.com');
    expect(ask('/swaggerapi').text).not.toContain('sea.example.com');
    expect(ask('/swaggerapi/apis/sea.example.com/v1').status).toBe(404);
  });

  it('have each value on a line of its own, one blank deeper than what it is in', () => {
    const start = /^\{\n  "swagger": "2.0",\n  "info": \{\n   "title": "Kubernetes",\n   "version": "v1\.13\.12"\n/;
    expect(ask('/openapi/v2').text).toMatch(start);
    expect(ask('/swaggerapi/apis/apps').text).toMatch(
      /^\{\n  "swaggerVersion": "1.2",\n  "apiVersion": "",\n  "basePath": "https:\/\/[\d.]+:\d+",\n/,
    );
  });
});

describe('Swagger 1.2 over HTTP', () => {
  const nothing = { status: 404, type: 'text/plain; charset=utf-8', text: 'ApiDeclaration not found' };

  it.each(['/swaggerapi', '/swaggerapi/', '/swaggerapi//', '/swaggerapi/version', '/swaggerapi/version/', '/swaggerapi/apis/apps/v1/'])(
    '%s is there',
    (path) => {
      expect(ask(path)).toMatchObject({ status: 200, type: 'application/json' });
    },
  );

  it('looks at nothing after an empty segment', () => {
    expect(ask('/swaggerapi/apis//apps').text).toBe(ask('/swaggerapi/apis').text);
    expect(ask('/swaggerapi//version')).toEqual(nothing);
  });

  it.each(['/swaggerapi/none', '/swaggerapi/apis/apps/v1/pods', '/swaggerapi/apis/apiextensions.k8s.io', '/swaggerapi/a/b/c/d/e/f/g'])(
    '%s is not',
    (path) => {
      expect(ask(path)).toEqual(nothing);
    },
  );

  it.each([
    ['HEAD', '/swaggerapi', 405],
    ['POST', '/swaggerapi/none', 405],
    ['GET', '/swaggerapi/a/b/c/d/e/f/g/h', 404],
    ['GET', '/swaggerapix', 404],
    ['GET', '/swagger-ui/', 404],
  ])('%s %s answers %i in JSON', (method, path, status) => {
    expect(ask(path, { method })).toMatchObject({ status, type: 'application/json' });
  });

  it.each([
    ['*/*', 200],
    ['application/json;q=0.5', 200],
    ['text/html,*/*;q=0.1', 200],
    ['application/*', 406],
    ['text/html', 406],
    ['application/yaml', 406],
  ])('%s is answered %i', (accept, status) => {
    expect(ask('/swaggerapi/version', { accept }).status).toBe(status);
    if (status === 406) expect(ask('/swaggerapi/version', { accept }).text).toContain('406: Not Acceptable');
  });

  it('is listed, and open to everybody, as discovery is', () => {
    expect((JSON.parse(ask('/').text) as { readonly paths: readonly string[] }).paths).toContain('/swaggerapi');
    const identity = { name: 'system:anonymous', groups: ['system:unauthenticated'] };
    expect(ask('/swaggerapi/api/v1', { identity }).status).toBe(200);
    expect(ask('/swaggerapix', { identity }).status).toBe(403);
  });

  it('is of release 1.13 alone', async () => {
    const present = await aCluster({ nodes: 0 }, { readTypes });
    expect(ask('/swaggerapi', {}, present).status).toBe(404);
    expect(ask('/', {}, present).text).not.toContain('swagger');
  });
});
