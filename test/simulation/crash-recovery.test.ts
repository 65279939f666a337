/** A component that throws is a component that crashed: the others go on, the crash is shown, and it is tried again. */
import { adminIdentity } from '../../engine/cluster/identities.ts';
import { afterEach, expect, test, vi } from 'vitest';
import type { CrashRecord } from '../../engine/api/sim/v1alpha1/crash-record.ts';
import type { Timeline } from '../../engine/api/sim/v1alpha1/timeline.ts';
import type { Pod } from '../../engine/api/core/v1/types.gen.ts';
import type { KubeList } from '../../engine/apimachinery/object.ts';
import { must } from '../../engine/base/assert.ts';
import { controllers } from '../../engine/controllers/index.gen.ts';
import type { Controller } from '../../engine/controller-runtime/controller.ts';
import type { ControllerDefinition } from '../../engine/controllers/controller.ts';
import { configMapKind } from '../../engine/kinds/core/v1/config-map.ts';
import type * as podStatusModule from '../../engine/nodes/kubelet/pod-status.ts';
import type * as nodeObjectModule from '../../engine/nodes/node-object.ts';
import type * as syncPodModule from '../../engine/nodes/kubelet/sync-pod.ts';
import { plugins } from '../../engine/scheduler/plugins/index.gen.ts';
import { aCluster, aDeployment, madeCluster, type TestCluster } from '../support/cluster.ts';

type SyncPod = typeof syncPodModule;

/** Pods whose kubelet worker throws, pods and nodes whose status cannot be told, and how often still. */
const sick = vi.hoisted(() => new Map<string, number>());

vi.mock('../../engine/nodes/kubelet/sync-pod.ts', async (original) => {
  const real = await original<SyncPod>();
  return {
    ...real,
    syncPod: (worker: Parameters<typeof real.syncPod>[0], env: Parameters<typeof real.syncPod>[1]) => {
      strike(worker.name, 'the kubelet lost its way');
      real.syncPod(worker, env);
    },
  };
});

vi.mock('../../engine/nodes/kubelet/pod-status.ts', async (original) => {
  const real = await original<typeof podStatusModule>();
  return {
    ...real,
    buildPodStatus: (...given: Parameters<typeof real.buildPodStatus>) => {
      strike(`status of ${given[0].name}`, 'the status manager lost its way');
      return real.buildPodStatus(...given);
    },
  };
});

vi.mock('../../engine/nodes/node-object.ts', async (original) => {
  const real = await original<typeof nodeObjectModule>();
  return {
    ...real,
    buildNodeStatus: (...given: Parameters<typeof real.buildNodeStatus>) => {
      strike(`status of ${given[0].name}`, 'the node status lost its way');
      return real.buildNodeStatus(...given);
    },
  };
});

function strike(who: string, message: string): void {
  const left = sick.get(who) ?? 0;
  if (left <= 0) return;
  sick.set(who, left - 1);
  throw new TypeError(message);
}

afterEach(() => {
  vi.restoreAllMocks();
  sick.clear();
});

const recovering = { onCrash: () => undefined };

function aPod(name: string): object {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { containers: [{ name: 'c', image: 'nginx' }] } };
}

/** A pod that no kubelet evicts. */
function spared(pod: object): object {
  return { ...pod, spec: { ...(pod as Pod).spec, priorityClassName: 'system-node-critical' } };
}

function crashesOf({ call }: TestCluster): readonly CrashRecord[] {
  return call<KubeList<CrashRecord>>('GET', '/apis/sim.wavetank.dev/v1alpha1/crashrecords').items;
}

function phasesOf({ call }: TestCluster): Record<string, string | undefined> {
  const { items } = call<KubeList<Pod>>('GET', '/api/v1/namespaces/default/pods');
  return Object.fromEntries(items.map(({ metadata, status }) => [metadata.name ?? '', status?.phase]));
}

