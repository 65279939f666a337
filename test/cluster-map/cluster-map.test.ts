/** What the map of the cluster says of nodes and pods, now and then, and that its countdowns end when the thing happens. */
import { describe, expect, test } from 'vitest';
import type { ClusterMap, ClusterMapStatus, MapNode } from '../../engine/api/sim/v1alpha1/cluster-map.ts';
import type { Pod } from '../../engine/api/core/v1/types.gen.ts';
import { Random } from '../../engine/base/random.ts';
import { aCluster, aDeployment, madeCluster, type TestCluster } from '../support/cluster.ts';

const mapPath = '/apis/sim.wavetank.dev/v1alpha1/clustermaps/cluster';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const podsPath = '/api/v1/namespaces/default/pods';
const faults = '/apis/sim.wavetank.dev/v1alpha1/faults';

function map({ call }: TestCluster, query = '?pods=1000', name = 'cluster'): ClusterMapStatus {
  return call<ClusterMap>('GET', `${mapPath.replace(/cluster$/, name)}${query}`).status;
}

/** By the names of classes, of all nodes together. */
function counted({ nodes, classes }: ClusterMapStatus): { readonly [name: string]: number } {
  const sums: Record<string, number> = {};
  for (const { counts } of nodes)
    for (let at = 0; at < counts.length; at += 2) {
      const name = classes[counts[at] as number] as string;
      sums[name] = (sums[name] ?? 0) + (counts[at + 1] as number);
    }
  return sums;
}

function pod(name: string, container: object, spec: object = {}): object {
  return { metadata: { name }, spec: { containers: [{ name: 'c', image: 'busybox', ...container }], ...spec } };
}

function nodeOf(status: ClusterMapStatus, name: string): MapNode {
  const found = status.nodes.find((node) => node.name === name);
  if (found === undefined) throw new Error(`${name} is not on the map`);
  return found;
}

