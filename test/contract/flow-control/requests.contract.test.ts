/**
 * Requests under priority and fairness: where each belongs, what it holds while it is served, and what becomes of those who find no
 * seat. What a busy server answers, counts and shows was asked of kube-apiserver 1.36.
 */
import { expect, test } from 'vitest';
import { defineAdmissionPlugin } from '../../../engine/apiserver/admission/plugin.ts';
import type { KubeList } from '../../../engine/apimachinery/object.ts';
import type { HttpPlainResponse, HttpResponse } from '../../../engine/apiserver/http-types.ts';
import type { ClusterHost } from '../../../engine/cluster/cluster-host.ts';
import type { ClusterConfig } from '../../../engine/cluster/config.ts';
import { adminIdentity } from '../../../engine/cluster/identities.ts';
import type { Answer as Answered } from '../../../engine/contracts/questions.ts';
import type { Identity } from '../../../engine/contracts/request.ts';
import { aCluster, type TestCluster } from '../../support/cluster.ts';

const base = '/apis/flowcontrol.apiserver.k8s.io/v1';
const maps = '/api/v1/namespaces/default/configmaps';

/** A webhook that answers when the test says so. */
const asking = defineAdmissionPlugin({
  name: 'Asking',
  verbs: ['CREATE'],
  resources: ['configmaps'],
  validate({ ask, name, namespace }) {
    if (namespace === 'default') ask({ to: 'webhook/slow', body: { name }, timeoutMs: 30_000 });
  },
});

/** A cluster whose ConfigMaps ask, on a wall clock that the test moves. */
async function aBusyCluster(options: ClusterConfig['options'] = {}, more: Partial<ClusterHost> = {}) {
  const open: (() => void)[] = [];
  const timers: { dueMs: number; readonly call: () => void }[] = [];
  const wall = { nowMs: 1000 };
  const tank = await aCluster(
    { nodes: 0, options: { controllers: '-*', ...options } },
    {
      admissionPlugins: [asking],
      wallMs: () => wall.nowMs,
      after: (delayMs, call) => {
        const timer = { dueMs: wall.nowMs + delayMs, call };
        timers.push(timer);
        return () => void timers.splice(timers.indexOf(timer), timers.includes(timer) ? 1 : 0);
      },
      ask: () => new Promise<Answered>((resolve) => open.push(() => resolve({ outcome: 'answered', body: {} }))),
      ...more,
    },
  );
  const pass = (ms: number): void => {
    wall.nowMs += ms;
    for (const timer of timers.filter(({ dueMs }) => dueMs <= wall.nowMs)) {
      timers.splice(timers.indexOf(timer), 1);
      timer.call();
    }
  };
  return { tank, open, pass };
}

const settle = async (): Promise<void> => {
  for (let hop = 0; hop < 20; hop++) await new Promise((resolve) => setImmediate(resolve));
};

const userOf = (name: string): Identity => ({ name, groups: ['system:authenticated'] });

function send(
  { door }: TestCluster,
  method: string,
  path: string,
  identity: Identity = adminIdentity,
  body?: object,
): HttpResponse | Promise<HttpResponse> {
  const [route = '', query = ''] = path.split('?', 2);
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  return door.serve({
    method,
    path: route,
    query,
    headers,
    body: new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body)),
    identity,
  });
}

function textOf(response: HttpResponse | Promise<HttpResponse>): string {
  return String((response as HttpPlainResponse).body);
}

function dump(tank: TestCluster, what: string): string[] {
  return textOf(send(tank, 'GET', `/debug/api_priority_and_fairness/${what}`)).split('\n');
}

/** A level of one seat for one user, who may do everything. */
function aLevel({ call }: TestCluster, name: string, user: string, limitResponse: object, shares = 1): void {
  const limited = { nominalConcurrencyShares: shares, borrowingLimitPercent: 0, limitResponse };
  call('POST', `${base}/prioritylevelconfigurations`, { metadata: { name }, spec: { type: 'Limited', limited } });
  const resourceRules = [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'], clusterScope: true }];
  const rules = [{ subjects: [{ kind: 'User', user: { name: user } }], resourceRules }];
  const spec = { priorityLevelConfiguration: { name }, matchingPrecedence: 500, distinguisherMethod: { type: 'ByUser' }, rules };
  call('POST', `${base}/flowschemas`, { metadata: { name: `s${user}` }, spec });
  call('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: user },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
  });
}