/** Changes what the controllers of this name do, as long as the test lasts. */
function sabotage(name: string, change: (controller: Controller) => void): void {
  const definition = must(
    controllers.find((one) => one.name === name),
    name,
  ) as { -readonly [K in keyof ControllerDefinition]: ControllerDefinition[K] };
  const { create } = definition;
  vi.spyOn(definition, 'create').mockImplementation((environment) => {
    const controller = create(environment);
    change(controller);
    return controller;
  });
}

/** The deployment controller throws on `default/bad` this often. */
function sickDeployments(times: number): void {
  sabotage('deployment-controller', (controller) => {
    const reconcile = controller.reconcile.bind(controller);
    let left = times;
    controller.reconcile = (context, key) => {
      if (key === 'default/bad' && left-- > 0) throw new TypeError("Cannot read properties of undefined (reading 'replicas')");
      return reconcile(context, key);
    };
  });
}

test('a reconcile that throws is retried with back-off; other objects and controllers are untouched', async () => {
  sickDeployments(6);
  const tank = await aCluster({ nodes: 1 }, recovering);
  tank.call('POST', '/apis/apps/v1/namespaces/default/deployments', aDeployment('bad', 1));
  tank.call('POST', '/apis/apps/v1/namespaces/default/deployments', aDeployment('good', 1));
  await tank.advance(100);
  expect(tank.cluster.stored('replicasets').map(({ metadata }) => metadata.ownerReferences?.[0]?.name)).toEqual(['good']);
  await tank.advance(30_000);
  expect(Object.values(phasesOf(tank))).toEqual(['Running', 'Running']);
  const [crash, ...more] = crashesOf(tank);
  expect(more).toEqual([]);
  expect(crash).toMatchObject({
    kind: 'CrashRecord',
    component: 'controller/deployment-controller',
    key: 'default/bad',
    error: "TypeError: Cannot read properties of undefined (reading 'replicas')",
    count: 6,
  });
  const timeline = tank.call<Timeline>('GET', '/apis/sim.wavetank.dev/v1alpha1/timelines/main');
  expect(timeline.crashes).toMatchObject([{ component: 'controller/deployment-controller', key: 'default/bad', count: 6 }]);
});

test('a scheduler plugin that throws costs one pod one attempt', async () => {
  const fit = must(
    plugins.find(({ name }) => name === 'NodeResourcesFit'),
    'plugin',
  );
  let left = 1;
  const { create } = fit;
  vi.spyOn(fit as { create: typeof create }, 'create').mockImplementation((handle, args) => {
    const plugin = create(handle, args);
    const classState = must(plugin.classState, 'class state').bind(plugin);
    plugin.classState = (info) => {
      if (info.pod.metadata.name === 'bad' && left-- > 0) throw new RangeError('no such resource');
      return classState(info);
    };
    return plugin;
  });
  const tank = await aCluster({ nodes: 1 }, recovering);
  tank.call('POST', '/api/v1/namespaces/default/pods', aPod('bad'));
  tank.call('POST', '/api/v1/namespaces/default/pods', aPod('good'));
  await tank.advance(60_000);
  expect(phasesOf(tank)).toEqual({ bad: 'Running', good: 'Running' });
  expect(crashesOf(tank)).toMatchObject([{ component: 'kube-scheduler', key: 'pod default/bad', error: 'RangeError: no such resource', count: 1 }]);
  const events = tank.cluster.stored('events') as unknown as readonly { readonly reason: string; readonly message: string }[];
  expect(events.find(({ reason }) => reason === 'FailedScheduling')?.message).toBe('running scheduling cycle: no such resource');
});

