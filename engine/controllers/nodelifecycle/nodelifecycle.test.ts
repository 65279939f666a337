import { describe, expect, it } from 'vitest';
import type { Node } from '../../api/core/v1/types.gen.ts';
import { formatMicroTime } from '../../apimachinery/time.ts';
import { leases, nodes, pods } from '../../client/resources.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { nodeLifecycleController } from './controller.ts';
import { ZoneQueue, zoneQueueCodec } from './zone-queue.ts';
import { zoneState } from './zones.ts';

const types = ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready'];

function addNode(bench: ControllerBench, name: string, zone = 'z1'): void {
  const at = bench.time();
  const conditions = types.map((type) => ({ type, status: type === 'Ready' ? 'True' : 'False', lastHeartbeatTime: at, lastTransitionTime: at }));
  const labels = { 'kubernetes.io/os': 'linux', 'beta.kubernetes.io/os': 'linux', 'topology.kubernetes.io/zone': zone };
  bench.add(nodes, { metadata: { name, uid: `uid-${name}`, labels }, spec: {}, status: { conditions } });
  bench.add(leases, { metadata: { namespace: 'kube-node-lease', name }, spec: { renewTime: formatMicroTime(bench.nowMs) } });
}

function renew(bench: ControllerBench, name: string): void {
  bench.change(leases, 'kube-node-lease', name, (lease) => ({ ...lease, spec: { ...lease.spec, renewTime: formatMicroTime(bench.nowMs) } }));
}

/** Seconds pass while some nodes renew their leases every ten. */
async function live(bench: ControllerBench, seconds: number, alive: readonly string[]): Promise<void> {
  for (let i = 0; i < seconds / 10; i++) {
    for (const name of alive) renew(bench, name);
    await bench.advance(10_000);
  }
}

function taintsOf(bench: ControllerBench, name: string): string[] {
  return (bench.get(nodes, undefined, name)?.spec?.taints ?? []).map(({ key, effect }) => `${key.replace('node.kubernetes.io/', '')}:${effect}`);
}

async function makeCluster(names: readonly string[]): Promise<ControllerBench> {
  const bench = new ControllerBench();
  for (const name of names) addNode(bench, name);
  await bench.run(nodeLifecycleController);
  await bench.advance(0);
  return bench;
}