const queue = { type: 'Queue', queuing: { queues: 2, handSize: 1, queueLengthLimit: 3 } };
const small = { 'max-requests-inflight': '20', 'max-mutating-requests-inflight': '10' };

/** Requests of one user at once, each with what was answered so far. */
function burst(tank: TestCluster, user: string, count: number): (HttpPlainResponse | undefined)[] {
  const answers: (HttpPlainResponse | undefined)[] = Array.from({ length: count }, () => undefined);
  answers.forEach((_, index) => {
    const answer = send(tank, 'POST', maps, userOf(user), { metadata: { name: `${user}-${index}` } });
    void Promise.resolve(answer).then((response) => (answers[index] = response as HttpPlainResponse));
  });
  return answers;
}

const codesOf = (answers: readonly (HttpPlainResponse | undefined)[]): (number | undefined)[] => answers.map((answer) => answer?.status);

test('each request belongs to the first schema by precedence that meets it, and its answer says so', async () => {
  const tank = await aCluster({ nodes: 0 });
  const uids = new Map(
    ['flowschemas', 'prioritylevelconfigurations'].flatMap((path) =>
      tank.call<KubeList>('GET', `${base}/${path}`).items.map(({ metadata }) => [metadata.uid, metadata.name]),
    ),
  );
  const node: Identity = { name: 'system:node:a', groups: ['system:nodes', 'system:authenticated'] };
  const account = (namespace: string): Identity => ({
    name: `system:serviceaccount:${namespace}:x`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
  });
  const cases: readonly [Identity, string, string, string | undefined, string | undefined][] = [
    [adminIdentity, 'GET', '/version', 'exempt', 'exempt'],
    [userOf('alice'), 'GET', '/healthz', 'probes', 'exempt'],
    [userOf('alice'), 'GET', '/version', 'global-default', 'global-default'],
    [{ name: 'system:anonymous', groups: ['system:unauthenticated'] }, 'GET', maps, 'global-default', 'global-default'],
    [node, 'PATCH', '/api/v1/nodes/a/status', 'system-node-high', 'node-high'],
    [node, 'GET', '/api/v1/pods', 'system-nodes', 'system'],
    [account('kube-system'), 'GET', maps, 'kube-system-service-accounts', 'workload-high'],
    [account('default'), 'GET', maps, 'service-accounts', 'workload-low'],
    [account('kube-system'), 'PUT', '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/l', 'system-leader-election', 'leader-election'],
    [userOf('system:kube-scheduler'), 'GET', '/api/v1/pods', 'kube-scheduler', 'workload-high'],
    [userOf('alice'), 'GET', `${maps}?watch=1`, 'global-default', 'global-default'],
    // What goes on for long takes no seat, but for the beginning of a watch.
    [adminIdentity, 'GET', '/api/v1/namespaces/default/pods/p/log', undefined, undefined],
    [{ name: 'nobody', groups: [] }, 'GET', '/version', 'catch-all', 'catch-all'],
  ];
  for (const [identity, method, path, schema, level] of cases) {
    const { headers } = send(tank, method, path, identity) as HttpPlainResponse;
    const named = ['flowschema', 'prioritylevel'].map((kind) => uids.get(String(headers[`x-kubernetes-pf-${kind}-uid`])));
    expect([identity.name, path, ...named]).toEqual([identity.name, path, schema, level]);
  }
});

test('a request waits for a seat no longer than a quarter of the time that it gives itself', async () => {
  const { tank, pass } = await aBusyCluster(small);
  aLevel(tank, 'lq', 'usera', queue);
  burst(tank, 'usera', 1);
  const codes = new Map<string, number>();
  for (const query of ['timeout=2s', 'timeout=20s', 'watch=1&timeout=2s'])
    void Promise.resolve(send(tank, 'GET', `${maps}?${query}`, userOf('usera'))).then((answer) =>
      codes.set(query, (answer as HttpPlainResponse).status),
    );
  await settle();
  expect([...codes]).toEqual([]);
  pass(499);
  await settle();
  expect([...codes]).toEqual([]);
  pass(1);
  await settle();
  expect([...codes]).toEqual([['timeout=2s', 429]]);
  pass(4500);
  await settle();
  expect([...codes.keys()]).toEqual(['timeout=2s', 'timeout=20s']);
  pass(10_000);
  await settle();
  expect([...codes.values()]).toEqual([429, 429, 429]);
});