describe('the map of a cluster', () => {
  test('of an instant that has passed pods without a node wait with what the scheduler had said by then', async () => {
    const made = await aCluster({ nodes: 2 });
    made.call('POST', podsPath, pod('huge', { resources: { requests: { cpu: '900' } } }));
    await made.advance(10_000);
    const then = map(made);
    expect(then.waiting[0]?.message).toContain('Insufficient cpu');
    const taints = [{ key: 'team', value: 'db', effect: 'NoSchedule' }];
    for (const name of ['node-0', 'node-1']) made.call('PATCH', `/api/v1/nodes/${name}`, { spec: { taints } }, 'application/merge-patch+json');
    await made.advance(600_000);
    expect(map(made).waiting[0]?.message).toContain('untolerated taint');
    expect(map(made, `?pods=1000&at=${then.atMs}`).waiting).toEqual(then.waiting);
    made.call('DELETE', `${podsPath}/huge`);
    await made.advance(10_000);
    expect(map(made, `?pods=1000&at=${then.atMs}`).waiting[0]?.message).toContain('Insufficient cpu');
  });

  test('counts pods by any colour, or shows them one by one, and lets those without a node wait with their reason', async () => {
    const made = await aCluster({ nodes: 3 });
    made.call('POST', deployments, aDeployment('web', 6));
    made.call('POST', podsPath, pod('alone', { image: 'nginx' }));
    for (const name of ['huge-1', 'huge-2']) made.call('POST', podsPath, pod(name, { resources: { requests: { cpu: '900' } } }));
    made.call('POST', podsPath, pod('gated', {}, { schedulingGates: [{ name: 'a.b/c' }] }));
    await made.advance(30_000);
    const one = map(made);
    expect(one.podCount).toBe(10);
    expect(counted(one)).toEqual({ Ready: 7 });
    expect(one.nodes.map(({ name, ready }) => `${name} ${ready}`)).toEqual(['node-0 True', 'node-1 True', 'node-2 True']);
    expect(one.waiting.map(({ reason, count, pods }) => ({ reason, count, pods }))).toEqual([
      { reason: 'Unschedulable', count: 2, pods: ['pods/default/huge-1', 'pods/default/huge-2'] },
      { reason: 'Gated', count: 1, pods: ['pods/default/gated'] },
    ]);
    expect(one.waiting[0]?.message).toContain('Insufficient cpu');
    const owned = one.nodes.flatMap(({ pods = [] }) => pods);
    expect(owned.filter(({ owner }) => owner?.startsWith('replicasets.apps/default/web-') === true)).toHaveLength(6);
    expect(owned.find(({ name }) => name === 'alone')?.owner).toBeUndefined();
    expect(Object.values(counted(map(made, '?by=owner'))).sort()).toEqual([1, 6]);
    expect(counted(map(made, '?by=owner'))['no owner']).toBe(1);
    expect(counted(map(made, '?by=request'))).toEqual({ 'to 50m': 6, none: 1 });
    expect(counted(map(made, '?by=age'))).toEqual({ 'under 1 min': 7 });
    expect(counted(map(made, '?by=priority'))).toEqual({ 0: 7 });
    expect(Object.keys(counted(map(made, '?by=use')))).not.toContain('unknown');
    const coarse = map(made, '?pods=5');
    expect(coarse.nodes.every(({ pods }) => pods === undefined)).toBe(true);
    expect(map(made, '', 'node-1').nodes).toHaveLength(1);
    expect(map(made, '', 'node-1').nodes[0]?.pods).toHaveLength(one.nodes[1]?.podCount ?? 0);
  });

  test('a silent node counts down to being unreachable, then to its first eviction, by the flags of this cluster', async () => {
    const made = await aCluster({ nodes: 3, options: { 'node-monitor-grace-period': '40s', 'default-unreachable-toleration-seconds': '60' } });
    made.call('POST', deployments, aDeployment('web', 9));
    await made.advance(30_000);
    made.call('POST', faults, { metadata: { name: 'dark' }, spec: { type: 'node-power-loss', target: { node: 'node-0' } } });
    await made.advance(20_000);
    const silent = nodeOf(map(made), 'node-0');
    expect(silent.ready).toBe('True');
    expect(silent.countdown?.what).toBe('unreachable');
    const foundMs = silent.countdown?.untilMs ?? 0;
    await made.advance(foundMs - made.cluster.loop.nowMs() - 1_000);
    expect(nodeOf(map(made), 'node-0').ready).toBe('True');
    await made.advance(8_000);
    const lost = nodeOf(map(made), 'node-0');
    expect(lost.ready).toBe('Unknown');
    expect(lost.pods?.map(({ look }) => look)).toEqual(['Lost', 'Lost', 'Lost']);
    expect(lost.countdown?.what).toBe('eviction');
    expect((lost.countdown?.untilMs ?? 0) - (lost.countdown?.fromMs ?? 0)).toBe(60_000);
    await made.advance((lost.countdown?.untilMs ?? 0) - made.cluster.loop.nowMs() - 1_000);
    expect(nodeOf(map(made), 'node-0').pods?.every(({ look }) => look === 'Lost')).toBe(true);
    await made.advance(3_000);
    expect(nodeOf(map(made), 'node-0').pods?.map(({ look }) => look)).toEqual(['Terminating', 'Terminating', 'Terminating']);
    expect(nodeOf(map(made), 'node-0').countdown).toBeUndefined();
    // Its kubelet is gone: nothing ends them, whatever grace they were given.
    expect(nodeOf(map(made), 'node-0').pods?.map(({ countdown }) => countdown)).toEqual([undefined, undefined, undefined]);
  });

  test('of two tolerations of one taint the first says when a pod is evicted', async () => {
    const made = await aCluster({ nodes: 3 });
    const bears = (key: string, tolerationSeconds: number) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds });
    const tolerations = ['node.kubernetes.io/unreachable', 'node.kubernetes.io/not-ready'].flatMap((key) => [bears(key, 90), bears(key, 30)]);
    made.call('POST', podsPath, pod('patient', {}, { tolerations, nodeName: 'node-0' }));
    await made.advance(30_000);
    made.call('POST', faults, { metadata: { name: 'dark' }, spec: { type: 'node-power-loss', target: { node: 'node-0' } } });
    await made.advance(70_000);
    const { countdown } = nodeOf(map(made), 'node-0');
    expect(countdown?.what).toBe('eviction');
    expect((countdown?.untilMs ?? 0) - (countdown?.fromMs ?? 0)).toBe(90_000);
    const read = (): Pod => made.call<Pod>('GET', `${podsPath}/patient`);
    await made.advance((countdown?.untilMs ?? 0) - made.cluster.loop.nowMs() - 1_000);
    expect(read().metadata.deletionTimestamp).toBeUndefined();
    await made.advance(3_000);
    expect(read().metadata.deletionTimestamp).toBeDefined();
  });

  test('a crash loop counts down to the instant at which the kubelet starts the container again', async () => {
    const made = await aCluster({ nodes: 1 });
    made.call('POST', podsPath, pod('crash', { command: ['sh', '-c', 'exit 1'] }));
    const looked = (): NonNullable<MapNode['pods']>[number] | undefined => nodeOf(map(made), 'node-0').pods?.[0];
    for (let seconds = 0; seconds < 60 && (looked()?.look !== 'CrashLoop' || seconds < 20); seconds++) await made.advance(1_000);
    const crash = looked();
    expect(crash?.look).toBe('CrashLoop');
    expect(crash?.countdown?.what).toBe('restart');
    const restarts = (): number | undefined => made.call<Pod>('GET', `${podsPath}/crash`).status?.containerStatuses?.[0]?.restartCount;
    const before = restarts();
    await made.advance((crash?.countdown?.untilMs ?? 0) - made.cluster.loop.nowMs() - 2_000);
    expect(restarts()).toBe(before);
    await made.advance(5_000);
    expect(restarts()).toBe((before ?? 0) + 1);
  });

  test('an image that is missing and a claim that is not bound look different from a pod that starts', async () => {
    const made = await aCluster({ nodes: 1 });
    made.call('POST', podsPath, pod('typo', { image: 'nginx:nope', imagePullPolicy: 'Never' }));
    made.call('POST', podsPath, pod('claims', {}, { volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'none' } }] }));
    await made.advance(20_000);
    const status = map(made);
    expect(nodeOf(status, 'node-0').pods?.map(({ name, look }) => `${name} ${look}`)).toEqual(['typo PullFailed']);
    expect(status.waiting[0]?.message).toContain('persistentvolumeclaim "none" not found');
  });

  test('what is kept while somebody looks is what a fresh look finds, whatever changes', async () => {
    const made = await aCluster({ nodes: 4 });
    const random = new Random(7).stream('acts');
    made.call('POST', deployments, aDeployment('web', 8));
    for (let turn = 0; turn < 12; turn++) {
      const replicas = random.integer(16);
      made.call('PATCH', `${deployments}/web`, { spec: { replicas } }, 'application/merge-patch+json');
      if (turn === 4) made.call('DELETE', '/api/v1/nodes/node-3');
      await made.advance(random.integer(9_000));
      for (let slices = random.integer(30); slices > 0; slices--) made.cluster.prepareReading('clustermaps', 1 + random.integer(3), {});
      const kept = map(made);
      const fresh = madeCluster({ nodes: 4 });
      await made.quiet();
      const again = map(made);
      fresh.cluster.restore(made.cluster.save());
      expect(map(fresh)).toEqual(again);
      for (let slices = random.integer(30); slices > 0; slices--) fresh.cluster.prepareReading('clustermaps', 1 + random.integer(3), {});
      expect(map(fresh, '')).toEqual(map(made, ''));
      expect(kept.by).toBe('state');
    }
  });

  test('an instant that has passed is told as it was', async () => {
    const made = await aCluster({ nodes: 3 });
    made.call('POST', deployments, aDeployment('web', 6));
    await made.advance(30_000);
    made.call('POST', faults, { metadata: { name: 'dark' }, spec: { type: 'node-power-loss', target: { node: 'node-1' } } });
    await made.advance(90_000);
    const then = map(made);
    const looks = ({ nodes }: ClusterMapStatus): unknown =>
      nodes.map(({ name, ready, pods }) => ({ name, ready, pods: pods?.map((one) => `${one.name} ${one.look} ${one.owner}`) }));
    made.call('DELETE', `${faults}/dark`);
    made.call('DELETE', `${deployments}/web`);
    await made.advance(120_000);
    expect(counted(map(made))).toEqual({});
    const told = map(made, `?pods=1000&at=${then.atMs}`);
    expect(told.isPast).toBe(true);
    expect(looks(told)).toEqual(looks(then));
    expect(told.nodes.every(({ renewedMs, taints, countdown }) => renewedMs === undefined && taints === undefined && countdown === undefined)).toBe(
      true,
    );
  });

  test('asks that make no sense are refused, and a node that is not there is not found', async () => {
    const made = await aCluster({ nodes: 1 });
    expect(made.ask('GET', `${mapPath}?by=mood`).object.message).toContain('by=mood is none of state, ready');
    expect(made.ask('GET', `${mapPath}?at=9999999999999999`).status).toBe(400);
    expect(made.ask('GET', `${mapPath}?pods=-1`).status).toBe(400);
    expect(made.ask('GET', mapPath.replace(/cluster$/, '__proto__')).status).toBe(404);
  });

  test('names and messages of any length and kind leave the map small', async () => {
    const made = await aCluster({ nodes: 1 });
    const long = 'x'.repeat(250);
    for (let index = 0; index < 60; index++)
      made.call('POST', podsPath, {
        ...pod(`${long.slice(0, 200)}-${index}`, {}, { nodeSelector: { [`a.b/n${index}`]: 'yes' }, nodeName: '' }),
        status: {},
      });
    await made.advance(5_000);
    const status = map(made);
    expect(status.waiting.reduce((sum, { count }) => sum + count, 0)).toBe(60);
    expect(JSON.stringify(status).length).toBeLessThan(60_000);
  });

  test('kubectl shows it in a line', async () => {
    const made = await aCluster({ nodes: 2 });
    made.call('POST', deployments, aDeployment('web', 3));
    made.call('POST', podsPath, pod('huge', { resources: { requests: { cpu: '900' } } }));
    await made.advance(30_000);
    const answer = made.door.serveAtOnce({
      method: 'GET',
      path: mapPath.replace(/\/cluster$/, ''),
      query: '',
      headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
      body: new Uint8Array(),
      identity: { name: 'kubernetes-admin', groups: ['system:masters'] } as never,
    });
    const table = JSON.parse('body' in answer ? String(answer.body) : '') as { readonly rows: readonly { readonly cells: readonly unknown[] }[] };
    expect(table.rows.map(({ cells }) => cells)).toEqual([['cluster', '2', '2/2', '3 Ready', '1 Unschedulable', '<none>']]);
  });
});
