/** Lists and watches of components for which somebody outside has to be asked, with a stand-in for a webhook that authorizes. */
import { expect, test } from 'vitest';
import type { Pod } from '../../engine/api/core/v1/types.gen.ts';
import type { Authorizer } from '../../engine/apiserver/authorizer.ts';
import { Random } from '../../engine/base/random.ts';
import { LoopbackInformers } from '../../engine/client/loopback-informers.ts';
import { configMaps } from '../../engine/client/resources.ts';
import type { ClusterHost } from '../../engine/cluster/cluster-host.ts';
import type { Answer, Question } from '../../engine/contracts/questions.ts';
import type { Identity } from '../../engine/contracts/request.ts';
import { aCluster, madeCluster, type TestCluster } from '../support/cluster.ts';
import { replayInputs } from '../support/replay.ts';

const scheduler = 'system:kube-scheduler';

/** Asks about everybody to whom no role says yes. */
const webhook: Authorizer = {
  authorize({ name }, { verb, resource }, ask) {
    const answer = ask({ to: 'access/review', body: { name, verb, resource }, timeoutMs: 10_000 });
    return answer.outcome === 'answered'
      ? { allowed: answer.body === true, reason: 'the webhook says no' }
      : { allowed: false, reason: answer.outcome };
  },
};

/** Says what `allows` holds for a question, after a turn of the event loop in which the outside may do other things. */
function outside(allows: (asked: string) => boolean, asked: string[] = []): Partial<ClusterHost> {
  return {
    authorizers: [webhook],
    ask: async ({ body }: Question): Promise<Answer> => {
      await new Promise((resolve) => setImmediate(resolve));
      const { name, verb, resource } = body as { readonly name: string; readonly verb: string; readonly resource: string };
      asked.push(`${name} ${verb} ${resource}`);
      return { outcome: 'answered', body: allows(`${name} ${verb} ${resource}`) };
    },
  };
}

const silent: Partial<ClusterHost> = { authorizers: [webhook], ask: () => Promise.reject(new Error('nobody is asked again')) };

function bindings(name: string): string {
  return `/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/${name}`;
}

/** The scheduler has lost its roles, and its watches break: at each it has to be asked whether it may begin another. */
function troubleScheduler(tank: TestCluster): void {
  for (const name of ['system:kube-scheduler', 'system:volume-scheduler']) tank.call('DELETE', bindings(name));
  tank.call('POST', '/apis/sim.wavetank.dev/v1alpha1/faults', {
    apiVersion: 'sim.wavetank.dev/v1alpha1',
    kind: 'Fault',
    metadata: { name: 'breaks' },
    spec: { type: 'watch-drop', parameters: { share: 0.8, process: 'kube-scheduler' }, durationSeconds: 5 },
  });
}

function createPod(tank: TestCluster, name: string): void {
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { containers: [{ name: 'c', image: 'nginx' }] } };
  tank.call('POST', '/api/v1/namespaces/default/pods', pod);
}

function nodeOf(tank: TestCluster, name: string): unknown {
  return tank.call<Pod>('GET', `/api/v1/namespaces/default/pods/${name}`).spec?.nodeName;
}

test('a component whose watch broke waits for the webhook that has to allow the next one; a replay asks nobody', async () => {
  const asked: string[] = [];
  const tank = await aCluster(
    { nodes: 2 },
    outside((text) => text.startsWith(scheduler), asked),
  );
  troubleScheduler(tank);
  for (const name of ['a', 'b', 'c']) {
    createPod(tank, name);
    await tank.advance(4_000);
  }
  await tank.advance(20_000);
  expect(['a', 'b', 'c'].map((name) => nodeOf(tank, name)).every((node) => node !== undefined)).toBe(true);
  expect(asked).toContain(`${scheduler} watch pods`);

  const again = await aCluster({ nodes: 2 }, silent);
  await replayInputs(again, tank.inputs, tank.cluster.loop.nowMs());
  expect(again.cluster.digest).toBe(tank.cluster.digest);
  expect(again.cluster.loop.tasksRun).toBe(tank.cluster.loop.tasksRun);
});