test("a pod worker that throws leaves its node's other pods alone and is synced again after ten seconds", async () => {
  sick.set('bad', 2);
  const tank = await aCluster({ nodes: 1 }, recovering);
  tank.call('POST', '/api/v1/namespaces/default/pods', aPod('bad'));
  tank.call('POST', '/api/v1/namespaces/default/pods', aPod('good'));
  await tank.advance(9_000);
  expect(phasesOf(tank)).toEqual({ bad: 'Pending', good: 'Running' });
  await tank.advance(25_000);
  expect(phasesOf(tank)).toEqual({ bad: 'Running', good: 'Running' });
  expect(crashesOf(tank)).toMatchObject([
    { component: 'kubelets', key: 'pod default/bad on node-0', error: 'TypeError: the kubelet lost its way', count: 2 },
  ]);
});

test("a pod's status that crashes is told again after ten seconds, also when the cluster was restored meanwhile; so is a node's", async () => {
  const run = async (isRestored: boolean): Promise<string> => {
    sick.clear();
    let tank = await aCluster({ nodes: 1 }, recovering);
    tank.call('POST', '/api/v1/namespaces/default/pods', aPod('bad'));
    tank.call('POST', '/api/v1/namespaces/default/pods', spared(aPod('good')));
    await tank.advance(60_000);
    sick.set('status of bad', 1).set('status of node-0', 1);
    // A pod ends, and a node has something new to tell.
    tank.call('DELETE', '/api/v1/namespaces/default/pods/bad?gracePeriodSeconds=1');
    tank.call('POST', '/apis/sim.wavetank.dev/v1alpha1/faults', {
      apiVersion: 'sim.wavetank.dev/v1alpha1',
      kind: 'Fault',
      metadata: { name: 'short' },
      spec: { type: 'node-memory-pressure', target: { node: 'node-0' } },
    });
    for (let second = 0; second < 30 && crashesOf(tank).length < 2; second++) await tank.advance(1_000);
    expect(crashesOf(tank)).toMatchObject([
      { component: 'kubelets', key: 'status of pod default/bad on node-0', error: 'TypeError: the status manager lost its way', count: 1 },
      { component: 'kubelets', key: 'heartbeat of node-0', error: 'TypeError: the node status lost its way', count: 1 },
    ]);
    await tank.quiet();
    if (isRestored) {
      const saved = JSON.parse(JSON.stringify(tank.cluster.save())) as never;
      tank = madeCluster({ nodes: 1 }, recovering);
      tank.cluster.restore(saved);
    }
    await tank.cluster.loop.run(tank.cluster.config.startMs + 150_000);
    expect(phasesOf(tank)).toEqual({ good: 'Running' });
    const node = tank.call<{ status: { conditions: readonly { type: string; status: string }[] } }>('GET', '/api/v1/nodes/node-0');
    expect(node.status.conditions.find(({ type }) => type === 'MemoryPressure')?.status).toBe('True');
    return tank.cluster.digest;
  };
  expect(await run(true)).toBe(await run(false));
});

test('an informer handler that throws costs the other handlers nothing and is told again', async () => {
  let left = 3;
  const name = 'replicaset-controller';
  const definition = must(
    controllers.find((one) => one.name === name),
    name,
  );
  const watch = must(definition.watches[0], 'watch') as { keysOf: ControllerDefinition['watches'][0]['keysOf'] };
  const { keysOf } = watch;
  vi.spyOn(watch, 'keysOf').mockImplementation((event, controller) => {
    if (event.type === 'add' && event.object.metadata.name?.startsWith('bad') && left-- > 0) throw new Error('what is this?');
    return keysOf(event, controller);
  });
  const tank = await aCluster({ nodes: 1 }, recovering);
  tank.call('POST', '/apis/apps/v1/namespaces/default/replicasets', { ...aDeployment('bad', 1), kind: 'ReplicaSet' });
  tank.call('POST', '/apis/apps/v1/namespaces/default/replicasets', { ...aDeployment('good', 1), kind: 'ReplicaSet' });
  await tank.advance(30_000);
  expect(Object.values(phasesOf(tank))).toEqual(['Running', 'Running']);
  expect(crashesOf(tank)).toMatchObject([
    { component: `controller/${name}`, key: 'replicasets default/bad', error: 'Error: what is this?', count: 3 },
  ]);
});

