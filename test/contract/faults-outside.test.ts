/** Faults of the API as clients outside meet them: late by virtual time, refused, told by whose certificate they come. */
import { describe, expect, test } from 'vitest';
import type { Node } from '../../engine/api/core/v1/types.gen.ts';
import type { KubeObject } from '../../engine/apimachinery/object.ts';
import type { HttpPlainResponse, HttpRequest, HttpResponse } from '../../engine/apiserver/http-types.ts';
import { writeCause } from '../../engine/base/causes.ts';
import type { ClusterHost } from '../../engine/cluster/cluster-host.ts';
import { aCluster, madeCluster, type TestCluster } from '../support/cluster.ts';

const faults = '/apis/sim.wavetank.dev/v1alpha1/faults';
const maps = '/api/v1/namespaces/default/configmaps';
const admins = 'system:masters';
const byName: Partial<ClusterHost> = { authenticators: [(token) => ({ identity: { name: token, groups: [admins] }, audiences: [] })] };

function strike(tank: TestCluster, type: string, parameters: object, target?: object): void {
  tank.call('POST', faults, { metadata: { name: 'x' }, spec: { type, parameters, ...(target === undefined ? {} : { target }) } });
}

function request(user: string, method: string, path: string, body?: object): HttpRequest {
  const [route = '', query = ''] = path.split('?');
  const headers = { authorization: `Bearer ${user}`, accept: 'application/json', 'content-type': 'application/json' };
  return { method, path: route, query, headers, body: new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body)) };
}

/** Whether it has been answered, seen after some turns. */
async function isAnswered(response: HttpResponse | Promise<HttpResponse>): Promise<boolean> {
  let has = false;
  void Promise.resolve(response).then(() => (has = true));
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  return has;
}

async function statusOf(response: HttpResponse | Promise<HttpResponse>): Promise<number> {
  return ((await response) as HttpPlainResponse).status;
}

describe('api-latency and clients outside', () => {
  test('a write waits for virtual time, is an input when it comes in, and has the fault as cause, in a replay too', async () => {
    const tank = await aCluster({ nodes: 1 }, byName);
    strike(tank, 'api-latency', { delay: '5s', verbs: ['create'], user: 'alice' });
    await tank.advance(1_000);
    const fault = tank.cluster.store.get('/registry/sim.wavetank.dev/faults/x')?.createRevision ?? 0;
    const before = tank.inputs.length;
    const late = tank.door.serve(request('alice', 'POST', maps, { metadata: { name: 'late' } }));
    const soon = tank.door.serve(request('bob', 'POST', maps, { metadata: { name: 'soon' } }));
    expect(await isAnswered(soon)).toBe(true);
    await tank.advance(4_900);
    expect([await isAnswered(late), tank.inputs.length]).toEqual([false, before + 1]);
    await tank.advance(200);
    expect(await statusOf(late)).toBe(201);
    expect(tank.inputs).toHaveLength(before + 2);
    const { modRevision } = tank.cluster.store.get('/registry/configmaps/default/late') ?? {};
    expect(tank.cluster.store.changeAt(modRevision ?? 0)?.meta.causes).toContain(writeCause(fault));
    await tank.advance(10_000);

    const again = madeCluster({ nodes: 1 }, byName);
    await again.cluster.start();
    again.door.beginReplay();
    for (const input of tank.inputs) {
      await again.cluster.loop.run(Number.POSITIVE_INFINITY, input.tasksRun);
      again.cluster.loop.advanceIdleTo(input.nowMs);
      again.door.replay(input);
    }
    await again.cluster.loop.run(tank.cluster.loop.nowMs());
    expect(again.cluster.digest).toBe(tank.cluster.digest);
  });

  test('reads and the start of watches wait too; what the page or the library asks does not', async () => {
    const tank = await aCluster({ nodes: 1 }, byName);
    strike(tank, 'api-latency', { delay: '5s' });
    await tank.advance(1_000);
    const waiting = [maps, `${maps}/kube-root-ca.crt`, `${maps}?watch=true`].map((path) => tank.door.serve(request('alice', 'GET', path)));
    expect(tank.ask('GET', maps).status).toBe(200);
    for (const one of waiting) expect(await isAnswered(one)).toBe(false);
    await tank.advance(5_100);
    for (const one of waiting) expect(await statusOf(one)).toBe(200);
  });

  test('while time stands still a client is told so in the end, and so is one who waits when the engine ends', async () => {
    let giveUp: (hasCome: boolean) => void = () => undefined;
    const tank = await aCluster({ nodes: 1 }, { ...byName, until: () => new Promise((resolve) => (giveUp = resolve)) });
    strike(tank, 'api-latency', { delay: '5s' });
    await tank.advance(1_000);
    const late = tank.door.serve(request('alice', 'POST', maps, { metadata: { name: 'late' } }));
    giveUp(false);
    expect(await statusOf(late)).toBe(504);
    expect(tank.ask('GET', `${maps}/late`).status).toBe(404);

    const ending = await aCluster({ nodes: 1 }, byName);
    strike(ending, 'api-latency', { delay: '5s' });
    await ending.advance(1_000);
    const waiting = ending.door.serve(request('alice', 'GET', maps));
    await ending.door.close();
    expect(await statusOf(waiting)).toBe(504);
  });
});

