/** What the door does with an attempt: keeps it, makes it again, throws it away, and what of it becomes history. */
import { expect, test, vi } from 'vitest';
import { adminIdentity } from './identities.ts';
import { type AdmissionPlugin, defineAdmissionPlugin } from '../apiserver/admission/plugin.ts';
import { newForbidden } from '../apimachinery/errors.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { HttpPlainResponse } from '../apiserver/http-types.ts';
import { aCluster, madeCluster, type TestCluster } from '../../test/support/cluster.ts';

const maps = '/api/v1/namespaces/default/configmaps';

async function aTank(plugin?: AdmissionPlugin, onCrash: () => void = () => undefined): Promise<TestCluster> {
  const tank = madeCluster({ nodes: 1, seed: 7 }, { admissionPlugins: plugin === undefined ? [] : [plugin], onCrash });
  await tank.cluster.start();
  return tank;
}

function map(name: string | undefined, data: object = {}, metadata: object = {}): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...(name === undefined ? {} : { name }), ...metadata }, data };
}

async function replayed(tank: TestCluster, plugin?: AdmissionPlugin, onCrash?: () => void): Promise<TestCluster> {
  const again = await aTank(plugin, onCrash);
  again.door.beginReplay();
  for (const input of tank.inputs) {
    await again.cluster.loop.run(Number.POSITIVE_INFINITY, input.tasksRun);
    again.door.replay(input);
  }
  again.door.endReplay();
  await again.cluster.loop.run(tank.cluster.loop.nowMs());
  return again;
}

test('what was written is made text of once, for the digest, the answer and whoever watches', async () => {
  const tank = await aTank();
  const seen: unknown[] = [];
  tank.watch(`${maps}?watch=1`, ({ object }) => void seen.push(object));
  const written = vi.spyOn(JSON, 'stringify');
  const body = new TextEncoder().encode('{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"once"},"data":{"k":"v"}}');
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  const answer = tank.door.serveAtOnce({ method: 'POST', path: maps, query: '', headers, body, identity: adminIdentity });
  const isOnce = (value: unknown): boolean => (value as KubeObject | undefined)?.metadata?.name === 'once';
  expect(written.mock.calls.filter(([value]) => isOnce(value))).toHaveLength(1);
  written.mockRestore();
  expect(seen.filter(isOnce)).toEqual([JSON.parse((answer as HttpPlainResponse).body as string)]);
});

test('dry runs, refusals and reads leave no trace: no input, no revision, no draw', async () => {
  const quiet = await aTank();
  const busy = await aTank();
  const before = busy.cluster.store.currentRevision();
  const dry = busy.call('POST', `${maps}?dryRun=All`, map(undefined, {}, { generateName: 'x-' }));
  expect([dry.metadata.name?.length, dry.metadata.resourceVersion]).toEqual([7, undefined]);
  expect(() => busy.call('POST', maps, map('Not A Name'))).toThrow('Invalid value');
  expect(() => busy.call('POST', '/api/v1/namespaces/default/pods', { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } })).toThrow();
  busy.call('POST', '/api/v1/namespaces/default/services?dryRun=All', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 's' },
    spec: { type: 'NodePort', ports: [{ port: 80 }] },
  });
  busy.call('DELETE', `${maps}?dryRun=All`);
  busy.call('GET', maps);
  expect([busy.inputs, busy.cluster.store.currentRevision()]).toEqual([[], before]);
  const real = [quiet, busy].map((tank) => tank.call('POST', maps, map(undefined, {}, { generateName: 'x-' })));
  expect(real[1]).toEqual(real[0]);
  expect(busy.cluster.digest).toBe(quiet.cluster.digest);
});

test('a dry run of a delete shows the mark and removes nothing', async () => {
  const tank = await aTank();
  tank.call('POST', maps, map('a', {}, { finalizers: ['example.com/hold'] }));
  const shown = tank.call('DELETE', `${maps}/a?dryRun=All`);
  expect(shown.metadata.deletionTimestamp).toBeDefined();
  expect(tank.call('GET', `${maps}/a`).metadata.deletionTimestamp).toBeUndefined();
});

/** Writes the object behind the back of a patch, the first `times`. */
function interfering(tank: () => TestCluster, times: number): AdmissionPlugin {
  let left = times;
  return defineAdmissionPlugin({
    name: 'Interfering',
    verbs: ['UPDATE'],
    resources: ['configmaps'],
    admit(object) {
      if (left === 0) return object;
      left--;
      const { store, loop } = tank().cluster;
      const key = '/registry/configmaps/default/a';
      const live = store.get(key)?.value as KubeObject;
      const meta = { virtualMs: loop.nowMs(), identity: 'another', causes: [] };
      store.update(key, undefined, { ...live, data: { theirs: String(left) } } as KubeObject, meta);
      return object;
    },
  });
}