test('a timer that throws comes again, and periodic work goes on', async () => {
  let left = 3;
  sabotage('node-lifecycle-controller', (controller) => {
    const onTimer = must(controller.onTimer, 'timer').bind(controller);
    controller.onTimer = (name, payload) => {
      if (name === 'monitor' && left-- > 0) throw new Error('no monitor');
      return onTimer(name, payload);
    };
  });
  const tank = await aCluster({ nodes: 2 }, recovering);
  tank.call('POST', '/apis/sim.wavetank.dev/v1alpha1/faults', {
    apiVersion: 'sim.wavetank.dev/v1alpha1',
    kind: 'Fault',
    metadata: { name: 'dark' },
    spec: { type: 'node-power-loss', target: { node: 'node-0' } },
  });
  await tank.advance(90_000);
  expect(crashesOf(tank)).toMatchObject([{ component: 'controller/node-lifecycle-controller', key: 'own/monitor', count: 3 }]);
  const node = tank.call<{ spec: { taints?: readonly { key: string }[] } }>('GET', '/api/v1/nodes/node-0');
  expect(node.spec.taints?.map(({ key }) => key)).toContain('node.kubernetes.io/unreachable');
});

test('a request whose handling throws is answered 500, to clients outside and to components', async () => {
  let isBroken = false;
  vi.spyOn(configMapKind as unknown as { validate: () => readonly never[] }, 'validate').mockImplementation(() => {
    if (isBroken) throw new TypeError('validation lost its way');
    return [];
  });
  const tank = await aCluster({ nodes: 1 }, recovering);
  isBroken = true;
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } };
  const answer = tank.door.serveAtOnce({
    method: 'POST',
    path: '/api/v1/namespaces/default/configmaps',
    query: '',
    headers: { 'content-type': 'application/json' },
    body: new TextEncoder().encode(JSON.stringify(body)),
    identity: adminIdentity,
  });
  expect(answer).toMatchObject({ status: 500, body: 'This request caused apiserver to panic. Look in the logs for details.\n' });
  // The publisher of root certificates is refused in the same way, and tries again.
  tank.call('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'late' } });
  await tank.advance(1_000);
  isBroken = false;
  await tank.advance(60_000);
  expect(tank.call('GET', '/api/v1/namespaces/late/configmaps/kube-root-ca.crt')).toMatchObject({ kind: 'ConfigMap' });
  expect(new Set(crashesOf(tank).map(({ component, key }) => `${component}: ${key}`))).toEqual(
    new Set([
      'apiserver: POST /api/v1/namespaces/default/configmaps',
      'apiserver: create configmaps late by system:serviceaccount:kube-system:root-ca-cert-publisher',
    ]),
  );
});

test('crashes are part of history: replays and restores crash in the same places', async () => {
  const run = async (restoreAfterMs: number | undefined): Promise<{ digest: string; crashes: readonly CrashRecord[] }> => {
    vi.restoreAllMocks();
    sick.clear();
    sick.set('bad', 3);
    let tank = await aCluster({ nodes: 1 }, recovering);
    tank.call('POST', '/api/v1/namespaces/default/pods', aPod('bad'));
    await tank.advance(restoreAfterMs ?? 0);
    if (restoreAfterMs !== undefined) {
      await tank.quiet();
      const saved = JSON.parse(JSON.stringify(tank.cluster.save())) as never;
      const endMs = tank.cluster.loop.nowMs();
      tank = madeCluster({ nodes: 1 }, recovering);
      tank.cluster.restore(saved);
      expect(tank.cluster.loop.nowMs()).toBe(endMs);
    }
    await tank.cluster.loop.run(tank.cluster.config.startMs + 120_000);
    return { digest: tank.cluster.digest, crashes: crashesOf(tank) };
  };
  const first = await run(undefined);
  expect(first.crashes).toMatchObject([{ count: 3 }]);
  expect(await run(undefined)).toEqual(first);
  expect(await run(12_000)).toEqual(first);
});