test('what a component watches is taken up again by a restore, and nobody is asked', async () => {
  const allow = outside(() => true);
  const tank = await aCluster({ nodes: 2 }, allow);
  for (const name of ['system:kube-scheduler', 'system:volume-scheduler', 'system:kube-controller-manager']) tank.call('DELETE', bindings(name));
  await tank.advance(5_000);
  await tank.quiet();
  const saved: unknown = JSON.parse(JSON.stringify(tank.cluster.save()));
  let questions = 0;
  const back = madeCluster(
    { nodes: 2 },
    { ...allow, ask: (question) => (questions++, allow.ask?.(question) ?? Promise.reject(new Error('nobody'))) },
  );
  back.cluster.restore(saved as Parameters<typeof back.cluster.restore>[0]);
  back.door.continueAfter(tank.door.inputs);
  expect(questions).toBe(0);
  for (const one of [tank, back]) {
    createPod(one, 'late');
    await one.advance(10_000);
  }
  expect(nodeOf(back, 'late')).toBeDefined();
  expect(back.cluster.digest).toBe(tank.cluster.digest);
});

test('what the webhook refuses is listed anew, ever later, until it says yes', async () => {
  let isAllowed = false;
  const asked: string[] = [];
  const refusals: string[] = [];
  const tank = await aCluster(
    { nodes: 0, options: { controllers: '' } },
    outside(() => isAllowed, asked),
  );
  const identity: Identity = { name: 'watcher', groups: [] };
  const { loop } = tank.cluster;
  const informers = new LoopbackInformers({
    pipeline: tank.door,
    loop,
    identity,
    userAgent: 'watcher/1',
    component: 'watcher',
    latency: new Random(1).stream('watcher'),
    onCrash: (_crash, error) => {
      throw error;
    },
    onRefused: (_type, { status }) => refusals.push(status.message ?? ''),
  });
  const maps = informers.informer(configMaps);
  const told: string[] = [];
  maps.addHandler(({ type, object }) => void told.push(`${type} ${object.metadata.name}`));
  informers.start();
  await loop.run(loop.nowMs() + 10_000);
  expect(refusals.length).toBe(4);
  expect(refusals[0]).toBe(
    'configmaps is forbidden: User "watcher" cannot list resource "configmaps" in API group "" at the cluster scope: the webhook says no',
  );
  isAllowed = true;
  await loop.run(loop.nowMs() + 20_000);
  expect([maps.synced, loop.quiet]).toEqual([true, true]);
  expect(asked.slice(-2)).toEqual(['watcher list configmaps', 'watcher watch configmaps']);
  tank.call('POST', '/api/v1/namespaces/default/configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'new' } });
  await loop.run(loop.nowMs() + 1_000);
  expect(told.at(-1)).toBe('add new');
});

test('a component that is refused for ever leaves the cluster quiet; saved and restored it knows what it knew, and goes on alike', async () => {
  let isAllowed = true;
  const asked: string[] = [];
  const somebody = outside(() => isAllowed, asked);
  const tank = await aCluster({ nodes: 2 }, somebody);
  createPod(tank, 'known');
  await tank.advance(5_000);
  isAllowed = false;
  troubleScheduler(tank);
  await tank.advance(20_000);
  // Its caches are as they were; nobody tells it of this one.
  createPod(tank, 'unheard-of');
  await tank.advance(300_000);
  await tank.quiet();
  expect(nodeOf(tank, 'unheard-of')).toBeUndefined();
  const saved: unknown = JSON.parse(JSON.stringify(tank.cluster.save()));
  const back = madeCluster({ nodes: 2 }, somebody);
  back.cluster.restore(saved as Parameters<typeof back.cluster.restore>[0]);
  back.door.continueAfter(tank.door.inputs);
  expect(back.cluster.caches().length).toBe(tank.cluster.caches().length);
  expect(back.cluster.save()).toEqual(saved);
  isAllowed = true;
  asked.length = 0;
  for (const one of [tank, back]) await one.advance(120_000);
  expect(asked).toContain(`${scheduler} list pods`);
  expect(nodeOf(back, 'unheard-of')).toBeDefined();
  expect(back.cluster.digest).toBe(tank.cluster.digest);
});

test('who wants an answer at once is told that somebody would have to be asked', async () => {
  const { door } = await aCluster(
    { nodes: 0, options: { controllers: '' } },
    outside(() => true),
  );
  const request = { method: 'GET', path: '/api/v1/pods', query: '', headers: {}, body: new Uint8Array(), identity: { name: 'somebody', groups: [] } };
  expect(() => door.serveAtOnce(request)).toThrow(
    'Internal error occurred: access/review is to be asked first, and who wants the answer to GET /api/v1/pods at once cannot wait',
  );
  expect(door.serve(request)).toBeInstanceOf(Promise);
});