test('a patch whose object moved under it is made again on what is there now', async () => {
  const tank: TestCluster = await aTank(interfering(() => tank, 2));
  tank.call('POST', maps, map('a'));
  const before = tank.cluster.store.currentRevision();
  const patched = tank.call('PATCH', `${maps}/a`, { data: { mine: 'yes' } }, 'application/merge-patch+json');
  expect(patched).toMatchObject({ data: { theirs: '0', mine: 'yes' }, metadata: { resourceVersion: String(before + 3) } });
  expect(tank.call('GET', `${maps}/a`)).toEqual(patched);
  expect(tank.inputs).toHaveLength(2);
});

test('an update with the version that it read is refused when another was faster', async () => {
  const tank: TestCluster = await aTank(interfering(() => tank, 1));
  const made = tank.call('POST', maps, map('a'));
  expect(() => tank.call('PUT', `${maps}/a`, { ...made, data: { mine: 'yes' } })).toThrow(
    'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
  );
});

test('a request that crashes is answered 500 and part of history; a replay crashes there again and goes on', async () => {
  const broken = defineAdmissionPlugin({
    name: 'Broken',
    verbs: ['CREATE'],
    resources: ['configmaps'],
    admit(object) {
      if (object.metadata.name === 'broken') throw new TypeError('lost its way');
      return object;
    },
  });
  const crashes: string[] = [];
  const tank = await aTank(broken, () => void crashes.push('live'));
  const body = new TextEncoder().encode(JSON.stringify(map('broken')));
  const headers = { 'content-type': 'application/json' };
  const answer = tank.door.serveAtOnce({ method: 'POST', path: maps, query: '', headers, body, identity: adminIdentity }) as HttpPlainResponse;
  expect(answer.status).toBe(500);
  tank.call('POST', maps, map('after'));
  await tank.advance(10_000);
  const again = await replayed(tank, broken, () => void crashes.push('replay'));
  expect(crashes).toEqual(['live', 'replay']);
  expect(again.cluster.digest).toBe(tank.cluster.digest);
  expect(again.call('GET', `${maps}/after`)).toEqual(tank.call('GET', `${maps}/after`));
});

test('a collection is deleted in one commit, one revision each', async () => {
  const tank = await aTank();
  const names = ['a', 'b', 'c'];
  for (const name of names) tank.call('POST', maps, map(name, {}, { labels: { set: 'x' } }));
  const before = tank.cluster.store.currentRevision();
  const told: number[] = [];
  tank.cluster.store.watch({
    prefix: '/registry/configmaps/default/',
    onChanges: (changes) => void told.push(changes.length, tank.cluster.store.currentRevision()),
  });
  tank.call('DELETE', `${maps}?labelSelector=set%3Dx`);
  expect(told).toEqual(names.flatMap(() => [1, before + 3]));
  expect(tank.inputs).toHaveLength(4);
});

test('what refuses to be deleted ends the deletion of a collection, and those before it are gone, by a replay too', async () => {
  const keeper = defineAdmissionPlugin({
    name: 'Keeper',
    verbs: ['DELETE'],
    resources: ['configmaps'],
    validate({ oldObject }) {
      const { name } = oldObject?.metadata ?? {};
      if (name === 'b') throw newForbidden({ group: '', resource: 'configmaps' }, name, 'it is kept');
    },
  });
  const tank = await aTank(keeper);
  for (const name of ['a', 'b', 'c']) tank.call('POST', maps, map(name, {}, { labels: { set: 'x' } }));
  expect(() => tank.call('DELETE', `${maps}?labelSelector=set%3Dx`)).toThrow('configmaps "b" is forbidden: it is kept');
  const left = (of: TestCluster): unknown =>
    of.call<{ items: readonly KubeObject[] }>('GET', `${maps}?labelSelector=set%3Dx`).items.map(({ metadata }) => metadata.name);
  expect(left(tank)).toEqual(['b', 'c']);
  const again = await replayed(tank, keeper);
  expect([left(again), again.cluster.digest]).toEqual([['b', 'c'], tank.cluster.digest]);
});

test('a pod in a new namespace waits for its service account; without one it is refused', async () => {
  let wallMs = 0;
  const tank = await aCluster({ nodes: 1, seed: 7 }, { wallMs: () => (wallMs += 10) });
  const create = async (namespace: string): Promise<HttpPlainResponse> => {
    const body = new TextEncoder().encode(
      JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'nginx' }] } }),
    );
    const headers = { accept: 'application/json', 'content-type': 'application/json' };
    const path = `/api/v1/namespaces/${namespace}/pods`;
    return (await tank.door.serve({ method: 'POST', path, query: '', headers, body, identity: adminIdentity })) as HttpPlainResponse;
  };
  tank.call('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'new' } });
  const created = create('new');
  await tank.advance(10_000);
  expect((await created).status).toBe(201);
  const inputs = tank.inputs.length;
  tank.call('DELETE', '/api/v1/namespaces/new/serviceaccounts/default');
  // Virtual time stands still, so nobody makes another.
  const refused = await create('new');
  expect([refused.status, JSON.parse(refused.body as string)]).toMatchObject([
    403,
    { reason: 'Forbidden', message: 'pods "p" is forbidden: error looking up service account new/default: serviceaccount "default" not found' },
  ]);
  expect(wallMs).toBeGreaterThanOrEqual(1_800);
  expect(tank.inputs).toHaveLength(inputs + 1);
});