test('a slow question fills the seat, others queue, and who finds the queue full is sent away', async () => {
  const { tank, open, pass } = await aBusyCluster(small);
  aLevel(tank, 'lq', 'usera', queue);
  aLevel(tank, 'lr', 'userb', { type: 'Reject' });
  const queued = burst(tank, 'usera', 10);
  const rejected = burst(tank, 'userb', 10);
  await settle();
  expect(codesOf(queued)).toEqual([undefined, undefined, undefined, undefined, 429, 429, 429, 429, 429, 429]);
  expect(codesOf(rejected)).toEqual([undefined, ...Array.from({ length: 9 }, () => 429)]);
  expect(rejected[9]).toMatchObject({
    body: 'Too many requests, please try again later.\n',
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'retry-after': '1',
      'x-content-type-options': 'nosniff',
      'x-kubernetes-pf-flowschema-uid': expect.stringMatching(/./),
      'audit-id': expect.stringMatching(/./),
    },
  });
  expect(dump(tank, 'dump_priority_levels').filter((line) => /^(Priority|l[qr],)/.test(line))).toEqual([
    'PriorityLevelName, ActiveQueues, IsIdle, IsQuiescing, WaitingRequests, ExecutingRequests, DispatchedRequests, RejectedRequests, TimedoutRequests, CancelledRequests',
    'lq,                1,            false,  false,       3,               1,                 1,                  6,                0,                0',
    'lr,                0,            false,  false,       0,               1,                 1,                  9,                0,                0',
  ]);
  expect(dump(tank, 'dump_queues').filter((line) => line.startsWith('lq,') && !/ 0, +0, +0, /.test(line))).toEqual([
    expect.stringMatching(/^lq, {16}[01], {6}3, {15}1, {17}1, {10}0\.\d{8}ss, {2}3, {15}3, {11}0\.00900000ss$/),
  ]);
  const requests = dump(tank, 'dump_requests?includeRequestDetails=1').filter((line) => /^(l[qr],)/.test(line));
  expect(requests.map((line) => line.replaceAll(/ +/g, ' ').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'T'))).toEqual([
    ...[0, 1, 2].map((index) =>
      expect.stringMatching(new RegExp(`^lq, susera, [01], ${index}, usera, T, 1, 0, 0s, T, usera, create, ${maps}, default, , v1, configmaps, $`)),
    ),
    expect.stringMatching(/^lq, susera, [01], -1, usera, T, 1, 0, 0s, T, usera, create, /),
    `lr, suserb, -1, -1, , T, 1, 0, 0s, T, userb, create, ${maps}, default, , v1, configmaps, `,
  ]);
  const metrics = textOf(send(tank, 'GET', '/metrics'))
    .split('\n')
    .filter((line) => /"l[qr]"/.test(line) && !line.includes('request_concurrency'));
  expect(metrics).toEqual(
    expect.arrayContaining([
      'apiserver_flowcontrol_current_executing_requests{flow_schema="susera",priority_level="lq"} 1',
      'apiserver_flowcontrol_current_inqueue_requests{flow_schema="susera",priority_level="lq"} 3',
      'apiserver_flowcontrol_current_limit_seats{priority_level="lq"} 1',
      'apiserver_flowcontrol_nominal_limit_seats{priority_level="lr"} 1',
      'apiserver_flowcontrol_rejected_requests_total{flow_schema="susera",priority_level="lq",reason="queue-full"} 6',
      'apiserver_flowcontrol_rejected_requests_total{flow_schema="suserb",priority_level="lr",reason="concurrency-limit"} 9',
    ]),
  );
  for (const [index, code] of [
    [0, 201],
    [1, 201],
  ] as const) {
    pass(4000);
    open.splice(0).forEach((answer) => answer());
    await settle();
    expect(queued[index]?.status).toBe(code);
  }
  expect(codesOf(queued).slice(0, 4)).toEqual([201, 201, undefined, undefined]);
  // A quarter of the minute that a request may take.
  pass(7001);
  await settle();
  expect(codesOf(queued).slice(0, 4)).toEqual([201, 201, undefined, 429]);
  open.splice(0).forEach((answer) => answer());
  await settle();
  expect(codesOf(queued).slice(0, 4)).toEqual([201, 201, 201, 429]);
  expect(dump(tank, 'dump_priority_levels').find((line) => line.startsWith('lq,'))).toBe(
    'lq,                0,            true,   false,       0,               0,                 3,                  6,                1,                0',
  );
});