test('api-errors strike lists and watches of clients outside by user, verb and resource', async () => {
  const tank = await aCluster({ nodes: 1 }, byName);
  strike(tank, 'api-errors', { code: '503', share: 1, verbs: ['list', 'watch'], resources: ['configmaps'], user: 'alice' });
  await tank.advance(1_000);
  const ask = (user: string, path: string): Promise<number> => statusOf(tank.door.serve(request(user, 'GET', path)));
  expect(await ask('alice', maps)).toBe(503);
  expect(await ask('alice', `${maps}?watch=true`)).toBe(503);
  expect(await ask('alice', `${maps}/kube-root-ca.crt`)).toBe(200);
  expect(await ask('alice', '/api/v1/pods')).toBe(200);
  expect(await ask('bob', maps)).toBe(200);
});

test('a component whose lists and watches fail tries again until they are answered', async () => {
  const tank = await aCluster({ nodes: 1 });
  tank.call('POST', faults, { metadata: { name: 'drops' }, spec: { type: 'watch-drop', parameters: { share: 0.9 }, duration: '20s' } });
  tank.call('POST', faults, {
    metadata: { name: 'refused' },
    spec: { type: 'api-errors', parameters: { code: '503', share: 1, verbs: ['list', 'watch'] }, duration: '1m' },
  });
  await tank.advance(1_000);
  for (let i = 0; i < 5; i++) tank.call('POST', '/api/v1/namespaces', { metadata: { name: `n-${i}` } });
  await tank.advance(40_000);
  const accounts = (): number =>
    [0, 1, 2, 3, 4].filter((i) => tank.ask('GET', `/api/v1/namespaces/n-${i}/serviceaccounts/default`).status === 200).length;
  expect(accounts()).toBeLessThan(5);
  await tank.advance(60_000);
  expect(accounts()).toBe(5);
});

test('a node whose certificate has run out is answered 401, falls silent, and comes back with a new one', async () => {
  const tank = await aCluster({ nodes: 2 }, byName);
  strike(tank, 'node-certificate-expired', {}, { node: 'node-0' });
  await tank.advance(1_000);
  expect(await statusOf(tank.door.serve(request('system:node:node-0', 'GET', '/api/v1/nodes/node-0')))).toBe(401);
  expect(await statusOf(tank.door.serve(request('system:node:node-1', 'GET', '/api/v1/nodes/node-1')))).toBe(200);
  const ready = (name: string): string | undefined =>
    tank.call<Node & KubeObject>('GET', `/api/v1/nodes/${name}`).status?.conditions?.find(({ type }) => type === 'Ready')?.status;
  await tank.advance(70_000);
  expect([ready('node-0'), ready('node-1')]).toEqual(['Unknown', 'True']);
  tank.call('DELETE', `${faults}/x`);
  await tank.advance(60_000);
  expect(ready('node-0')).toBe('True');
});
