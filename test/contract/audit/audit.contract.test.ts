/**
 * The audit log beside that of a real kube-apiserver 1.36: `recorded-events.json` holds what it wrote for the same requests under the
 * same policy, without what differs from run to run (uids, times, resource versions).
 */
import { expect, test } from 'vitest';
import type { AuditOptions } from '../../../engine/apiserver/audit/auditor.ts';
import type { AuditFormat } from '../../../engine/apiserver/audit/event.ts';
import { readPolicy } from '../../../engine/apiserver/audit/policy-file.ts';
import { defineAdmissionPlugin } from '../../../engine/apiserver/admission/plugin.ts';
import { adminIdentity } from '../../../engine/cluster/identities.ts';
import type { HttpResponse } from '../../../engine/apiserver/http-types.ts';
import { aCluster, aDeployment, madeCluster, type TestCluster } from '../../support/cluster.ts';
import recorded from './recorded-events.json' with { type: 'json' };

type Event = { readonly [key: string]: unknown };

/** A log that is kept in memory; `refuses` is `blocking-strict` on a full disk. */
function aLog(policy: string, { format = 'json', refuses = () => false }: { format?: AuditFormat; refuses?: () => boolean | Promise<boolean> } = {}) {
  const lines: string[] = [];
  const write = (line: string): boolean | Promise<boolean> => {
    const isRefused = refuses();
    if (isRefused === true) return false;
    lines.push(line);
    return isRefused === false || isRefused.then((refused) => !refused);
  };
  const audit: AuditOptions = { policy: readPolicy(policy, 'policy.yaml').policy, backends: [{ format, sink: { write } }] };
  return { audit, lines, events: (): Event[] => lines.map((line) => JSON.parse(line) as Event) };
}

function policyOf(...rules: object[]): string {
  return JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules });
}

const outsideOnly = [
  { level: 'None', userGroups: ['system:nodes', 'system:serviceaccounts'] },
  { level: 'None', users: ['system:*'] },
];

function send({ door }: TestCluster, method: string, path: string, body?: unknown, headers: Record<string, string> = {}): HttpResponse {
  const [route = '', query = ''] = path.split('?', 2);
  const bytes = new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body));
  const common = { accept: 'application/json', 'content-type': 'application/json', 'user-agent': 'test', ...headers };
  const known = headers['authorization'] === undefined ? { identity: adminIdentity } : {};
  const answer = door.serveAtOnce({ method: method === 'WATCH' ? 'GET' : method, path: route, query, headers: common, body: bytes, ...known });
  if ('open' in answer) answer.open({ write: () => undefined, end: () => undefined })();
  return answer;
}

/** Without what differs from run to run. */
function settled(value: unknown, key = ''): unknown {
  if (['uid', 'resourceVersion', 'creationTimestamp', 'deletionTimestamp'].includes(key) && value !== '5' && value !== '3') return '*';
  if (Array.isArray(value)) return value.map((item) => settled(item));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, settled(item, name)]));
  if (typeof value !== 'string') return value;
  return value.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '*').replace(/^a-[a-z0-9]{5}$/, 'a-*');
}

function compared(event: Event): unknown {
  const { auditID: _a, requestReceivedTimestamp: _r, stageTimestamp: _s, sourceIPs: _i, userAgent: _u, ...rest } = event;
  const { username } = (event['user'] ?? {}) as { username?: string };
  return settled(username === 'kubernetes-admin' ? { ...rest, user: { username } } : rest);
}

test('requests leave the events that they leave on a real API server', async () => {
  const log = aLog(recorded.policy);
  const tank = await aCluster({ nodes: 1 }, { audit: log.audit });
  for (const { method, path, body, headers, events } of recorded.calls as {
    method: string;
    path: string;
    body?: object;
    headers?: Record<string, string>;
    events: Event[];
  }[]) {
    log.lines.length = 0;
    send(tank, method, path, body, headers);
    expect({ path, events: log.events().map(compared) }).toEqual({ path, events });
  }
});

