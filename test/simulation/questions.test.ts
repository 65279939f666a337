/**
 * Requests that must ask the outside before they can be answered, with a stand-in for a webhook: from clients and from a controller,
 * with calls back, silence, a kill in the middle, and replays in which nobody is asked.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type AdmissionPlugin, defineAdmissionPlugin } from '../../engine/apiserver/admission/plugin.ts';
import { newForbidden } from '../../engine/apimachinery/errors.ts';
import type { KubeObject } from '../../engine/apimachinery/object.ts';
import type { ClusterHost } from '../../engine/cluster/cluster-host.ts';
import { adminIdentity } from '../../engine/cluster/identities.ts';
import type { ComputedResource } from '../../engine/contracts/computed-resource.ts';
import type { RecordedInput } from '../../engine/cluster/inputs.ts';
import type { HttpPlainResponse, HttpRequest, HttpStreamResponse } from '../../engine/apiserver/http-types.ts';
import { defineKind } from '../../engine/contracts/kind.ts';
import type { Answer, Question } from '../../engine/contracts/questions.ts';
import { madeCluster, type TestCluster } from '../support/cluster.ts';
import { replayInputs } from '../support/replay.ts';
import { openSession } from '../support/session.ts';

/** Whoever creates a ConfigMap in a namespace called `asked…` waits for a word; silence is a no, but in `asked-ignore`. */
const webhook: AdmissionPlugin = defineAdmissionPlugin({
  name: 'TestWebhook',
  verbs: ['CREATE'],
  resources: ['configmaps'],
  admit(object, attributes) {
    const { namespace, name } = attributes;
    if (!namespace.startsWith('asked')) return object;
    const answer = attributes.ask({ to: 'webhook/policy', body: { namespace, name }, timeoutMs: 10_000 });
    if (answer.outcome === 'answered') return { ...object, metadata: { ...object.metadata, labels: { word: String(answer.body) } } };
    if (namespace === 'asked-ignore') return object;
    throw newForbidden({ group: '', resource: 'configmaps' }, name, `nobody answered: ${answer.outcome}`);
  },
});

type Ask = (question: Question, tank: TestCluster) => Promise<Answer>;

const yesAtOnce = (): Promise<Answer> => Promise.resolve({ outcome: 'answered', body: 'yes' });

const yes: Ask = async () => {
  await hop();
  return yesAtOnce();
};

async function aTank(ask: Ask | undefined, isStarted = true, host: Partial<ClusterHost> = {}): Promise<TestCluster> {
  const tank: TestCluster = madeCluster(
    { nodes: 1, seed: 5 },
    { ...host, admissionPlugins: [webhook], ...(ask === undefined ? {} : { ask: (question: Question) => ask(question, tank) }) },
  );
  if (isStarted) await tank.cluster.start();
  return tank;
}

function hop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function creation(namespace: string, name: string): HttpRequest {
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } };
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  return {
    method: 'POST',
    path,
    query: '',
    headers: { 'content-type': 'application/json' },
    body: new TextEncoder().encode(JSON.stringify(body)),
    identity: adminIdentity,
  };
}

