/**
 * Servers of other APIs: what the real kube-aggregator said of them (`facts.json`, written down from kubectl and curl beside a 1.36.3), who
 * they are told asks, and that history holds what was heard of them.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { AggregatedCall } from '../../../engine/apiserver/aggregation/backend.ts';
import type { HttpPlainResponse, HttpStreamSink } from '../../../engine/apiserver/http-types.ts';
import type { JsonValue } from '../../../engine/base/json.ts';
import { adminIdentity } from '../../../engine/cluster/identities.ts';
import type { Answer, Question } from '../../../engine/contracts/questions.ts';
import { aCluster, madeCluster, type TestCluster } from '../../support/cluster.ts';
import { sender } from '../webhooks/inside.ts';

interface Verdict {
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

const facts = JSON.parse(readFileSync(new URL('./facts.json', import.meta.url), 'utf8')) as {
  readonly local: readonly { readonly name: string; readonly labels: object; readonly spec: object; readonly conditions: readonly object[] }[];
  readonly verdicts: { readonly [name in 'noService' | 'noEndpoints' | 'refused' | 'passed']: Verdict };
  readonly unavailable: object;
  readonly unreachable: { readonly code: number; readonly body: string };
  readonly group: object;
  readonly discovered: object;
  readonly stale: object;
};

const config = { nodes: 1, seed: 3 };
const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';
const apiService = {
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  metadata: { name: 'v1.sample.example.com' },
  spec: {
    group: 'sample.example.com',
    version: 'v1',
    groupPriorityMinimum: 1000,
    versionPriority: 15,
    insecureSkipTLSVerify: true,
    service: { name: 'sample', namespace: 'default', port: 443 },
  },
};
const service = (annotations: object): object => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'sample', annotations },
  spec: { ports: [{ name: '443-8443', port: 443, targetPort: 8443 }] },
});
const resources = [{ name: 'gadgets', singularName: 'gadget', namespaced: true, kind: 'Gadget', verbs: ['get', 'list', 'watch', 'create'] }];

/** As the server describes itself in version 2. */
const described = {
  swagger: '2.0',
  paths: {
    '/apis/sample.example.com/v1/gadgets': { get: { operationId: 'listGadget', responses: { 200: { schema: { $ref: '#/definitions/Gadget' } } } } },
    '/apis/': { get: { responses: { 200: { schema: { $ref: '#/definitions/Groups' } } } } },
  },
  definitions: {
    Gadget: { type: 'object', 'x-kubernetes-group-version-kind': [{ group: 'sample.example.com', version: 'v1', kind: 'Gadget' }] },
    Groups: { type: 'object' },
  },
};

/** A host that answers for the server, as HTTPS would. */
class Other {
  readonly asked: AggregatedCall[] = [];
  isDown = false;

  readonly ask = ({ to, body }: Question): Promise<Answer> => {
    const call = body as unknown as AggregatedCall;
    expect(to).toBe('aggregated/v1.sample.example.com');
    this.asked.push(call);
    const { host } = new URL(call.url);
    if (this.isDown) return Promise.resolve({ outcome: 'failed', message: `dial tcp ${host}: connect: connection refused` });
    const text = (code: number, said: object): Answer => {
      const reply = { code, headers: { 'content-type': 'application/json', 'x-own': 'yes', connection: 'close' }, body: btoa(JSON.stringify(said)) };
      return { outcome: 'answered', body: reply as JsonValue };
    };
    if (call.isStream) return Promise.resolve({ outcome: 'answered', body: { code: 200, headers: {}, stream: 'stream-1' } });
    if (call.path === '/openapi/v3')
      return Promise.resolve(
        text(200, { paths: { 'apis/sample.example.com/v1': { serverRelativeURL: '/openapi/v3/apis/sample.example.com/v1?hash=A' } } }),
      );
    if (call.path === '/openapi/v2') return Promise.resolve(text(200, described));
    if (call.path.startsWith('/openapi/v3/')) return Promise.resolve(text(200, { openapi: '3.0.0', path: call.path }));
    if (call.path === '/apis/sample.example.com/v1') return Promise.resolve(text(200, { kind: 'APIResourceList', resources }));
    return Promise.resolve(text(201, { kind: 'Gadget', got: atob(call.body) }));
  };

