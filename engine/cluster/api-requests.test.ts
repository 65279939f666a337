/** What clients asked for, as `apirequests` and `apiclients` tell it. */
import { describe, expect, test } from 'vitest';
import type { APIClient, APIRequest } from '../api/sim/v1alpha1/api-request.ts';
import type { Overview } from '../api/sim/v1alpha1/overview.ts';
import { RequestLog } from '../apiserver/requests/request-log.ts';
import { requestResources } from './api-requests.ts';
import { aCluster, type TestCluster } from '../../test/support/cluster.ts';

const sim = '/apis/sim.wavetank.dev/v1alpha1';
const maps = '/api/v1/namespaces/default/configmaps';

function requests({ call }: TestCluster, query = ''): readonly APIRequest[] {
  return call<{ kind: string; apiVersion: string; metadata: object; items: readonly APIRequest[] }>('GET', `${sim}/apirequests${query}`).items;
}

function told(made: TestCluster, query = ''): readonly string[] {
  return requests(made, query).map(({ status }) => `${status.verb} ${status.resource ?? status.requestURI} ${status.name ?? '-'} ${status.code}`);
}

describe('requests of clients', () => {
  test('each is told with who asked, what for, what came of it and what it changed', async () => {
    const made = await aCluster({ nodes: 1 });
    const at = new Date(made.cluster.loop.nowMs()).toISOString().slice(0, 19);
    made.call('POST', maps, { metadata: { name: 'a' } });
    made.ask('GET', `${maps}/missing`);
    made.ask('GET', '/nowhere');
    made.call('POST', `${maps}?dryRun=All`, { metadata: { name: 'b' } });
    const [dry, nowhere, missing, created] = requests(made).slice(1);
    const stored = made.cluster.store.get('/registry/configmaps/default/a');
    expect(created?.status).toMatchObject({
      ...{ username: 'kubernetes-admin', userAgent: 'test', verb: 'create', resource: 'configmaps', namespace: 'default', code: 201 },
      change: { input: 1, firstRevision: stored?.modRevision, lastRevision: stored?.modRevision },
    });
    expect(created?.status.requestReceivedTimestamp.slice(0, 19)).toBe(at);
    expect(missing?.status).toMatchObject({ code: 404, reason: 'NotFound', message: 'configmaps "missing" not found' });
    expect(nowhere?.status).toMatchObject({ verb: 'get', requestURI: '/nowhere', code: 404 });
    expect(dry?.status.change).toBeUndefined();
    expect(dry?.status.responseBytes).toBeGreaterThan(100);
    expect(told(made, '?failed=true')).toEqual(['get /nowhere - 404', 'get configmaps missing 404']);
    expect(told(made, '?fieldSelector=status.code%3D201,status.verb%3Dcreate')).toHaveLength(2);
    expect(told(made, '?sort=failed&limit=2')).toEqual(['get /nowhere - 404', 'get configmaps missing 404']);
    expect(() => told(made, '?sort=colour')).toThrow('sort=colour is none of newest, slowest, worst, failed');
    expect(told(made, '?sort=worst&limit=3')).toEqual(['list apirequests - 400', 'get /nowhere - 404', 'get configmaps missing 404']);
    expect(told(made, '?without=other,te')).toEqual([]);
  });

  test('a refused caller is told, and a watch goes on until it ends', async () => {
    const made = await aCluster({ nodes: 1 });
    const request = { method: 'GET', path: '/api/v1/secrets', query: '', headers: {}, body: new Uint8Array(0) };
    made.door.serveAtOnce({ ...request, identity: { name: 'mallory', groups: [] } });
    expect(requests(made)[1]?.status).toMatchObject({ username: 'mallory', code: 403, reason: 'Forbidden', resource: 'secrets' });
    const end = made.watch(`${maps}?watch=true`, () => undefined);
    expect(requests(made, '?verb=watch')[0]?.status).not.toHaveProperty('latencyMs');
    end();
    expect(requests(made, '?verb=watch')[0]?.status.latencyMs).toBeGreaterThanOrEqual(0);
    expect(told(made, '?sort=slowest').at(-1)).not.toContain('create');
  });

  test('clients are counted: those outside, and the components of the cluster', async () => {
    const made = await aCluster({ nodes: 2 });
    made.ask('GET', `${maps}/missing`);
    made.call('POST', maps, { metadata: { name: 'a' } });
    await made.advance(60_000);
    const { items } = made.call<{ kind: string; apiVersion: string; metadata: object; items: readonly APIClient[] }>('GET', `${sim}/apiclients`);
    const one = (name: string) => items.find(({ metadata }) => metadata.name === name)?.status;
    expect(one('outside-test')).toMatchObject({ type: 'Outside', username: 'kubernetes-admin', failed: 1, verbs: { get: 1, create: 1 } });
    expect(one('component-kubelet')?.verbs['update']).toBeGreaterThan(5);
    expect(one('component-kubelet')?.requests).toBeGreaterThan(20);
    const components = items.filter(({ status }) => status.type === 'Component').map(({ status }) => status.client);
    expect(components.toSorted()).toEqual([
      ...['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubelet'],
      ...['kwok', 'wavetank-csi', 'wavetank-faults', 'wavetank-machines', 'wavetank-scenario'],
    ]);
    const { status } = made.call<Overview>('GET', `${sim}/overviews/cluster?parts=4`);
    expect(status.curves?.['requests']?.reduce((sum, count) => sum + count, 0)).toBe(4);
  });
});

