/** What goes through proxies while a cluster lives: links, many backends, nodes that are cut off, permissions; and again after a replay. */
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../engine/api/core/v1/types.gen.ts';
import type { HttpPlainResponse } from '../../../engine/apiserver/http-types.ts';
import { adminIdentity } from '../../../engine/cluster/identities.ts';
import type { Identity } from '../../../engine/contracts/request.ts';
import { aCluster, aDeployment, madeCluster, type TestCluster } from '../../support/cluster.ts';
import { replayInputs } from '../../support/replay.ts';

const config = { seed: 12, nodes: 1 };
const base = '/api/v1/namespaces/default';
const agnhost = 'registry.k8s.io/e2e-test-images/agnhost:2.53';

function pod(name: string, container: object): object {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, labels: { name } }, spec: { containers: [{ name: 'c', ...container }] } };
}

async function aServer(...made: readonly [path: string, body: object][]): Promise<TestCluster> {
  const cluster = await aCluster(config);
  await cluster.advance(60_000);
  for (const [path, body] of made) cluster.call('POST', path, body);
  await cluster.advance(30_000);
  return cluster;
}

function send({ door }: TestCluster, method: string, path: string, identity: Identity = adminIdentity, body = ''): HttpPlainResponse {
  const [route = '', query = ''] = path.split('?', 2);
  const headers = { accept: 'application/json', host: 'localhost:6443', 'user-agent': 'curl/8' };
  const response = door.serveAtOnce({ method, path: route, query, headers, body: new TextEncoder().encode(body), identity });
  if (!('body' in response)) throw new Error('a stream');
  return response;
}

function bodyOf({ body }: HttpPlainResponse): string {
  return typeof body === 'string' ? body : new TextDecoder().decode(body as Uint8Array);
}

it('links of redirects lead through the proxy, but for those of other hosts', async () => {
  const made = await aServer([`${base}/pods`, pod('web', { image: agnhost, args: ['liveness'], ports: [{ containerPort: 8080 }] })]);
  const ip = made.call<Pod>('GET', `${base}/pods/web`).status?.podIP ?? '';
  const to = (loc: string): unknown => send(made, 'GET', `${base}/pods/web/proxy/redirect?loc=${encodeURIComponent(loc)}`).headers['location'];
  const through = `${base}/pods/web/proxy`;
  expect(to('/hello')).toBe(`${through}/hello`);
  expect(to('/folder/?x=1#y')).toBe(`${through}/folder/?x=1#y`);
  expect(to('near/by')).toBe('near/by');
  expect(to('//example.com/x')).toBe('//example.com/x');
  expect(to('http://example.com/far')).toBe('http://example.com/far');
  expect(to(`http://${ip}:8080/own`)).toBe(`${through}/own`);
  expect(to('https://localhost:6443/asked')).toBe(`https://localhost:6443${through}/asked`);
  expect(to(`${through}/already`)).toBe(`${through}/already`);
});

it.each(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'])('%s comes to the server as it is', async (method) => {
  const porter = { image: agnhost, command: ['/agnhost', 'porter', '--json-response'], env: [{ name: 'SERVE_PORT_80', value: 'foo' }] };
  const made = await aServer([`${base}/pods`, pod('web', porter)]);
  const response = send(made, method, `${base}/pods/web/proxy/some/path/with/${method}`);
  expect([response.status, bodyOf(response)]).toEqual([200, method === 'HEAD' ? '' : `{"Method":"${method}","Body":"foo"}`]);
});

it('ports that variables name serve what they say, HTML as such', async () => {
  const env = [
    { name: 'SERVE_PORT_160', value: '<a href="/rewriteme">test</a>' },
    { name: 'SERVE_TLS_PORT_460', value: 'tls baz' },
  ];
  const made = await aServer([`${base}/pods`, pod('web', { image: agnhost, command: ['/agnhost', 'porter'], env })]);
  expect(bodyOf(send(made, 'GET', `${base}/pods/web:160/proxy/`))).toBe(`<a href="${base}/pods/web:160/proxy/rewriteme">test</a>`);
  expect(bodyOf(send(made, 'GET', `${base}/pods/https:web:460/proxy/`))).toBe('tls baz');
  expect(send(made, 'GET', `${base}/pods/web:161/proxy/`).status).toBe(503);
});