describe('node-lifecycle-controller', () => {
  it('registers nodes, writes nothing while they live, and tells when they go', async () => {
    const bench = await makeCluster(['a', 'b']);
    await live(bench, 200, ['a', 'b']);
    bench.remove(nodes, undefined, 'b');
    await live(bench, 10, ['a']);
    expect(bench.writeTexts()).toEqual([]);
    expect(bench.eventTexts()).toEqual([
      'Normal RegisteredNode Node a event: Registered Node a in Controller',
      'Normal RegisteredNode Node b event: Registered Node b in Controller',
      'Normal RemovingNode Node b event: Removing Node b from Controller',
    ]);
  });

  it('notices silence after the grace period, says so, and names it as cause', async () => {
    const bench = await makeCluster(['a', 'b', 'c']);
    const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: bench.time() }];
    bench.add(pods, { metadata: { namespace: 'default', name: 'p' }, spec: { nodeName: 'a' }, status: { phase: 'Running', conditions } });
    bench.clear();
    await live(bench, 50, ['b', 'c']);
    expect(bench.writeTexts()).toEqual([]);
    await live(bench, 10, ['b', 'c']);
    expect(bench.writeTexts()).toEqual(['updateStatus nodes a', 'updateStatus pods default/p', 'patch nodes a', 'patch nodes a']);
    expect(bench.eventTexts()).toEqual(['Normal NodeNotReady Node a status is now: NodeNotReady', 'Warning NodeNotReady Node is not ready']);
    expect(bench.get(nodes, undefined, 'a')?.status?.conditions?.map(({ type, status, reason, message }) => [type, status, reason, message])).toEqual(
      types.map((type) => [type, 'Unknown', 'NodeStatusUnknown', 'Kubelet stopped posting node status.']),
    );
    expect(bench.get(pods, 'default', 'p')?.status?.conditions?.[0]?.status).toBe('False');
    expect(taintsOf(bench, 'a')).toEqual(['unreachable:NoSchedule', 'unreachable:NoExecute']);
    const silent = bench.writes.filter(({ causes }) => causes.includes('silence:a'));
    expect(silent.map(({ verb, resource }) => `${verb} ${resource}`)).toEqual(['updateStatus nodes', 'updateStatus pods', 'patch nodes']);
  });

  it('takes the taints off again when the node is heard of', async () => {
    const bench = await makeCluster(['a', 'b', 'c']);
    await live(bench, 70, ['b', 'c']);
    expect(taintsOf(bench, 'a')).toHaveLength(2);
    bench.change(nodes, undefined, 'a', (node: Node) => {
      const conditions = node.status?.conditions?.map((condition) => ({
        ...condition,
        status: condition.type === 'Ready' ? 'True' : 'False',
        lastHeartbeatTime: bench.time(),
      }));
      return { ...node, status: { ...node.status, conditions } };
    });
    await live(bench, 10, ['a', 'b', 'c']);
    expect(taintsOf(bench, 'a')).toEqual([]);
  });

  it.each([
    { name: 'not ready', change: { Ready: 'False' }, taints: ['not-ready:NoSchedule', 'not-ready:NoExecute'] },
    { name: 'short of memory', change: { MemoryPressure: 'True' }, taints: ['memory-pressure:NoSchedule'] },
    {
      name: 'short of disk and processes',
      change: { DiskPressure: 'True', PIDPressure: 'True' },
      taints: ['disk-pressure:NoSchedule', 'pid-pressure:NoSchedule'],
    },
    { name: 'cordoned', change: {}, unschedulable: true, taints: ['unschedulable:NoSchedule'] },
  ])('taints a node that is $name', async ({ change, unschedulable, taints }) => {
    const bench = await makeCluster(['a', 'b', 'c']);
    bench.change(nodes, undefined, 'a', (node: Node) => {
      const conditions = node.status?.conditions?.map((condition) => ({
        ...condition,
        status: (change as Record<string, string>)[condition.type] ?? condition.status,
      }));
      return { ...node, spec: { ...node.spec, ...(unschedulable ? { unschedulable } : {}) }, status: { ...node.status, conditions } };
    });
    await live(bench, 10, ['a', 'b', 'c']);
    expect(taintsOf(bench, 'a')).toEqual(taints);
    expect(bench.get(nodes, undefined, 'a')?.spec?.taints?.every(({ timeAdded }) => timeAdded !== undefined)).toBe(true);
  });

  it('lets one node in ten seconds through', async () => {
    const names = Array.from({ length: 10 }, (_, i) => `n${i}`);
    const bench = await makeCluster(names);
    const alive = names.slice(4);
    await live(bench, 60, alive);
    const evicted = () => names.filter((name) => taintsOf(bench, name).includes('unreachable:NoExecute')).length;
    const counts: number[] = [];
    for (let i = 0; i < 4; i++) {
      counts.push(evicted());
      await live(bench, 10, alive);
    }
    expect(counts).toEqual([1, 2, 3, 4]);
  });

  it('stops where most of a small zone is down, and where all is', async () => {
    const names = Array.from({ length: 5 }, (_, i) => `n${i}`);
    const partial = await makeCluster(names);
    await live(partial, 200, names.slice(3));
    expect(names.map((name) => taintsOf(partial, name)).slice(0, 3)).toEqual(names.slice(0, 3).map(() => ['unreachable:NoSchedule']));
    const all = await makeCluster(['a', 'b']);
    await live(all, 200, []);
    expect([taintsOf(all, 'a'), taintsOf(all, 'b')]).toEqual([['unreachable:NoSchedule'], ['unreachable:NoSchedule']]);
  });

  it('mirrors well-known labels', async () => {
    const bench = new ControllerBench();
    bench.add(nodes, {
      metadata: { name: 'a', labels: { 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64', 'beta.kubernetes.io/arch': 'arm' } },
      spec: {},
    });
    await bench.run(nodeLifecycleController);
    expect(bench.get(nodes, undefined, 'a')?.metadata.labels).toMatchObject({ 'beta.kubernetes.io/os': 'linux', 'beta.kubernetes.io/arch': 'amd64' });
  });

  it.each([
    { ready: 0, notReady: 1, state: 'FullDisruption' },
    { ready: 2, notReady: 3, state: 'PartialDisruption' },
    { ready: 1, notReady: 2, state: 'Normal' },
    { ready: 5, notReady: 4, state: 'Normal' },
  ])('$ready ready and $notReady not: $state', ({ state, ...count }) => {
    expect(zoneState(count, 0.55)).toBe(state);
  });

  it('a new rate starts without a token where the old had none', () => {
    const queue = new ZoneQueue(0.1, 0);
    queue.add('a', 0, []);
    queue.setRate(0, 0);
    expect(queue.tryTake(1e6)).toBeUndefined();
    queue.setRate(0.1, 1e6);
    expect(queue.nextMs(1e6)).toBe(1e6 + 10_000);
    expect(zoneQueueCodec.decode(zoneQueueCodec.encode(queue), 'queue').tryTake(1e6 + 10_000)?.node).toBe('a');
  });
});