test('a client that goes away while it queues is taken out of the queue, and makes room for another', async () => {
  const { tank, open, pass } = await aBusyCluster(small);
  aLevel(tank, 'lq', 'usera', queue);
  const leave: (() => void)[] = [];
  let forgotten = 0;
  const post = (name: string): Promise<HttpPlainResponse> =>
    Promise.resolve(
      tank.door.serve({
        method: 'POST',
        path: maps,
        query: '',
        headers: { 'content-type': 'application/json' },
        body: new TextEncoder().encode(JSON.stringify({ metadata: { name } })),
        identity: userOf('usera'),
        onGone: (call) => {
          leave.push(call);
          return () => void forgotten++;
        },
      }),
    ) as Promise<HttpPlainResponse>;
  const [first, second, third, fourth] = ['a', 'b', 'c', 'd'].map(post);
  await settle();
  expect((await post('e')).status).toBe(429);
  pass(300);
  // The second and the third of all, the first and the second of those who wait.
  leave[0]?.();
  leave[1]?.();
  expect((await Promise.all([second, third])).map((response) => response?.status)).toEqual([429, 429]);
  const late = post('f');
  await settle();
  expect(dump(tank, 'dump_priority_levels').find((line) => line.startsWith('lq,'))).toBe(
    'lq,                1,            false,  false,       2,               1,                 1,                  1,                0,                2',
  );
  for (let served = 0; served < 3; served++) {
    open.splice(0).forEach((answer) => answer());
    await settle();
  }
  expect((await Promise.all([first, fourth, late])).map((response) => response?.status)).toEqual([201, 201, 201]);
  // Who is served is not to be taken out any more.
  leave[2]?.();
  leave[3]?.();
  expect(forgotten).toBe(4);
  const metrics = textOf(send(tank, 'GET', '/metrics')).split('\n');
  const of = 'flow_schema="susera",priority_level="lq"';
  expect(metrics).toEqual(
    expect.arrayContaining([
      `apiserver_flowcontrol_current_inqueue_requests{${of}} 0`,
      `apiserver_flowcontrol_rejected_requests_total{${of},reason="cancelled"} 2`,
      `apiserver_flowcontrol_request_wait_duration_seconds_bucket{execute="false",${of},le="0.2"} 0`,
      `apiserver_flowcontrol_request_wait_duration_seconds_bucket{execute="false",${of},le="0.5"} 2`,
      `apiserver_flowcontrol_request_wait_duration_seconds_sum{execute="false",${of}} 0.6`,
      `apiserver_flowcontrol_request_wait_duration_seconds_count{execute="true",${of}} 3`,
      `apiserver_flowcontrol_request_execution_seconds_bucket{${of},type="regular",le="+Inf"} 3`,
      `apiserver_flowcontrol_work_estimated_seats_bucket{${of},le="1"} 6`,
      'apiserver_flowcontrol_demand_seats_high_watermark{priority_level="lq"} 0',
    ]),
  );
  // In the order of bounds, not of their texts.
  const bounds = metrics
    .filter((line) => line.startsWith(`apiserver_flowcontrol_work_estimated_seats_bucket{${of}`))
    .map((line) => /le="([^"]+)"/.exec(line)?.[1]);
  expect(bounds).toEqual(['1', '2', '4', '8', '16', '32', '64', '100', '+Inf']);
});

test('who waits is no obstacle for another level, nor for the privileged', async () => {
  const { tank, open } = await aBusyCluster(small);
  aLevel(tank, 'lq', 'usera', queue);
  burst(tank, 'usera', 3);
  await settle();
  expect((send(tank, 'GET', maps) as HttpPlainResponse).status).toBe(200);
  expect((send(tank, 'GET', '/version', userOf('carol')) as HttpPlainResponse).status).toBe(200);
  expect(send(tank, 'GET', maps, userOf('usera'))).toBeInstanceOf(Promise);
  while (open.length > 0) {
    open.splice(0).forEach((answer) => answer());
    await settle();
  }
});