  readonly followStream = (stream: string, sink: HttpStreamSink): (() => void) => {
    sink.write(`events of ${stream}\n`);
    sink.end();
    return () => {};
  };
}

async function settle(tank: TestCluster): Promise<void> {
  for (let i = 0; i < 8; i++) {
    await tank.advance(1_000);
    await new Promise((resolve) => void setImmediate(() => setImmediate(() => setImmediate(resolve))));
  }
}

async function verdictOn(send: ReturnType<typeof sender>): Promise<object | undefined> {
  const { body } = await send({ method: 'GET', path: `${apiServices}/v1.sample.example.com` });
  const { status } = body as {
    readonly status?: { readonly conditions: readonly (Verdict & { readonly type: string; readonly lastTransitionTime: string })[] };
  };
  const [condition] = status?.conditions ?? [];
  return (
    condition && { status: condition.status, reason: condition.reason, message: condition.message.replaceAll(/\d+\.\d+\.\d+\.\d+:\d+/g, 'ADDRESS') }
  );
}

async function discovered(tank: TestCluster): Promise<object | undefined> {
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  const headers = { accept, 'user-agent': 'test' };
  const response = await tank.door.serve({ method: 'GET', path: '/apis', query: '', headers, body: new Uint8Array(), identity: adminIdentity });
  const text = 'body' in response ? (typeof response.body === 'string' ? response.body : new TextDecoder().decode(response.body as Uint8Array)) : '';
  const { items } = JSON.parse(text) as { readonly items: readonly { readonly metadata: { readonly name: string } }[] };
  return items.find(({ metadata }) => metadata.name === 'sample.example.com');
}

test('what is served here has APIServices as upstream registers them', async () => {
  const tank = await aCluster(config);
  const { items } = (await sender(() => tank)({ method: 'GET', path: apiServices })).body as {
    readonly items: readonly {
      readonly metadata: { readonly name: string; readonly labels: object };
      readonly spec: object;
      readonly status: { readonly conditions: readonly { readonly lastTransitionTime: string }[] };
    }[];
  };
  const shown = items.map(({ metadata: { name, labels }, spec, status }) => ({
    name,
    labels,
    spec,
    conditions: status.conditions.map(({ lastTransitionTime: _, ...rest }) => rest),
  }));
  const names = new Set(facts.local.map(({ name }) => name));
  expect(shown.filter(({ name }) => names.has(name))).toEqual(facts.local);
});