test('every answer carries an id, that of the request where it brings one', async () => {
  const tank = await aCluster({ nodes: 0 });
  const headersOf = (...call: [string, string, unknown?, Record<string, string>?]): string | readonly string[] | undefined => {
    const answer = send(tank, ...call);
    return 'headers' in answer ? answer.headers['audit-id'] : undefined;
  };
  expect(headersOf('GET', '/version', undefined, { 'audit-id': 'mine' })).toBe('mine');
  const drawn = ['/version', '/api/v1/pods', '/api/v1/pods?watch=1', '/nothing', '/api/v1/pods?timeout=x'].map((path) => headersOf('GET', path));
  expect(new Set(drawn).size).toBe(5);
  expect(headersOf('GET', '/version', undefined, { authorization: 'Bearer wrong' })).toMatch(/^[-0-9a-f]{36}$/);
});

test('components are audited too, each under its own name, and a policy changes nothing of history', async () => {
  const log = aLog(policyOf({ level: 'RequestResponse', resources: [{ group: '', resources: ['pods', 'pods/status'] }] }));
  const watched = await aCluster({ nodes: 1, seed: 5 }, { audit: log.audit });
  const quiet = await aCluster({ nodes: 1, seed: 5 });
  for (const tank of [watched, quiet]) {
    tank.call('POST', '/apis/apps/v1/namespaces/default/deployments', aDeployment('web', 1));
    await tank.advance(20_000);
  }
  expect(watched.cluster.digest).toBe(quiet.cluster.digest);
  const created = log.events().filter(({ verb, stage }) => verb === 'create' && stage === 'ResponseComplete');
  expect(created).toMatchObject([
    {
      user: { username: 'system:serviceaccount:kube-system:replicaset-controller' },
      requestURI: '/api/v1/namespaces/default/pods',
      responseStatus: { code: 201 },
      requestObject: { kind: 'Pod', metadata: { generateName: expect.stringMatching(/^web-/) } },
      responseObject: { kind: 'Pod', status: { phase: 'Pending' } },
      annotations: { 'authorization.k8s.io/decision': 'allow' },
    },
  ]);
  const users = new Set(log.events().map(({ user }) => (user as { username: string }).username));
  expect([...users]).toEqual(expect.arrayContaining(['system:kube-scheduler', 'system:node:node-0']));
});

