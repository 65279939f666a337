/** Small things in answers that kubectl shows: generations, warnings, tables of subresources, order of faults. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { KubeObject } from '../../engine/apimachinery/object.ts';
import { adminIdentity } from '../../engine/cluster/identities.ts';
import { aCluster, type TestCluster } from '../support/cluster.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'nginx' }] } };
const web = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: { replicas: 0, selector: { matchLabels: { app: 'web' } }, template },
};

describe('answers', () => {
  let test: TestCluster;
  beforeAll(async () => {
    test = await aCluster({ nodes: 1 });
    test.call('POST', deployments, web);
  });

  function get(path: string, accept: string): { readonly headers: Readonly<Record<string, string | readonly string[]>>; readonly body: string } {
    const response = test.door.serveAtOnce({ method: 'GET', path, query: '', headers: { accept }, body: new Uint8Array(0), identity: adminIdentity });
    if (!('body' in response)) throw new Error(`${path} answered a stream`);
    const body = typeof response.body === 'string' ? response.body : [...(response.body as Iterable<string>)].join('');
    return { headers: response.headers, body };
  }

  it('counts changed annotations of a deployment as a generation, changed labels not', () => {
    const patch = (metadata: object): KubeObject => test.call('PATCH', `${deployments}/web`, { metadata }, 'application/merge-patch+json');
    const { generation = 0 } = patch({ labels: { a: 'b' } }).metadata;
    expect(patch({ annotations: { a: 'b' } }).metadata.generation).toBe(generation + 1);
    expect(patch({ annotations: { a: 'b' } }).metadata.generation).toBe(generation + 1);
  });

  it('warns of deprecated kinds', () => {
    expect(get('/api/v1/endpoints', 'application/json').headers['warning']).toEqual([
      '299 - "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"',
    ]);
    expect(get('/api/v1/pods', 'application/json').headers['warning']).toBeUndefined();
  });

  it('prints a scale', () => {
    const table = JSON.parse(get(`${deployments}/web/scale`, 'application/json;as=Table;v=v1;g=meta.k8s.io').body) as {
      readonly columnDefinitions: readonly { readonly name: string }[];
      readonly rows: readonly { readonly cells: readonly unknown[] }[];
    };
    expect(table.columnDefinitions.map(({ name }) => name)).toEqual(['Name', 'Desired', 'Available', 'Age']);
    expect(table.rows[0]?.cells.slice(0, 3)).toEqual(['web', 0, 0]);
  });

  it('lists bindings once in discovery', () => {
    const { resources } = JSON.parse(get('/api/v1', 'application/json').body) as { readonly resources: readonly { readonly name: string }[] };
    expect(resources.map(({ name }) => name).filter((name) => name.startsWith('bindings'))).toEqual(['bindings']);
  });

  it('answers an unknown version of a known group with a Status, and an unknown group as a path', () => {
    expect(JSON.parse(get('/apis/apps/v9/deployments', 'application/json').body)).toMatchObject({ kind: 'Status', code: 404, reason: 'NotFound' });
    expect(get('/apis/nobody.example/v1/things', 'application/json').body).toBe('404 page not found\n');
  });

  it('reads a body of null as an object without fields', () => {
    expect(() => test.call('POST', deployments, null)).toThrow(/is invalid/);
  });
});