test('of a component the last requests are kept, with what came of them and what they changed', async () => {
  const made = await aCluster({ nodes: 1 });
  made.call('POST', '/apis/apps/v1/namespaces/default/replicasets', {
    metadata: { name: 'web' },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'nginx' }] } },
    },
  });
  await made.advance(30_000);
  const created = requests(made, '?component=kube-controller-manager&verb=create&resource=pods').map(({ status }) => status);
  expect(created).toHaveLength(2);
  const change = created[0]?.change;
  expect(created[0]).toMatchObject({ code: 201, namespace: 'default', requestURI: '/api/v1/namespaces/default/pods' });
  expect(created[0]).not.toHaveProperty('latencyMs');
  const [pod] = made.cluster.store.range({ prefix: '/registry/pods/', revision: change?.lastRevision ?? 0 }).items.slice(-1);
  expect(pod?.value.kind).toBe('Pod');
  expect(change).toEqual({ firstRevision: change?.lastRevision, lastRevision: change?.lastRevision });
  // What is read and renewed again and again does not push out what was written.
  await made.advance(3_600_000);
  expect(requests(made, '?component=kubelet&verb=update&resource=pods').length).toBeGreaterThan(0);
  expect(requests(made, '?component=kubelet&resource=leases').length).toBeLessThanOrEqual(40);
  expect(requests(made, '?component=nobody')).toEqual([]);
});

describe('the log of requests', () => {
  const clock = { wallMs: 0, nowMs: 0 };
  const aLog = (max: number): RequestLog => new RequestLog({ wallMs: () => clock.wallMs, nowMs: () => clock.nowMs, max });
  const request = { method: 'GET', path: '/x', query: '', headers: {}, body: new Uint8Array(0) };

  test('keeps so many, and cuts what is long', () => {
    const log = aLog(3);
    const long = 'x'.repeat(256 * 1024);
    for (let count = 0; count < 10; count++) log.begin({ ...request, path: `/${long}`, query: long, headers: { 'user-agent': long } });
    const kept = [...log.newest()];
    expect(kept.map(({ number }) => number)).toEqual([9, 8, 7]);
    expect([log.find(6), log.find(7)?.number]).toEqual([undefined, 7]);
    expect(kept.map(({ uri, userAgent }) => [uri.length, uri.at(-1), userAgent.length])).toEqual(Array(3).fill([512, '…', 256]));
    for (let count = 0; count < 2_000; count++) log.finish(log.begin({ ...request, headers: { 'user-agent': `client-${count}` } }), 200);
    expect(log.clients.list().length).toBeLessThanOrEqual(501);
    expect(log.clients.list().at(-1)).toMatchObject({ client: '(others)', requests: 1_500 });
  });

  test('of a component keeps what it wrote beside what it reads again and again, and counts what was refused', () => {
    const log = aLog(3);
    const asked = {
      group: '',
      version: 'v1',
      resource: 'pods',
      userAgent: 'kubelet/v1',
      identity: { name: 'system:node:a', groups: [] },
      causes: [],
    };
    const written = log.inside({ ...asked, verb: 'update', name: 'a' });
    for (let count = 0; count < 500; count++) log.insideAnswered(log.inside({ ...asked, verb: 'get' }), 200, 1, 0);
    for (let count = 0; count < 500; count++) log.insideAnswered(log.inside({ ...asked, resource: 'leases', verb: 'update' }), 200, count, count);
    log.insideFailed(
      written,
      { ...asked, verb: 'update' },
      { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 409, reason: 'Conflict', message: 'no' },
    );
    const kept = log.clients.recentOf('kubelet');
    expect(kept.map(({ number }) => number)).toEqual(
      [...kept.keys()]
        .slice(0, 40)
        .map((back) => 1000 - back)
        .concat(0),
    );
    expect(kept.at(-1)).toMatchObject({ verb: 'update', name: 'a', code: 409, reason: 'Conflict' });
    expect(log.clients.list()).toMatchObject([{ client: 'kubelet', requests: 1001, failed: 1 }]);
  });

  test('tells how many came in the last second, and how many in each part of a range', () => {
    const log = aLog(10);
    for (let second = 0; second < 20_000; second++) {
      Object.assign(clock, { wallMs: second * 1_000, nowMs: second * 1_000 });
      log.begin(request);
      log.begin(request);
    }
    expect(log.perSecond).toBe(2);
    expect(log.arrivals.within(0, 20_000_000, 4).reduce((sum, count) => sum + count, 0)).toBe(40_000);
    expect(log.arrivals.within(19_990_000, 20_000_000, 1)).toEqual([20]);
    clock.wallMs += 10_000;
    expect(log.perSecond).toBe(0);
  });
});