function createNamespace(tank: TestCluster, name: string): void {
  tank.call('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
}

async function answerTo(tank: TestCluster, request: HttpRequest): Promise<{ status: number; object: KubeObject & { message?: string } }> {
  const response = (await tank.door.serve(request)) as HttpPlainResponse;
  return { status: response.status, object: JSON.parse(String(response.body)) as KubeObject };
}

/** Nobody is there to be asked. */
async function replayed(inputs: readonly RecordedInput[], untilMs: number, host: Partial<ClusterHost> = {}): Promise<TestCluster> {
  const tank = await aTank(() => Promise.reject(new Error('a replay asks nobody')), true, host);
  await replayInputs(tank, inputs, untilMs);
  return tank;
}

function word(tank: TestCluster, namespace: string, name: string): string | undefined {
  return tank.cluster.store.get(`/registry/configmaps/${namespace}/${name}`)?.value.metadata.labels?.['word'];
}

test('a client waits for the answer; time stands still, and who is asked may ask back', async () => {
  let settle: (answer: Answer) => void = () => undefined;
  const tank = await aTank(() => new Promise((resolve) => (settle = resolve)));
  createNamespace(tank, 'asked-a');
  tank.call('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'free' } });
  const { loop, store } = tank.cluster;
  const asking = answerTo(tank, creation('asked-a', 'x'));
  const beforeMs = loop.nowMs();
  const running = loop.run(beforeMs + 1);
  for (let turn = 0; turn < 20; turn++) await hop();
  expect(loop.nowMs()).toBe(beforeMs);
  loop.advanceIdleTo(beforeMs + 60_000);
  expect(loop.nowMs()).toBe(beforeMs);
  const back = tank.call('POST', '/api/v1/namespaces/free/configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'back' } });
  expect(word(tank, 'asked-a', 'x')).toBeUndefined();
  settle({ outcome: 'answered', body: 'go' });
  const { status, object } = await asking;
  expect([status, object.metadata.labels]).toEqual([201, { word: 'go' }]);
  expect(Number(object.metadata.resourceVersion)).toBe(Number(back.metadata.resourceVersion) + 1);
  expect(store.get('/registry/configmaps/asked-a/x')?.modRevision).toBe(Number(object.metadata.resourceVersion));
  expect(await running).toBe(true);
  expect(loop.nowMs()).toBe(beforeMs + 1);
});

test('a client and a controller ask, are called back, and a replay without anybody to ask gives the same history', async () => {
  let backs = 0;
  const tank = await aTank(async (question, asked) => {
    await hop();
    asked.call('POST', '/api/v1/namespaces/default/configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `back-${backs++}` } });
    await hop();
    return { outcome: 'answered', body: (question.body as { name: string }).name === 'x' ? 'client' : 'controller' };
  });
  createNamespace(tank, 'asked-a');
  await tank.advance(5_000);
  expect(word(tank, 'asked-a', 'kube-root-ca.crt')).toBe('controller');
  expect((await answerTo(tank, creation('asked-a', 'x'))).status).toBe(201);
  createNamespace(tank, 'asked-b');
  await tank.advance(20_000);
  expect([word(tank, 'asked-a', 'x'), word(tank, 'asked-b', 'kube-root-ca.crt'), backs]).toEqual(['client', 'controller', 3]);
  const again = await replayed(tank.inputs, tank.cluster.loop.nowMs());
  expect(again.cluster.digest).toBe(tank.cluster.digest);
  expect(again.cluster.loop.tasksRun).toBe(tank.cluster.loop.tasksRun);
});

test('silence means what the asker says: refused, or let through; a replay hears the same silence', async () => {
  const tank = await aTank(async () => {
    await hop();
    return { outcome: 'timedOut' };
  });
  createNamespace(tank, 'asked-ignore');
  createNamespace(tank, 'asked-fail');
  await tank.advance(1_000);
  const refused = await answerTo(tank, creation('asked-fail', 'x'));
  expect([refused.status, refused.object.message]).toEqual([403, 'configmaps "x" is forbidden: nobody answered: timedOut']);
  const let1 = await answerTo(tank, creation('asked-ignore', 'x'));
  expect([let1.status, let1.object.metadata.labels]).toEqual([201, undefined]);
  await tank.advance(30_000);
  expect(tank.inputs.map(({ what }) => JSON.stringify(what)).some((text) => text.includes('asked-fail/configmaps'))).toBe(false);
  const again = await replayed(tank.inputs, tank.cluster.loop.nowMs());
  expect(again.cluster.digest).toBe(tank.cluster.digest);
});

test('where nobody can be asked, when asking fails, and when the engine ends, who asks is told so', async () => {
  const broken = await aTank(() => {
    throw new Error('no road');
  });
  createNamespace(broken, 'asked-a');
  expect((await answerTo(broken, creation('asked-a', 'x'))).object.message).toContain('nobody answered: failed');

  const alone = await aTank(undefined);
  createNamespace(alone, 'asked-a');
  expect((await answerTo(alone, creation('asked-a', 'x'))).object.message).toContain('nobody answered: failed');

  const ending = await aTank(() => new Promise(() => undefined));
  createNamespace(ending, 'asked-a');
  const asking = answerTo(ending, creation('asked-a', 'x'));
  await hop();
  await ending.door.close();
  expect((await asking).object.message).toContain('nobody answered: failed');
  expect(ending.cluster.loop.held).toBe(false);
});

test('killed while a client asks: nothing of it happened, and it can be asked again', async () => {
  const tank = await aTank(() => new Promise(() => undefined));
  createNamespace(tank, 'asked-ignore');
  void tank.door.serve(creation('asked-ignore', 'x'));
  await hop();
  const { loop } = tank.cluster;
  const back = await replayed(tank.inputs, loop.nowMs());
  expect(back.cluster.digest).toBe(tank.cluster.digest);
  expect(back.cluster.loop.tasksRun).toBe(loop.tasksRun);
  expect(back.cluster.loop.held).toBe(false);
  expect(word(back, 'asked-ignore', 'x')).toBeUndefined();
});

test('killed while a controller asks: the engine that goes on asks again, and history is that of a run without the kill', async () => {
  const whole = await aTank(yes);
  createNamespace(whole, 'asked-a');
  const endMs = whole.cluster.loop.nowMs() + 30_000;
  await whole.cluster.loop.run(endMs);

  const killed = await aTank(() => new Promise(() => undefined));
  createNamespace(killed, 'asked-a');
  void killed.cluster.loop.run(endMs);
  while (!killed.cluster.loop.held) await hop();
  const { tasksRun } = killed.cluster.loop;
  expect(killed.cluster.loop.quiet).toBe(false);

  const next = await aTank(yes);
  const { loop } = next.cluster;
  next.door.beginReplay();
  for (const input of killed.inputs) {
    await loop.run(Number.POSITIVE_INFINITY, input.tasksRun);
    next.door.replay(input);
  }
  expect(await loop.run(Number.POSITIVE_INFINITY, tasksRun)).toBe(false);
  expect([loop.tasksRun, loop.held]).toEqual([tasksRun, true]);
  next.door.endReplay();
  await loop.run(endMs);
  expect(word(next, 'asked-a', 'kube-root-ca.crt')).toBe('yes');
  expect(next.cluster.digest).toBe(whole.cluster.digest);
});

test('killed while a controller asks: the session on disk is gone on with, and asks again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wavetank-questions-'));
  const path = join(folder, 'session');
  try {
    const whole = await aTank(yes);
    createNamespace(whole, 'asked-a');
    const endMs = whole.cluster.loop.nowMs() + 30_000;
    await whole.cluster.loop.run(endMs);

    const never = { admissionPlugins: [webhook], ask: () => new Promise<Answer>(() => undefined) };
    const killed = await openSession(path, { nodes: 1, seed: 5 }, undefined, never);
    createNamespace(killed, 'asked-a');
    void killed.cluster.loop.run(endMs);
    while (!killed.cluster.loop.held) await hop();
    killed.recorder.commit();
    killed.kill();

    const next = await openSession(path, {}, undefined, { admissionPlugins: [webhook], ask: yesAtOnce });
    expect(next.resumed).toBeDefined();
    await next.cluster.loop.run(endMs);
    expect([word(next, 'asked-a', 'kube-root-ca.crt'), next.cluster.digest]).toEqual(['yes', whole.cluster.digest]);
    await next.close();

    const replay = await openSession(path, {}, undefined, {
      admissionPlugins: [webhook],
      ask: () => Promise.reject(new Error('a replay asks nobody')),
    });
    expect(replay.cluster.digest).toBe(next.cluster.digest);
    replay.kill();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Who asks and whether she may, known to two authorities outside; a list that a third one has to convert. */
const authorities: Partial<ClusterHost> = {
  authenticators: [
    (token, _audiences, ask) => {
      const answer = ask({ to: 'tokens/review', body: { token }, timeoutMs: 10_000 });
      if (answer.outcome !== 'answered') return { error: answer.outcome };
      return answer.body === '' ? undefined : { identity: { name: String(answer.body), groups: [] }, audiences: [] };
    },
  ],
  authorizers: [
    {
      authorize({ name }, { verb, resource, path }, ask) {
        const answer = ask({ to: 'access/review', body: { name, verb, what: resource || path }, timeoutMs: 10_000 });
        if (answer.outcome !== 'answered') return { allowed: false, reason: `no opinion: ${answer.outcome}` };
        return { allowed: answer.body === true, reason: '' };
      },
    },
  ],
  computed: () => [converted],
};

const convertedKind = defineKind({
  group: 'sim.wavetank.dev',
  version: 'v1alpha1',
  kind: 'Converted',
  plural: 'converteds',
  singular: 'converted',
  namespaced: false,
  schema: { name: 'test.Converted', fields: [] },
  storagePrefix: 'converteds',
});

const converted: ComputedResource = {
  kind: convertedKind,
  asks: true,
  get: () => undefined,
  list(_query, _namespace, ask) {
    const answer = ask({ to: 'conversion', body: null, timeoutMs: 10_000 });
    const name = answer.outcome === 'answered' ? String(answer.body) : answer.outcome;
    return [{ apiVersion: 'sim.wavetank.dev/v1alpha1', kind: 'Converted', metadata: { name } }];
  },
  subscribe: () => () => undefined,
};

/** Alice has a token and may do all but delete. */
function authority(asked: string[]): Ask {
  return async (question) => {
    await hop();
    const body = (question.body ?? {}) as { readonly token?: string; readonly name?: string; readonly verb?: string };
    asked.push(`${question.to} ${body.token ?? body.verb ?? ''}`.trim());
    if (question.to === 'tokens/review') return { outcome: 'answered', body: body.token === 'good' ? 'alice' : '' };
    if (question.to === 'conversion') return { outcome: 'answered', body: 'from-outside' };
    return { outcome: 'answered', body: body.name === 'alice' && body.verb !== 'delete' };
  };
}

function byToken(method: string, path: string, token = 'good', body?: object): HttpRequest {
  const [route = '', query = ''] = path.split('?');
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json', 'content-type': 'application/json' };
  return { method, path: route, query, headers, body: new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body)) };
}

const maps = '/api/v1/namespaces/default/configmaps';

test('who asks, and whether she may, is asked outside: of writes, reads and watches; reads leave no input, and a replay asks nobody', async () => {
  const asked: string[] = [];
  const tank = await aTank(authority(asked), true, authorities);
  const { loop } = tank.cluster;
  const before = tank.inputs.length;
  const made = await answerTo(tank, byToken('POST', maps, 'good', { metadata: { name: 'a' } }));
  expect([made.status, asked]).toEqual([201, ['tokens/review good', 'access/review create']]);
  expect(tank.inputs).toHaveLength(before + 1);
  expect(tank.inputs.at(-1)?.what).toMatchObject({ identity: { name: 'alice' } });

  for (const path of [`${maps}/a`, maps, '/healthz']) expect(await statusOf(tank, byToken('GET', path))).toBe(200);
  const stream = (await tank.door.serve(
    byToken('GET', `${maps}?watch=true&resourceVersion=${made.object.metadata.resourceVersion}`),
  )) as HttpStreamResponse;
  const seen: string[] = [];
  const close = stream.open({ write: (chunk) => void seen.push(String(typeof chunk === 'function' ? chunk() : chunk)), end: () => undefined });
  await answerTo(tank, byToken('POST', maps, 'good', { metadata: { name: 'b' } }));
  close();
  expect(seen.map((line) => (JSON.parse(line) as { object: KubeObject }).object.metadata.name)).toEqual(['b']);
  expect(asked.filter((text) => text === 'access/review watch')).toHaveLength(1);
  expect(tank.inputs).toHaveLength(before + 2);

  expect((await answerTo(tank, byToken('DELETE', `${maps}/a`))).status).toBe(403);
  expect((await answerTo(tank, byToken('GET', maps, 'bad'))).status).toBe(401);
  expect(tank.inputs).toHaveLength(before + 2);
  await tank.advance(20_000);
  const again = await replayed(tank.inputs, loop.nowMs(), authorities);
  expect(again.cluster.digest).toBe(tank.cluster.digest);
});

test('what is asked inside an attempt is written down: an escalation, and a review that changes nothing is not', async () => {
  const asked: string[] = [];
  const tank = await aTank(authority(asked), true, authorities);
  const before = tank.inputs.length;
  const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
  const role = await answerTo(
    tank,
    byToken('POST', '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles', 'good', { metadata: { name: 'r' }, rules }),
  );
  expect([role.status, asked.at(-1)]).toEqual([201, 'access/review escalate']);
  expect(JSON.stringify(tank.inputs.at(-1)?.what)).toContain('"to":"access/review"');
  const review = { spec: { user: 'alice', resourceAttributes: { verb: 'get', resource: 'pods' } } };
  const answer = await answerTo(tank, byToken('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', 'good', review));
  expect(answer.object).toMatchObject({ status: { allowed: true } });
  expect(tank.inputs).toHaveLength(before + 1);
  const again = await replayed(tank.inputs, tank.cluster.loop.nowMs(), authorities);
  expect(again.cluster.digest).toBe(tank.cluster.digest);
});

test('a list and the start of a watch wait for what has to be converted', async () => {
  const asked: string[] = [];
  const tank = await aTank(authority(asked), true, authorities);
  const path = '/apis/sim.wavetank.dev/v1alpha1/converteds';
  const list = await answerTo(tank, byToken('GET', path));
  expect((list.object as unknown as { items: KubeObject[] }).items.map(({ metadata }) => metadata.name)).toEqual(['from-outside']);
  const stream = (await tank.door.serve(byToken('GET', `${path}?watch=true`))) as HttpStreamResponse;
  const seen: string[] = [];
  stream.open({ write: (chunk) => void seen.push(String(typeof chunk === 'function' ? chunk() : chunk)), end: () => undefined })();
  expect(seen.join('')).toContain('from-outside');
  expect(asked.filter((text) => text === 'conversion')).toHaveLength(2);
});

test('silence of an authority is its asker’s affair; time stands still meanwhile, and a kill leaves nothing behind', async () => {
  const silent = await aTank(() => Promise.resolve({ outcome: 'timedOut' }), true, authorities);
  expect((await answerTo(silent, byToken('GET', maps))).status).toBe(401);
  const refused = await answerTo(silent, { ...byToken('GET', maps), identity: { name: 'alice', groups: [] } });
  expect([refused.status, refused.object.message]).toEqual([403, expect.stringContaining('no opinion: timedOut')]);

  const killed = await aTank(() => new Promise(() => undefined), true, authorities);
  const { loop } = killed.cluster;
  const beforeMs = loop.nowMs();
  void killed.door.serve(byToken('POST', maps, 'good', { metadata: { name: 'a' } }));
  void killed.door.serve(byToken('GET', maps));
  await hop();
  expect([loop.held, killed.ask('GET', maps).status]).toEqual([true, 200]);
  loop.advanceIdleTo(beforeMs + 1_000);
  expect(loop.nowMs()).toBe(beforeMs);
  const back = await replayed(killed.inputs, beforeMs, authorities);
  expect([back.cluster.digest, back.cluster.loop.held]).toEqual([killed.cluster.digest, false]);
});

async function statusOf(tank: TestCluster, request: HttpRequest): Promise<number> {
  return ((await tank.door.serve(request)) as HttpPlainResponse).status;
}
