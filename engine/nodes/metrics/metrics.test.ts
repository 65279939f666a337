import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../apimachinery/object.ts';
import { aCluster, type TestCluster } from '../../../test/support/cluster.ts';
import type { NodeMetrics, PodMetrics } from './metrics-api.ts';

const api = '/apis/metrics.k8s.io/v1beta1';
const mebi = 1024 ** 2;

async function withProfile(load: object, pod: object = {}): Promise<TestCluster> {
  const cluster = await aCluster({ nodes: 1 });
  cluster.call('POST', '/apis/sim.wavetank.dev/v1alpha1/imageprofiles', {
    metadata: { name: 'busy' },
    spec: { image: 'busy', sizeBytes: 1_000_000, load },
  });
  cluster.call('POST', '/api/v1/namespaces/default/pods', {
    metadata: { name: 'p', labels: { app: 'busy' } },
    spec: { containers: [{ name: 'c', image: 'busy', ...pod }] },
  });
  await cluster.advance(60_000);
  return cluster;
}

const textOf = (answer: { readonly object: { readonly message?: string } }): string => answer.object.message ?? '';

describe('metrics', () => {
  it('of pods and nodes are what their containers used in the last window', async () => {
    const cluster = await withProfile({ milliCpu: [{ atMs: 0, value: 250 }], memoryBytes: [{ atMs: 0, value: 100 * mebi }] });
    const pod = cluster.call<PodMetrics>('GET', `${api}/namespaces/default/pods/p`);
    expect(pod).toMatchObject({
      kind: 'PodMetrics',
      metadata: { name: 'p', namespace: 'default', labels: { app: 'busy' } },
      window: '15s',
      containers: [{ name: 'c', usage: { cpu: '250m', memory: '100Mi' } }],
    });
    const nodes = cluster.call<{ readonly items: readonly NodeMetrics[] }>('GET', `${api}/nodes`);
    expect(nodes.items).toHaveLength(1);
    expect(nodes.items[0]?.usage).toEqual({ cpu: '310m', memory: '520Mi' });
    expect(cluster.ask('GET', `${api}/namespaces/default/pods/none`)).toMatchObject({ status: 404 });
    expect(cluster.call<{ items: unknown[] }>('GET', `${api}/pods?labelSelector=app%3Dother`).items).toEqual([]);
    expect(cluster.call<{ items: unknown[] }>('GET', `${api}/pods?labelSelector=app%3Dbusy`).items).toHaveLength(1);
  });

  it('average a curve over the window and are the same whoever asks', async () => {
    const cluster = await withProfile({
      milliCpu: [
        { atMs: 0, value: 0 },
        { atMs: 15_000, value: 1_000 },
      ],
      periodMs: 15_000,
    });
    const read = (): PodMetrics => cluster.call<PodMetrics>('GET', `${api}/namespaces/default/pods/p`);
    expect(read().containers[0]?.usage.cpu).toMatch(/^(500m|\d+n)$/);
    expect(Number.parseInt(read().containers[0]?.usage.cpu ?? '', 10)).toBeGreaterThan(0);
    expect(read()).toEqual(read());
  });

  it('are not there until a container has been measured', async () => {
    const cluster = await withProfile({});
    cluster.call('POST', '/api/v1/namespaces/default/pods', { metadata: { name: 'q' }, spec: { containers: [{ name: 'c', image: 'busy' }] } });
    await cluster.advance(4_000);
    expect(cluster.ask('GET', `${api}/namespaces/default/pods/q`)).toMatchObject({ status: 404, object: { reason: 'NotFound' } });
    await cluster.advance(30_000);
    expect(cluster.ask('GET', `${api}/namespaces/default/pods/q`).status).toBe(200);
  });

  it('stay below a CPU limit', async () => {
    const cluster = await withProfile({ milliCpu: [{ atMs: 0, value: 900 }] }, { resources: { limits: { cpu: '200m' } } });
    expect(cluster.call<PodMetrics>('GET', `${api}/namespaces/default/pods/p`).containers[0]?.usage.cpu).toBe('200m');
  });

  it('are read from the kubelet through the API server too', async () => {
    const cluster = await withProfile({ milliCpu: [{ atMs: 0, value: 250 }] });
    const node = cluster.call<{ readonly items: readonly KubeObject[] }>('GET', '/api/v1/nodes').items[0]?.metadata.name ?? '';
    const summary = cluster.call<{ readonly node: object; readonly pods: readonly { readonly podRef: { readonly name: string } }[] }>(
      'GET',
      `/api/v1/nodes/${node}/proxy/stats/summary`,
    );
    expect(summary.node).toMatchObject({ nodeName: node, rlimit: { maxpid: 32_768 } });
    expect(summary.pods.find(({ podRef }) => podRef.name === 'p')).toMatchObject({
      containers: [{ name: 'c', cpu: { usageNanoCores: 250_000_000 } }],
    });
    expect(cluster.ask('POST', `/api/v1/nodes/${node}/proxy/stats/summary`).status).toBe(405);
    expect(cluster.ask('GET', `/api/v1/nodes/${node}/proxy/nothing`).status).toBe(404);
    const text = textOf(cluster.ask('GET', `/api/v1/nodes/${node}/proxy/metrics/resource`));
    expect(text).toContain('container_memory_working_set_bytes{container="c",namespace="default",pod="p"} 6.291456e+06 ');
    expect(text).toMatch(/^container_start_time_seconds\{container="c",namespace="default",pod="p"\} 1\.\d+e\+09$/m);
    expect(text).toContain('# TYPE node_cpu_usage_seconds_total counter\n');
  });

  it('stand in Tables as metrics-server prints them', async () => {
    const cluster = await withProfile({ milliCpu: [{ atMs: 0, value: 250 }], memoryBytes: [{ atMs: 0, value: 100 * mebi }] });
    const table = cluster.cluster.api.storages.find('metrics.k8s.io', 'v1beta1', 'pods', '')?.printed;
    expect(table?.columns?.map(({ name }) => name)).toEqual(['Name', 'cpu', 'memory', 'Window']);
    const pod = cluster.call<PodMetrics>('GET', `${api}/namespaces/default/pods/p`);
    expect(table?.row?.(pod, { nowMs: 0 })).toEqual(['p', '250m', '100Mi', '15s']);
  });
});

describe('a container that wants more memory than its limit', () => {
  it('is killed with 137 and OOMKilled, and starts again with back-off', async () => {
    const cluster = await withProfile(
      {
        memoryBytes: [
          { atMs: 0, value: 10 * mebi },
          { atMs: 20_000, value: 110 * mebi },
        ],
      },
      { resources: { limits: { memory: '60Mi' } } },
    );
    const read = (): KubeObject => cluster.call('GET', '/api/v1/namespaces/default/pods/p');
    expect(read()).toMatchObject({
      status: { containerStatuses: [{ lastState: { terminated: { exitCode: 137, reason: 'OOMKilled' } } }] },
    });
    const { startedAt, finishedAt } = (
      read() as unknown as {
        status: { containerStatuses: [{ lastState: { terminated: { startedAt: string; finishedAt: string } } }] };
      }
    ).status.containerStatuses[0].lastState.terminated;
    expect(Date.parse(finishedAt) - Date.parse(startedAt)).toBe(10_000);
  });
});