test('a flow that floods its queue does not hold up another flow of the level', async () => {
  const { tank, open } = await aBusyCluster(small);
  aLevel(tank, 'lq', 'usera', { type: 'Queue', queuing: { queues: 64, handSize: 1, queueLengthLimit: 50 } });
  const schema = tank.call('GET', `${base}/flowschemas/susera`) as unknown as unknown as { spec: { rules: { subjects: object[] }[] } };
  schema.spec.rules[0]?.subjects.push({ kind: 'User', user: { name: 'kubernetes-light' } });
  tank.call('PUT', `${base}/flowschemas/susera`, schema);
  tank.call(
    'PATCH',
    '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/usera',
    { subjects: [...['usera', 'kubernetes-light'].map((name) => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name }))] },
    'application/merge-patch+json',
  );
  const heavy = burst(tank, 'usera', 20);
  const light = burst(tank, 'kubernetes-light', 1);
  await settle();
  for (let served = 0; served < 3; served++) {
    open.splice(0).forEach((answer) => answer());
    await settle();
  }
  expect(codesOf(light)).toEqual([201]);
  expect(codesOf(heavy).filter((code) => code !== undefined).length).toBeLessThan(4);
  while (open.length > 0) {
    open.splice(0).forEach((answer) => answer());
    await settle();
  }
  expect(codesOf(heavy)).toEqual(Array.from({ length: 20 }, () => 201));
});

test('a list that is sent piece by piece holds its seat until it is sent, or until nobody wants it', async () => {
  const { tank } = await aBusyCluster(small, { admissionPlugins: [] });
  aLevel(tank, 'lr', 'userb', { type: 'Reject' });
  for (let index = 0; index < 600; index++) tank.call('POST', maps, { metadata: { name: `m${index}` }, data: { text: 'x'.repeat(300) } });
  const list = (): HttpPlainResponse => send(tank, 'GET', maps, userOf('userb')) as HttpPlainResponse;
  const sent = list();
  expect(typeof sent.body).toBe('object');
  expect(list().status).toBe(429);
  for (const chunk of sent.body as Iterable<string>) expect(chunk.length).toBeGreaterThan(0);
  const left = list();
  expect(left.status).toBe(200);
  expect(list().status).toBe(429);
  (left.body as Iterable<string>)[Symbol.iterator]().return?.();
  expect(list().status).toBe(200);
});

test.each([
  ['rejects', { type: 'Reject' }],
  ['queues', queue],
] as const)('what is short waits for no list on its way, in a level that %s', async (_, response) => {
  const { tank, open } = await aBusyCluster(small);
  aLevel(tank, 'lx', 'userb', response);
  const system = '/api/v1/namespaces/kube-system/configmaps';
  for (let index = 0; index < 600; index++) tank.call('POST', system, { metadata: { name: `m${index}` }, data: { text: 'x'.repeat(300) } });
  const ask = (method: string, path: string, body?: object) => send(tank, method, path, userOf('userb'), body);
  const lists = [ask('GET', system), ask('GET', system)] as const;
  // The second is sent away, or waits.
  if (lists[1] instanceof Promise) expect(response).toBe(queue);
  else expect((lists[1] as HttpPlainResponse).status).toBe(429);
  expect((ask('GET', `${system}/m1`) as HttpPlainResponse).status).toBe(200);
  expect((ask('POST', system, { metadata: { name: 'new' } }) as HttpPlainResponse).status).toBe(201);
  // One that asks has the seat for what is short, and the next finds none.
  const asking = ask('POST', maps, { metadata: { name: 'asks' } });
  await settle();
  const next = ask('GET', `${system}/m1`);
  if (next instanceof Promise) expect(response).toBe(queue);
  else expect((next as HttpPlainResponse).status).toBe(429);
  open.splice(0).forEach((answer) => answer());
  expect(((await asking) as HttpPlainResponse).status).toBe(201);
  for (const _chunk of (lists[0] as HttpPlainResponse).body as Iterable<string>);
  const late = (await lists[1]) as HttpPlainResponse;
  if (late.status === 200) for (const _chunk of late.body as Iterable<string>);
  expect([200, 429]).toContain(((await next) as HttpPlainResponse).status);
  expect(dump(tank, 'dump_priority_levels').find((line) => line.startsWith('lx,'))).toMatch(/^lx, +0, +true, +false, +0, +0,/);
  expect(textOf(send(tank, 'GET', '/metrics'))).toContain(
    'apiserver_flowcontrol_current_executing_seats{flow_schema="suserb",priority_level="lx"} 0',
  );
});