test('an APIService is judged, and its group discovered and served, as its server comes and goes', async () => {
  const other = new Other();
  const tank = await aCluster(config, { ask: other.ask, followStream: other.followStream });
  const send = sender(() => tank);
  const gadgets = '/apis/sample.example.com/v1/namespaces/default/gadgets';
  await send({ method: 'POST', path: apiServices, body: apiService });
  await settle(tank);
  expect(await verdictOn(send)).toEqual(facts.verdicts.noService);
  expect(await send({ method: 'GET', path: gadgets })).toMatchObject(facts.unavailable);
  expect(await discovered(tank)).toEqual(facts.stale);

  await send({ method: 'POST', path: '/api/v1/namespaces/default/services', body: service({}) });
  await settle(tank);
  const noEndpoints = (await verdictOn(send)) as Verdict;
  expect(['EndpointsNotFound', facts.verdicts.noEndpoints.reason]).toContain(noEndpoints.reason);
  const annotation = { metadata: { annotations: { 'sim.wavetank.dev/host-port': '9443' } } };
  const contentType = 'application/merge-patch+json';
  await send({ method: 'PATCH', path: '/api/v1/namespaces/default/services/sample', body: annotation, contentType });
  await settle(tank);
  expect(await verdictOn(send)).toEqual(facts.verdicts.passed);
  expect(await discovered(tank)).toEqual(facts.discovered);
  const { groups } = (await send({ method: 'GET', path: '/apis' })).body as { readonly groups: readonly { readonly name: string }[] };
  expect(groups.find(({ name }) => name === 'sample.example.com')).toEqual(facts.group);
  expect((await send({ method: 'GET', path: '/apis/sample.example.com' })).body).toEqual({ kind: 'APIGroup', apiVersion: 'v1', ...facts.group });

  other.asked.length = 0;
  expect(await send({ method: 'POST', path: `${gadgets}?dryRun=All`, body: { a: 1 } })).toMatchObject({ code: 201, body: { got: '{"a":1}' } });
  expect(other.asked).toMatchObject([
    {
      method: 'POST',
      path: `${gadgets}?dryRun=All`,
      serverName: 'sample.default.svc',
      host: '127.0.0.1',
      port: 9443,
      // Groups with a comma between them would be one group with a comma in it.
      headers: {
        'x-remote-user': 'kubernetes-admin',
        'x-remote-group': ['system:masters', 'system:authenticated'],
        'x-forwarded-uri': gadgets,
        'user-agent': 'test',
      },
    },
  ]);
  expect(Object.keys(other.asked[0]?.headers ?? {})).not.toContain('authorization');

  other.isDown = true;
  const { code, body } = await send({ method: 'GET', path: gadgets });
  expect({ code, body: String(body).replaceAll(/\d+\.\d+\.\d+\.\d+(:\d+)?/g, 'ADDRESS') }).toEqual(facts.unreachable);
  for (let i = 0; i < 5; i++) await settle(tank);
  expect(((await verdictOn(send)) as Verdict).reason).toBe(facts.verdicts.refused.reason);
});

/** A cluster that hands a group over to another server. */
async function delegating(): Promise<{ readonly other: Other; readonly tank: TestCluster; readonly send: ReturnType<typeof sender> }> {
  const other = new Other();
  const tank = await aCluster(config, { ask: other.ask, followStream: other.followStream });
  const send = sender(() => tank);
  await send({ method: 'POST', path: '/api/v1/namespaces/default/services', body: service({ 'sim.wavetank.dev/host-port': '9443' }) });
  await send({ method: 'POST', path: apiServices, body: apiService });
  await settle(tank);
  return { other, tank, send };
}

test('a watch is joined to the stream that the server answers with', async () => {
  const { other, tank } = await delegating();
  const response = await tank.door.serve({
    method: 'GET',
    path: '/apis/sample.example.com/v1/gadgets',
    query: 'watch=true',
    headers: { authorization: 'Bearer secret', 'x-remote-user': 'somebody else' },
    body: new Uint8Array(),
    identity: adminIdentity,
  });
  if (!('open' in response)) throw new Error('a stream was expected');
  const seen: unknown[] = [];
  response.open({ write: (chunk) => void seen.push(chunk), end: () => void seen.push('end') });
  expect(seen).toEqual(['events of stream-1\n', 'end']);
  expect(other.asked.at(-1)?.headers).toMatchObject({ 'x-remote-user': 'kubernetes-admin' });
  expect(other.asked.at(-1)?.headers['authorization']).toBeUndefined();
});

