/** `/flagz` and `/statusz` in each form, as a real 1.36.3 answered the same requests. */
import { beforeAll, describe, expect, it } from 'vitest';
import { adminIdentity } from '../../../engine/cluster/identities.ts';
import { decodeYaml } from '../../../engine/apimachinery/serializer/yaml.ts';
import { aCluster, type TestCluster } from '../../support/cluster.ts';

interface Page {
  readonly status: number;
  readonly type: unknown;
  readonly warning: unknown;
  readonly body: string;
  readonly bytes: Uint8Array;
}

let usual: TestCluster;
let withCbor: TestCluster;

beforeAll(async () => {
  usual = await aCluster({ nodes: 0 });
  withCbor = await aCluster({ nodes: 0, options: { 'feature-gates': 'CBORServingAndStorage=true' } });
  await usual.advance(5_000);
});

async function pageOf(path: string, accept: string, tank = usual): Promise<Page> {
  const response = await tank.door.serve({ method: 'GET', path, query: '', headers: { accept }, body: new Uint8Array(), identity: adminIdentity });
  if (!('body' in response)) throw new Error('no answer');
  const bytes = typeof response.body === 'string' ? new TextEncoder().encode(response.body) : (response.body as Uint8Array);
  return {
    status: response.status,
    type: response.headers['content-type'],
    warning: response.headers['warning'],
    body: new TextDecoder().decode(bytes),
    bytes,
  };
}

const as = (type: string, kind: string, version: string): string => `${type};g=config.k8s.io;v=${version};as=${kind}`;
const none = 'only the following media types are accepted: application/json, application/yaml, text/plain';
const text = 'text/plain; charset=utf-8';

describe.each([
  ['/flagz', 'Flagz', 'Statusz'],
  ['/statusz', 'Statusz', 'Flagz'],
])('%s', (path, kind, other) => {
  it.each(['', '*/*', 'text/plain', 'text/*', 'application/json, text/plain', `${as('application/json', other, 'v1beta1')}, text/plain;q=0.1`])(
    'is text for %j',
    async (accept) => {
      const { status, type, body } = await pageOf(path, accept);
      expect([status, type, body.split('\n')[1]]).toEqual([200, text, `apiserver ${path.slice(1)}`]);
    },
  );

  it.each(['application/json', 'application/cbor', 'text/html', as('application/json', other, 'v1beta1'), as('application/json', kind, 'v1')])(
    'has nothing for %j',
    async (accept) => {
      const { status, body } = await pageOf(path, accept);
      expect([status, (JSON.parse(body) as { readonly message: string }).message]).toEqual([406, none]);
    },
  );

  it.each(['v1beta1', 'v1alpha1'])('is an object of version %s, of which the older is deprecated', async (version) => {
    const accept = as('application/json', kind, version);
    const { status, type, warning, body } = await pageOf(path, accept);
    expect([status, type]).toEqual([200, accept]);
    const deprecated = `299 - "This version of the ${path.slice(1)} endpoint is deprecated. Please use a newer version."`;
    expect(warning).toBe(version === 'v1alpha1' ? deprecated : undefined);
    expect(JSON.parse(body)).toMatchObject({ kind, apiVersion: `config.k8s.io/${version}`, metadata: { name: 'apiserver' } });
  });
});

it('tells options and state in members', async () => {
  const flags = JSON.parse((await pageOf('/flagz', as('application/json', 'Flagz', 'v1beta1'))).body) as { readonly flags: object };
  expect(flags.flags).toMatchObject({ 'authorization-mode': 'Node,RBAC' });
  const { body } = await pageOf('/statusz', as('application/yaml', 'Statusz', 'v1beta1'));
  expect(decodeYaml(body).value).toMatchObject({
    ...{ binaryVersion: '1.36', emulationVersion: '1.36', uptimeSeconds: 5 },
    paths: ['/flagz', '/healthz', '/livez', '/metrics', '/readyz', '/statusz', '/version'],
  });
  expect(body).toMatch(/\nstartTime: "20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ"\n/);
});

it('is CBOR too where the gate is on', async () => {
  const accept = as('application/cbor', 'Statusz', 'v1beta1');
  const { status, type, bytes, body } = await pageOf('/statusz', accept, withCbor);
  expect([status, type]).toEqual([200, accept]);
  expect([...bytes.subarray(0, 3)]).toEqual([0xd9, 0xd9, 0xf7]);
  expect(body).toContain('config.k8s.io/v1beta1');
  const refused = await pageOf('/statusz', 'application/json', withCbor);
  expect((JSON.parse(refused.body) as { readonly message: string }).message).toBe(`${none}, application/cbor`);
});