it('a Service leads to all of its pods, and none that is not ready', async () => {
  const made = await aServer(
    ['/apis/apps/v1/namespaces/default/deployments', aDeployment('web', 3)],
    [`${base}/services`, { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } }],
  );
  const asked = (): readonly number[] =>
    made.call<{ items: readonly Pod[] }>('GET', `${base}/pods`).items.map(({ metadata }) => linesOf(made, metadata.name ?? ''));
  for (let i = 0; i < 30; i++) expect(send(made, 'GET', `${base}/services/web/proxy/`).status).toBe(200);
  expect(asked().reduce((sum, count) => sum + count, 0)).toBe(30);
  expect(Math.min(...asked())).toBeGreaterThan(3);
});

/** Requests in the log of an nginx. */
function linesOf(made: TestCluster, name: string): number {
  return bodyOf(send(made, 'GET', `${base}/pods/${name}/log`))
    .split('\n')
    .filter((line) => line.includes('"GET / HTTP/1.1" 200')).length;
}

it('what comes through leaves its traces in the pod, the same after a replay', async () => {
  const made = await aServer([`${base}/pods`, pod('web', { image: 'nginx:1.27', ports: [{ containerPort: 80 }] })]);
  for (const path of ['/', '/none', '/?x=1']) send(made, 'GET', `${base}/pods/web/proxy${path}`);
  send(made, 'POST', `${base}/pods/web/proxy/`, adminIdentity, 'x'.repeat(100_000));
  expect(send(made, 'GET', `${base}/pods/web:81/proxy/`).status).toBe(503);
  await made.advance(5_000);
  const log = bodyOf(send(made, 'GET', `${base}/pods/web/log`));
  expect(log.match(/"(?:GET|POST) [^"]*" \d+ .*curl\/8/g)).toHaveLength(4);
  const again = madeCluster(config);
  await again.cluster.start();
  await replayInputs(again, made.inputs, made.cluster.loop.nowMs());
  expect(bodyOf(send(again, 'GET', `${base}/pods/web/log`))).toBe(log);
  expect(again.cluster.digest).toBe(made.cluster.digest);
});

it('a pod whose node is cut off is not reached', async () => {
  const made = await aServer([`${base}/pods`, pod('web', { image: 'nginx:1.27', ports: [{ containerPort: 80 }] })]);
  const fault = {
    apiVersion: 'sim.wavetank.dev/v1alpha1',
    kind: 'Fault',
    metadata: { name: 'cut' },
    spec: { type: 'node-partition', target: { node: 'node-0' } },
  };
  made.call('POST', '/apis/sim.wavetank.dev/v1alpha1/faults', fault);
  await made.advance(5_000);
  const ip = made.call<Pod>('GET', `${base}/pods/web`).status?.podIP ?? '';
  const response = send(made, 'GET', `${base}/pods/web/proxy/`);
  expect([response.status, JSON.parse(bodyOf(response)).message]).toEqual([503, `error trying to reach service: dial tcp ${ip}:80: i/o timeout`]);
});

describe('who may', () => {
  it.each([
    ['GET', 'get'],
    ['HEAD', 'get'],
    ['POST', 'create'],
    ['PUT', 'update'],
    ['PATCH', 'patch'],
    ['DELETE', 'delete'],
  ])('%s needs %s of pods/proxy', async (method, verb) => {
    const rule = { apiGroups: [''], resources: ['pods/proxy'], verbs: [verb] };
    const made = await aServer(
      [`${base}/pods`, pod('web', { image: 'nginx:1.27', ports: [{ containerPort: 80 }] })],
      [
        '/apis/rbac.authorization.k8s.io/v1/clusterroles',
        { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'r' }, rules: [rule] },
      ],
      [
        '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
        {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'ClusterRoleBinding',
          metadata: { name: 'b' },
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'r' },
          subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'ann' }],
        },
      ],
    );
    const statusOf = (name: string, asked: string): number =>
      send(made, asked, `${base}/pods/web:80/proxy/`, { name, groups: ['system:authenticated'] }).status;
    expect(statusOf('ann', method)).toBe(200);
    expect(statusOf('eve', method)).toBe(403);
    expect(statusOf('ann', verb === 'get' ? 'POST' : 'GET')).toBe(403);
  });
});