test("its documents are listed and handed out, and a connection that it upgrades is the host's to join", async () => {
  const { tank, send } = await delegating();
  const index = (await send({ method: 'GET', path: '/openapi/v3' })).body as { readonly paths: { readonly [name: string]: object } };
  expect(index.paths['apis/sample.example.com/v1']).toEqual({ serverRelativeURL: '/openapi/v3/apis/sample.example.com/v1?hash=A' });
  expect(Object.keys(index.paths)).toEqual(expect.arrayContaining(['api/v1', 'apis/apps/v1']));
  const document = await send({ method: 'GET', path: '/openapi/v3/apis/sample.example.com/v1?hash=A' });
  expect(document).toMatchObject({ code: 200, body: { openapi: '3.0.0', path: '/openapi/v3/apis/sample.example.com/v1?hash=A' } });
  const response = await tank.door.serve({
    method: 'GET',
    path: '/apis/sample.example.com/v1/namespaces/default/gadgets/a/exec',
    query: 'command=a',
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-protocol': 'v5.channel.k8s.io, base64url.bearer.authorization.k8s.io.c2VjcmV0',
    },
    body: new Uint8Array(),
    identity: adminIdentity,
  });
  expect(response).toMatchObject({
    upgrade: 'aggregated',
    call: {
      path: '/apis/sample.example.com/v1/namespaces/default/gadgets/a/exec?command=a',
      headers: { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-protocol': 'v5.channel.k8s.io', 'x-remote-user': 'kubernetes-admin' },
    },
  });
});