test('a client that takes its list byte by byte holds its seat for a minute at most', async () => {
  const { tank, pass } = await aBusyCluster(small, { admissionPlugins: [] });
  aLevel(tank, 'lr', 'userb', { type: 'Reject' });
  for (let index = 0; index < 600; index++) tank.call('POST', maps, { metadata: { name: `m${index}` }, data: { text: 'x'.repeat(300) } });
  const list = (): HttpPlainResponse => send(tank, 'GET', maps, userOf('userb')) as HttpPlainResponse;
  const slow = (list().body as Iterable<string>)[Symbol.iterator]();
  slow.next();
  pass(59_000);
  expect(list().status).toBe(429);
  pass(1000);
  const next = list();
  expect(next.status).toBe(200);
  // What is left of the slow one gives back nothing twice.
  slow.return?.();
  expect(list().status).toBe(429);
});

test('a seat is given back by who may no longer do what he waited for', async () => {
  const { tank, open } = await aBusyCluster(small);
  aLevel(tank, 'lq', 'usera', queue);
  const sent = (): Promise<HttpResponse> =>
    Promise.resolve(
      tank.door.serve({
        method: 'POST',
        path: maps,
        query: '',
        headers: { 'content-type': 'application/json', 'impersonate-user': 'usera' },
        body: new TextEncoder().encode('{"metadata":{"generateName":"x-"}}'),
        identity: userOf('carol'),
      }),
    );
  const bind = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' };
  const binding = { metadata: { name: 'carol' }, roleRef: bind, subjects: [{ apiGroup: bind.apiGroup, kind: 'User', name: 'carol' }] };
  tank.call('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', binding);
  const answers = [sent(), sent()];
  await settle();
  expect(dump(tank, 'dump_priority_levels').find((line) => line.startsWith('lq,'))).toMatch(/^lq, +1, +false, +false, +1, +1,/);
  tank.call('DELETE', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/carol');
  open.splice(0).forEach((answer) => answer());
  await settle();
  expect((await Promise.all(answers)).map((answer) => (answer as HttpPlainResponse).status)).toEqual([403, 403]);
  expect(dump(tank, 'dump_priority_levels').find((line) => line.startsWith('lq,'))).toMatch(/^lq, +0, +true, +false, +0, +0,/);
});

test('a watch holds its seat while it begins', async () => {
  const { tank } = await aBusyCluster(small, { admissionPlugins: [] });
  aLevel(tank, 'lr', 'userb', { type: 'Reject' });
  tank.call('POST', maps, { metadata: { name: 'a' } });
  const watch = (): HttpResponse => send(tank, 'GET', `${maps}?watch=1`, userOf('userb')) as HttpResponse;
  const stream = watch();
  expect((watch() as HttpPlainResponse).status).toBe(429);
  const chunks: unknown[] = [];
  if (!('open' in stream)) throw new Error('no stream');
  stream.open({ write: (chunk) => chunks.push(chunk), end: () => undefined });
  expect((watch() as HttpPlainResponse).status).toBe(429);
  for (const chunk of chunks) if (typeof chunk === 'function') (chunk as () => unknown)();
  expect((watch() as HttpPlainResponse).status).toBe(200);
});

test('a server that nobody asks divides its seats as the real one, and says how full it is', async () => {
  const { tank, pass } = await aBusyCluster({}, { admissionPlugins: [] });
  const sample = (name: string): Record<string, number> =>
    Object.fromEntries(
      textOf(send(tank, 'GET', '/metrics'))
        .split('\n')
        .flatMap((line) => {
          const [, level = '', value = ''] = new RegExp(`^apiserver_flowcontrol_${name}\\{.*priority_level="([^"]+)"\\} (.*)$`).exec(line) ?? [];
          return level === '' ? [] : [[level, Number(value)]];
        }),
    );
  const levels = {
    'catch-all': 30,
    'global-default': 56,
    'leader-election': 58,
    'node-high': 170,
    system: 117,
    'workload-high': 114,
    'workload-low': 56,
  };
  expect(sample('current_limit_seats')).toMatchObject(levels);
  expect(sample('target_seats')).toMatchObject({ 'catch-all': 13, 'global-default': 24, 'leader-election': 25, 'node-high': 73, system: 50 });
  expect(textOf(send(tank, 'GET', '/metrics'))).toContain('apiserver_flowcontrol_seat_fair_frac 2.3333333');
  pass(30_000);
  // Thirty seconds are so many nanoseconds, at each of which none of its seats was taken.
  expect(sample('priority_level_seat_utilization_count')).toMatchObject({ 'global-default': 3e10 });
  expect(sample('demand_seats_sum')).toMatchObject({ 'global-default': 0 });
});

test('a request that goes on is dealt a queue of its flow, as on the real server', async () => {
  const { tank, open } = await aBusyCluster();
  tank.call('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: 'g' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:authenticated' }],
  });
  const before = (dump(tank, 'dump_priority_levels').find((line) => line.startsWith('global-default')) ?? '').split(',')[6];
  expect(Number(before)).toBe(0);
  for (const [index, user] of ['usera', 'usera', 'userb', 'usera'].entries())
    void send(tank, 'POST', maps, userOf(user), { metadata: { name: `${user}-${index}` } });
  await settle();
  const rows = dump(tank, 'dump_requests').filter((line) => line.startsWith('global-default,'));
  expect(rows.map((line) => line.split(/, +/)).map(([, , queueIndex, place, flow]) => `${flow} ${queueIndex} ${place}`)).toEqual([
    'usera 93 -1',
    'usera 56 -1',
    'userb 13 -1',
    'usera 86 -1',
  ]);
  expect(dump(tank, 'dump_queues').filter((line) => /^global-default, +(93|56|13|86), +0, +1, +1,/.test(line))).toHaveLength(4);
  while (open.length > 0) {
    open.splice(0).forEach((answer) => answer());
    await settle();
  }
  expect(dump(tank, 'dump_queues').filter((line) => line.startsWith('global-default,') && !/^[^,]+, +\d+, +0, +0, +0,/.test(line))).toEqual([]);
});