test('lists and maps that are empty are told as Go writes them, and what policies note has no markup', async () => {
  const log = aLog(policyOf(...outsideOnly.slice(0, 1), { level: 'Request', resources: [{ group: 'rbac.authorization.k8s.io' }] }));
  const tank = await aCluster({ nodes: 0 }, { audit: log.audit });
  const registration = '/apis/admissionregistration.k8s.io/v1';
  send(tank, 'POST', `${registration}/validatingadmissionpolicies`, {
    metadata: { name: 'few' },
    spec: {
      matchConstraints: {
        resourceRules: [{ apiGroups: ['rbac.authorization.k8s.io'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['roles'] }],
      },
      validations: [{ expression: "object.metadata.name < 'a'" }],
    },
  });
  send(tank, 'POST', `${registration}/validatingadmissionpolicybindings`, {
    metadata: { name: 'few' },
    spec: { policyName: 'few', validationActions: ['Audit'] },
  });
  const group = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' };
  log.lines.length = 0;
  send(tank, 'POST', `${group}/rolebindings`, { metadata: { name: 'b', labels: {} }, roleRef, subjects: [] });
  send(tank, 'POST', `${group}/roles`, { metadata: { name: 'r' }, rules: [] });
  const [binding, role] = log.events().filter(({ stage }) => stage === 'ResponseComplete');
  expect(Object.keys(binding?.['requestObject'] as object).sort()).toEqual(['apiVersion', 'kind', 'metadata', 'roleRef']);
  expect((role?.['requestObject'] as Event)['rules']).toEqual([]);
  expect((role?.['annotations'] as Event)['validation.policy.admission.k8s.io/validation_failure']).toBe(
    '[{"message":"failed expression: object.metadata.name \\u003c \'a\'","policy":"few","binding":"few","expressionIndex":0,"validationActions":["Audit"]}]',
  );
});

test('a token that is issued is named as a real 1.36.3 names it, and not shown', async () => {
  const log = aLog(policyOf({ level: 'Metadata', resources: [{ group: '', resources: ['serviceaccounts/token'] }] }));
  const tokenSigner = { audiences: ['a'], sign: ({ id }: { readonly id: string }) => `token ${id}` };
  const tank = await aCluster({ nodes: 0 }, { audit: log.audit, tokenSigner });
  log.lines.length = 0;
  const answer = send(tank, 'POST', '/api/v1/namespaces/default/serviceaccounts/default/token', {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { audiences: [] },
  });
  const text = 'body' in answer ? answer.body : '';
  const { token } = (JSON.parse(typeof text === 'string' ? text : new TextDecoder().decode(text as Uint8Array)) as { status: { token: string } })
    .status;
  const done = log.events().filter(({ stage }) => stage === 'ResponseComplete');
  expect(done).toMatchObject([{ annotations: { 'authentication.kubernetes.io/issued-credential-id': token.replace('token ', 'JTI=') } }]);
});

test('a replay leaves no second log', async () => {
  const first = await aCluster({ nodes: 1, seed: 5 });
  first.call('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'a' } });
  const log = aLog(policyOf({ level: 'Metadata' }));
  const again = madeCluster({ nodes: 1, seed: 5 }, { audit: log.audit });
  again.door.beginReplay();
  await again.cluster.start();
  for (const input of first.inputs) {
    await again.cluster.loop.run(Number.POSITIVE_INFINITY, input.tasksRun);
    again.door.replay(input);
  }
  expect(log.lines).toEqual([]);
  again.door.endReplay();
  await again.advance(60_000);
  expect(log.lines.length).toBeGreaterThan(0);
});

const asking = defineAdmissionPlugin({
  name: 'Asking',
  verbs: ['CREATE'],
  resources: ['configmaps'],
  validate({ ask, namespace }) {
    if (namespace === 'default') ask({ to: 'webhook/slow', body: {}, timeoutMs: 1000 });
  },
});

test('a request that has to ask begins again and is logged once', async () => {
  const log = aLog(policyOf(...outsideOnly, { level: 'Metadata', resources: [{ group: '', resources: ['configmaps'] }] }));
  const host = { audit: log.audit, admissionPlugins: [asking], ask: () => Promise.resolve({ outcome: 'answered' as const, body: {} }) };
  const tank = await aCluster({ nodes: 0, options: { controllers: '-*' } }, host);
  log.lines.length = 0;
  const body = new TextEncoder().encode('{"metadata":{"name":"a"}}');
  const path = '/api/v1/namespaces/default/configmaps';
  await tank.door.serve({ method: 'POST', path, query: '', headers: { 'content-type': 'application/json' }, body, identity: adminIdentity });
  expect(log.events().map(({ stage }) => stage)).toEqual(['RequestReceived', 'ResponseComplete']);
  expect(new Set(log.events().map(({ auditID }) => auditID)).size).toBe(1);
});

test('what a defect ends is logged as a panic', async () => {
  const broken = defineAdmissionPlugin({
    name: 'Broken',
    verbs: ['CREATE'],
    resources: ['configmaps'],
    validate({ namespace }) {
      if (namespace === 'default') throw new TypeError('no such thing');
    },
  });
  const log = aLog(policyOf({ level: 'Metadata', users: ['kubernetes-admin'] }));
  const tank = await aCluster(
    { nodes: 0, options: { controllers: '-*' } },
    { audit: log.audit, admissionPlugins: [broken], onCrash: () => undefined },
  );
  send(tank, 'POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'a' } });
  expect(log.events().map(({ stage, responseStatus }) => [stage, responseStatus])).toEqual([
    ['RequestReceived', undefined],
    ['Panic', { metadata: {}, status: 'Failure', message: expect.stringContaining("APIServer panic'd: "), reason: 'InternalError', code: 500 }],
  ]);
});

test('what must be logged and cannot is refused, and does not happen', async () => {
  let isFull = false;
  const log = aLog(policyOf({ level: 'Metadata' }), { refuses: () => isFull });
  const tank = await aCluster({ nodes: 0, options: { controllers: '-*' } }, { audit: log.audit });
  isFull = true;
  const path = '/api/v1/namespaces/default/configmaps';
  const refused = send(tank, 'POST', path, { metadata: { name: 'a' } });
  expect(refused).toMatchObject({ status: 500, body: `Internal Server Error: "${path}": failed to store audit event\n` });
  isFull = false;
  expect(send(tank, 'GET', `${path}/a`)).toMatchObject({ status: 404 });
});

/** A webhook that blocks: it takes an event, or does not, when the test says so. */
function aBlockingWebhook() {
  const waiting: ((isRefused: boolean) => void)[] = [];
  const log = aLog(policyOf({ level: 'Metadata', users: ['kubernetes-admin'] }), {
    refuses: () => new Promise<boolean>((resolve) => void waiting.push(resolve)),
  });
  const next = async (isTaken = true): Promise<void> => {
    waiting.shift()?.(!isTaken);
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  return { ...log, next };
}

test('while a webhook that blocks has not taken the first event nothing happens, and nobody is answered before it has the last one', async () => {
  const webhook = aBlockingWebhook();
  const tank = await aCluster({ nodes: 0, options: { controllers: '-*' } }, { audit: webhook.audit });
  const path = '/api/v1/namespaces/default/configmaps';
  const body = new TextEncoder().encode('{"metadata":{"name":"a"}}');
  const isThere = (): boolean => tank.cluster.registry.core.lookup('', 'configmaps', 'default', 'a') !== undefined;
  let answer: HttpResponse | undefined;
  const serving = Promise.resolve(
    tank.door.serve({ method: 'POST', path, query: '', headers: { 'content-type': 'application/json' }, body, identity: adminIdentity }),
  ).then((response) => void (answer = response));
  expect([webhook.events().map(({ stage }) => stage), isThere()]).toEqual([['RequestReceived'], false]);
  await webhook.next();
  expect([webhook.events().map(({ stage }) => stage), isThere(), answer]).toEqual([['RequestReceived', 'ResponseComplete'], true, undefined]);
  await webhook.next();
  await serving;
  expect(answer).toMatchObject({ status: 201 });
});

test('what a strict webhook does not take is refused and counted; the last event refuses nothing', async () => {
  const webhook = aBlockingWebhook();
  const tank = await aCluster({ nodes: 0, options: { controllers: '-*' } }, { audit: webhook.audit });
  const get = (): Promise<HttpResponse> =>
    Promise.resolve(tank.door.serve({ method: 'GET', path: '/version', query: '', headers: {}, body: new Uint8Array(), identity: adminIdentity }));
  const refused = get();
  await webhook.next(false);
  expect(await refused).toMatchObject({ status: 500, body: 'Internal Server Error: "/version": failed to store audit event\n' });
  const answered = get();
  await webhook.next();
  await webhook.next(false);
  expect(await answered).toMatchObject({ status: 200 });
  const metrics = send(tank, 'GET', '/metrics');
  expect('body' in metrics && String(metrics.body)).toContain('apiserver_audit_requests_rejected_total 1\n');
});

test('a version that will go is named', async () => {
  const log = aLog(policyOf(...outsideOnly, { level: 'Metadata' }));
  const tank = await aCluster({ nodes: 0, options: { controllers: '-*' } }, { audit: log.audit });
  log.lines.length = 0;
  send(tank, 'GET', '/api/v1/componentstatuses');
  expect(log.events().at(-1)).toMatchObject({ annotations: { 'k8s.io/deprecated': 'true' } });
  const metrics = send(tank, 'GET', '/metrics');
  expect('body' in metrics && String(metrics.body)).toContain(
    'apiserver_requested_deprecated_apis{group="",removed_release="",resource="componentstatuses",subresource="",version="v1"} 1\n',
  );
});

test('the legacy format is a line for people, in which nobody can begin another line', async () => {
  const log = aLog(policyOf({ level: 'Metadata', users: ['kubernetes-admin'], omitStages: ['RequestReceived'] }), { format: 'legacy' });
  const tank = await aCluster({ nodes: 0, options: { controllers: '-*' } }, { audit: log.audit });
  log.lines.length = 0;
  send(tank, 'GET', '/version', undefined, { 'impersonate-user': 'bob', 'impersonate-group': 'g1', 'user-agent': 'evil\n"AUDIT: ' });
  expect(log.lines).toHaveLength(1);
  expect(log.lines[0]?.replace(/^\S+ /, '').replace(/id="[^"]*"/, 'id')).toBe(
    String.raw`AUDIT: id stage="ResponseComplete" ip="127.0.0.1" method="get" user="kubernetes-admin" groups="\"system:masters\",\"system:authenticated\"" as="bob" asgroups="\"g1\",\"system:authenticated\"" user-agent="evil\n\"AUDIT: " namespace="<none>" uri="/version" response="200"`,
  );
});