test('what it says of itself in version 2 stands in the one document, in both forms, with a tag; it is asked once a minute', async () => {
  const { other, tank, send } = await delegating();
  other.asked.length = 0;
  const asked = (): number => other.asked.filter(({ path }) => path === '/openapi/v2').length;
  const get = async (headers: { readonly [name: string]: string } = {}): Promise<HttpPlainResponse> =>
    (await tank.door.serve({ method: 'GET', path: '/openapi/v2', query: '', headers, body: new Uint8Array(), identity: adminIdentity })) as never;
  const { status, headers, body } = await get();
  const { paths, definitions } = JSON.parse(String(body)) as { readonly paths: object; readonly definitions: { readonly [name: string]: object } };
  expect(status).toBe(200);
  expect(paths).toMatchObject({ '/apis/sample.example.com/v1/gadgets': {}, '/api/v1/pods': {} });
  expect(definitions['Gadget']).toEqual(described.definitions.Gadget);
  expect(definitions['Groups']).toBeUndefined();
  const etag = String(headers['etag']);
  expect((await get({ 'if-none-match': etag })).status).toBe(304);
  const protobuf = await get({ accept: 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf' });
  expect(protobuf.headers['etag']).toBe(etag);
  expect(new TextDecoder('latin1').decode(protobuf.body as Uint8Array)).toContain('/apis/sample.example.com/v1/gadgets');
  expect(asked()).toBe(1);
  expect(other.asked.find(({ path }) => path === '/openapi/v2')?.headers).toMatchObject({ 'x-remote-user': 'system:aggregator' });
  await tank.advance(61_000);
  await get();
  expect(asked()).toBe(2);
  await send({ method: 'DELETE', path: `${apiServices}/v1.sample.example.com` });
  const without = await get({ 'if-none-match': etag });
  expect([without.status, String(without.body).includes('Gadget')]).toEqual([200, false]);
});

test('a replay asks no server and comes to the same digest', async () => {
  const other = new Other();
  const tank = await aCluster(config, { ask: other.ask });
  const send = sender(() => tank);
  await send({ method: 'POST', path: '/api/v1/namespaces/default/services', body: service({ 'sim.wavetank.dev/host-port': '9443' }) });
  await send({ method: 'POST', path: apiServices, body: apiService });
  await settle(tank);
  other.isDown = true;
  for (let i = 0; i < 5; i++) await settle(tank);
  expect(((await verdictOn(send)) as Verdict).status).toBe('False');

  const again = madeCluster(config);
  await again.cluster.start();
  again.door.beginReplay();
  for (const input of tank.inputs) {
    await again.cluster.loop.run(Number.POSITIVE_INFINITY, input.tasksRun);
    again.cluster.loop.advanceIdleTo(input.nowMs);
    again.door.replay(input);
  }
  await again.cluster.loop.run(tank.cluster.loop.nowMs(), tank.cluster.loop.tasksRun);
  again.door.endReplay();
  await again.cluster.loop.run(tank.cluster.loop.nowMs());
  expect(again.cluster.digest).toBe(tank.cluster.digest);
});

test('metrics that somebody brings from outside come in the place of those that are simulated; a metrics server of simulated pods does not', async () => {
  const asked: string[] = [];
  const ask = ({ body }: Question): Promise<Answer> => {
    const { path } = body as unknown as AggregatedCall;
    asked.push(path);
    return Promise.resolve({ outcome: 'answered', body: { code: 200, headers: {}, body: btoa('{"kind":"APIResourceList","resources":[]}') } });
  };
  const tank = await aCluster(config, { ask });
  const send = sender(() => tank);
  const pods = '/apis/metrics.k8s.io/v1beta1/namespaces/default/pods';
  await send({ method: 'POST', path: '/api/v1/namespaces/default/services', body: service({}) });
  const spec = { ...apiService.spec, group: 'metrics.k8s.io', version: 'v1beta1' };
  await send({ method: 'POST', path: apiServices, body: { ...apiService, metadata: { name: 'v1beta1.metrics.k8s.io' }, spec } });
  await settle(tank);
  expect((await send({ method: 'GET', path: pods })).body).toMatchObject({ kind: 'PodMetricsList' });
  expect(asked).toEqual([]);
  const annotation = { metadata: { annotations: { 'sim.wavetank.dev/host-port': '9443' } } };
  await send({
    method: 'PATCH',
    path: '/api/v1/namespaces/default/services/sample',
    body: annotation,
    contentType: 'application/merge-patch+json',
  });
  for (let i = 0; i < 3; i++) await settle(tank);
  expect((await send({ method: 'GET', path: pods })).body).toMatchObject({ kind: 'APIResourceList' });
  expect(asked).toContain(pods);
  const { groups } = (await send({ method: 'GET', path: '/apis' })).body as { readonly groups: readonly { readonly name: string }[] };
  expect(groups.filter(({ name }) => name === 'metrics.k8s.io')).toHaveLength(1);
});

test('whoever applies the manifest of a metrics server finds no APIService in its place, and its own is judged by its Service', async () => {
  const tank = await aCluster(config, { ask: () => Promise.resolve({ outcome: 'failed', message: 'nobody is asked' }) });
  const send = sender(() => tank);
  const path = `${apiServices}/v1beta1.metrics.k8s.io`;
  const available = async (): Promise<object | undefined> => {
    const { status } = (await send({ method: 'GET', path })).body as { readonly status?: { readonly conditions: readonly Verdict[] } };
    return status?.conditions[0];
  };
  expect(await send({ method: 'GET', path })).toMatchObject({ code: 404 });
  const spec = { ...apiService.spec, group: 'metrics.k8s.io', version: 'v1beta1' };
  const metadata = { name: 'v1beta1.metrics.k8s.io' };
  expect(await send({ method: 'POST', path: apiServices, body: { ...apiService, metadata, spec } })).toMatchObject({ code: 201 });
  await settle(tank);
  expect(await available()).toMatchObject({ status: 'False', reason: 'ServiceNotFound' });
  await send({ method: 'POST', path: '/api/v1/namespaces/default/services', body: service({}) });
  const slice = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'sample-1', labels: { 'kubernetes.io/service-name': 'sample' } },
    addressType: 'IPv4',
    ports: [{ name: '443-8443', port: 8443, protocol: 'TCP' }],
    endpoints: [{ addresses: ['10.244.0.9'], conditions: { ready: true }, targetRef: { kind: 'Pod', namespace: 'default', name: 'simulated' } }],
  };
  await send({ method: 'POST', path: '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', body: slice });
  await settle(tank);
  expect(await available()).toMatchObject({ status: 'True', reason: 'Passed', message: 'all checks passed' });
});