test('a write that many watch keeps seats for a while after its answer', async () => {
  const { tank, open, pass } = await aBusyCluster(small);
  aLevel(tank, 'lq', 'usera', queue, 60);
  const watching = Array.from({ length: 25 }, () => {
    const stream = send(tank, 'GET', `${maps}?watch=1&resourceVersion=0`);
    if (!('open' in stream)) throw new Error('no stream');
    return stream.open({ write: (chunk) => void (typeof chunk === 'function' && (chunk as () => unknown)()), end: () => undefined });
  });
  const seats = (): string[] =>
    dump(tank, 'dump_requests')
      .filter((line) => line.startsWith('lq,'))
      .map((line) => line.split(/, +/).slice(6, 9).join(' '));
  const inUse = (): string | undefined =>
    / (\d+)$/.exec(
      textOf(send(tank, 'GET', '/metrics'))
        .split('\n')
        .find((line) => line.startsWith('apiserver_flowcontrol_current_executing_seats{flow_schema="susera"')) ?? '',
    )?.[1];
  const answers = burst(tank, 'usera', 1);
  await settle();
  // The level has six seats, of which one request gets no more than one: three seats for five milliseconds are one for fifteen.
  expect(seats()).toEqual(['1 1 15ms']);
  open.splice(0).forEach((answer) => answer());
  await settle();
  expect([codesOf(answers), seats(), inUse()]).toEqual([[201], [], '1']);
  pass(14);
  expect(inUse()).toBe('1');
  pass(1);
  expect(inUse()).toBe('0');
  for (const close of watching.splice(5)) close();
  void burst(tank, 'usera', 2);
  await settle();
  expect(seats()).toEqual(['1 0 0s', '1 0 0s']);
  for (const close of watching) close();
  expect(textOf(send(tank, 'GET', '/metrics'))).toContain(
    'apiserver_flowcontrol_watch_count_samples_sum{flow_schema="susera",priority_level="lq"} 35',
  );
  while (open.length > 0) {
    open.splice(0).forEach((answer) => answer());
    await settle();
  }
});