test('a request that goes on keeps its own word when the log has gone round', () => {
  const log = new RequestLog({ wallMs: () => 0, nowMs: () => 0, max: 2 });
  const request = { method: 'GET', path: '/x', query: '', headers: {}, body: new Uint8Array(0) };
  const open = log.begin(request);
  for (let count = 0; count < 4; count++) log.finish(log.begin({ ...request, path: `/${count}` }), 200, 7);
  log.finish(open, 500, 1);
  expect([...log.newest()].map(({ uri, code, sentBytes }) => `${uri} ${code} ${sentBytes}`)).toEqual(['/3 200 7', '/2 200 7']);
});

test('of a webhook the last questions are told, with the write that each was about and what it said', () => {
  const log = new RequestLog({ wallMs: () => 0, nowMs: () => 1000 });
  const [asked, clients] = requestResources(log);
  const about = { verb: 'create', username: 'ann', group: 'apps', version: 'v1', resource: 'deployments', namespace: 'shop', name: 'web' };
  const body = { url: 'https://policy.example/validate?timeout=10s', text: '{}' };
  const policy = { to: 'webhook/policy.example', body };
  const verdict = () => ({ code: 403, reason: 'Forbidden', message: 'denied: closed', isFailure: false });
  log.asked({ ...policy, about, verdict }, { outcome: 'answered', body: { code: 200, text: '{}' } }, 4);
  log.asked(policy, { outcome: 'timedOut' }, 10_000);
  log.asked({ to: 'extender/other', body: 'anything', about: { verb: 'get', path: '/filter' } }, { outcome: 'failed', message: 'refused' }, 1);
  log.asked({ to: 'extender/other', body: 'anything' }, { outcome: 'answered', body: { code: 500 } }, 1);
  const told = asked?.list({ webhook: 'webhook/policy.example' }, undefined, nobodyAsks) as readonly APIRequest[];
  expect(told.map(({ status }) => status)).toMatchObject([
    { verb: 'call', code: 504, latencyMs: 10_000, requestURI: body.url },
    {
      ...{ verb: 'create', resource: 'deployments', namespace: 'shop', name: 'web', username: 'ann', requestURI: body.url, latencyMs: 4 },
      ...{ code: 403, reason: 'Forbidden', message: 'denied: closed' },
    },
  ]);
  expect(asked?.list({ webhook: 'webhook/policy.example', failed: 'true' }, undefined, nobodyAsks)).toHaveLength(2);
  expect(asked?.list({ webhook: 'extender/other' }, undefined, nobodyAsks)).toMatchObject([
    { status: { code: 500 } },
    { status: { code: 502, message: 'refused', verb: 'get', requestURI: '/filter' } },
  ]);
  expect(asked?.list({}, undefined, nobodyAsks)).toEqual([]);
  const counts = clients?.list({}, undefined, nobodyAsks).map((one) => (one as APIClient).status) ?? [];
  expect(counts.map(({ requests, failed }) => [requests, failed])).toEqual([
    [2, 2],
    [2, 1],
  ]);
});

test('a webhook in the cluster is told of once for each review, whoever answers or nobody', async () => {
  const made = await aCluster({ nodes: 1 });
  const hooks = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
  const clientConfig = { service: { namespace: 'default', name: 'nowhere' } };
  const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }];
  const hook = { admissionReviewVersions: ['v1'], sideEffects: 'None', clientConfig, rules };
  const webhooks = [
    { name: 'a.example.com', failurePolicy: 'Ignore', ...hook },
    { name: 'b.example.com', ...hook },
  ];
  made.call('POST', hooks, { metadata: { name: 'nowhere' }, webhooks });
  for (const name of ['one', 'two']) made.ask('POST', maps, { metadata: { name } });
  const asked = requests(made, '?webhook=webhook%2Fb.example.com');
  const told = {
    verb: 'create',
    resource: 'configmaps',
    namespace: 'default',
    code: 503,
    message: expect.stringContaining('service "nowhere" not found'),
  };
  expect(asked.map(({ status }) => status)).toMatchObject([
    { name: 'two', ...told },
    { name: 'one', ...told },
  ]);
  const clients = made.call<{ items: readonly APIClient[] }>('GET', `${sim}/apiclients`).items.filter(({ status }) => status.type === 'Webhook');
  expect(clients.map(({ status }) => [status.client, status.requests, status.failed])).toEqual([
    ['webhook/a.example.com', 2, 2],
    ['webhook/b.example.com', 2, 2],
  ]);
});

const nobodyAsks = (): never => {
  throw new Error('nobody is asked');
};