const widths: readonly (readonly [gates: string, seats: readonly number[]])[] = [
  // 40 of 50,000 bytes are two million, of which a list from the cache counts one: ten seats. From storage they are all.
  ['', [10, 10, 2, 20, 1, 1, 10]],
  ['SizeBasedListCostEstimate=false', [1, 1, 1, 1, 1, 1, 1]],
  ['WatchList=false', [10, 10, 2, 20, 1, 1, 1]],
];

test.each(widths)('lists take seats for what they hold at once; gates: "%s"', async (gates, expected) => {
  const { tank } = await aBusyCluster({ 'feature-gates': gates }, { admissionPlugins: [] });
  aLevel(tank, 'lr', 'userb', { type: 'Reject' }, 245);
  for (let index = 0; index < 40; index++) tank.call('POST', maps, { metadata: { name: `m${index}` }, data: { text: 'x'.repeat(49_750) } });
  const taken = (): number =>
    Number(/work_estimated_seats_sum\{flow_schema="suserb",priority_level="lr"\} (\d+)/.exec(textOf(send(tank, 'GET', '/metrics')))?.[1] ?? 0);
  const queries = [
    '',
    'labelSelector=a',
    'limit=4',
    'limit=40&resourceVersion=5',
    'fieldSelector=metadata.name%3Dm1',
    'watch=1&resourceVersion=5',
    'watch=1',
  ];
  const seats = queries.map((query) => {
    const before = taken();
    const response = send(tank, 'GET', `${maps}?${query}`, userOf('userb'));
    if ('open' in response)
      response.open({ write: (chunk) => void (typeof chunk === 'function' && (chunk as () => unknown)()), end: () => undefined })();
    else if ('body' in response && typeof response.body === 'object') for (const _ of response.body as Iterable<string>);
    return taken() - before;
  });
  expect(seats).toEqual(expected);
});

test('seats that a level does not want are borrowed by one that does', async () => {
  const { tank, open, pass } = await aBusyCluster({ 'max-requests-inflight': '0', 'max-mutating-requests-inflight': '245' });
  // 245 shares in all, so that a share is a seat: global-default has 20 of its own, three more that nobody wants, and may have more.
  const answers = burst(tank, 'system:serviceaccount:default:x', 1);
  expect(answers).toHaveLength(1);
  const bind = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' };
  tank.call('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: 'c' },
    roleRef: bind,
    subjects: [{ apiGroup: bind.apiGroup, kind: 'User', name: 'carol' }],
  });
  burst(tank, 'carol', 100);
  await settle();
  const levelOf = (): number[] =>
    (dump(tank, 'dump_priority_levels').find((line) => line.startsWith('global-default')) ?? '').split(',').slice(4, 6).map(Number);
  expect(levelOf()).toEqual([77, 23]);
  pass(10_000);
  await settle();
  expect(levelOf()).toEqual([0, 100]);
  while (open.length > 0) {
    open.splice(0).forEach((answer) => answer());
    await settle();
  }
});

test('without priority and fairness so many come in as the limits say, and the privileged always', async () => {
  const { tank, open } = await aBusyCluster({ 'enable-priority-and-fairness': 'false', 'max-mutating-requests-inflight': '2' });
  const bind = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' };
  tank.call('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: 'c' },
    roleRef: bind,
    subjects: [{ apiGroup: bind.apiGroup, kind: 'User', name: 'carol' }],
  });
  const answers = burst(tank, 'carol', 4);
  await settle();
  expect(codesOf(answers)).toEqual([undefined, undefined, 429, 429]);
  expect((send(tank, 'GET', maps, userOf('carol')) as HttpPlainResponse).status).toBe(200);
  expect((send(tank, 'DELETE', `${maps}/none`) as HttpPlainResponse).status).toBe(404);
  open.splice(0).forEach((answer) => answer());
  await settle();
  expect(codesOf(answers)).toEqual([201, 201, 429, 429]);
  expect((send(tank, 'GET', '/debug/api_priority_and_fairness/dump_queues') as HttpPlainResponse).status).toBe(404);
});

test('nobody waits for a server that ends', async () => {
  const { tank, open } = await aBusyCluster(small);
  aLevel(tank, 'lq', 'usera', queue);
  const answers = burst(tank, 'usera', 3);
  await settle();
  const closed = tank.door.close();
  open.splice(0).forEach((answer) => answer());
  await closed;
  await settle();
  expect(codesOf(answers)).toEqual([201, 429, 429]);
});
