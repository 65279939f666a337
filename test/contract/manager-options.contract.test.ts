/** Options of the controller manager that say how many, how long and how often: each is seen in what a controller does. */
import { describe, expect, it } from 'vitest';
import type { HorizontalPodAutoscaler } from '../../engine/api/autoscaling/v2/types.gen.ts';
import { formatMicroTime } from '../../engine/apimachinery/time.ts';
import { leases, nodes, persistentVolumeClaims, persistentVolumes } from '../../engine/client/resources.ts';
import { controllers } from '../../engine/controllers/index.gen.ts';
import { nodeLifecycleController } from '../../engine/controllers/nodelifecycle/controller.ts';
import { persistentVolumeBinderController } from '../../engine/controllers/persistentvolume-binder/controller.ts';
import { nodeRouteController } from '../../engine/controllers/route/controller.ts';
import { ControllerBench } from '../../engine/controllers/testing/controller-bench.ts';
import { optionsOf } from '../../engine/controllers/testing/default-options.ts';
import { must } from '../../engine/base/assert.ts';
import { aCluster, aDeployment, type TestCluster } from '../support/cluster.ts';

/** Who has as many workers as the option says. */
const workersOf: Readonly<Record<string, readonly string[]>> = {
  'concurrent-cron-job-syncs': ['cronjob-controller'],
  'concurrent-daemonset-syncs': ['daemonset-controller'],
  'concurrent-deployment-syncs': ['deployment-controller'],
  'concurrent-device-taint-eviction-syncs': ['device-taint-eviction-controller'],
  'concurrent-endpoint-syncs': ['endpoints-controller'],
  'concurrent-ephemeralvolume-syncs': ['ephemeral-volume-controller'],
  'concurrent-gc-syncs': ['garbage-collector-controller'],
  'concurrent-horizontal-pod-autoscaler-syncs': ['horizontal-pod-autoscaler-controller'],
  'concurrent-job-syncs': ['job-controller'],
  'concurrent-namespace-syncs': ['namespace-controller'],
  'concurrent-rc-syncs': ['replicationcontroller-controller'],
  'concurrent-replicaset-syncs': ['replicaset-controller'],
  'concurrent-resource-quota-syncs': ['resourcequota-controller'],
  'concurrent-resourceclaim-syncs': ['resourceclaim-controller'],
  'concurrent-service-endpoint-syncs': ['endpointslice-controller'],
  'concurrent-service-syncs': ['service-lb-controller'],
  'concurrent-serviceaccount-syncs': ['serviceaccount-controller'],
  'concurrent-serviceaccount-token-syncs': ['serviceaccount-token-controller'],
  'concurrent-statefulset-syncs': ['statefulset-controller'],
  'concurrent-ttl-after-finished-syncs': ['ttl-after-finished-controller'],
  'mirroring-concurrent-service-endpoint-syncs': ['endpointslice-mirroring-controller'],
};

it.each(Object.entries(workersOf))('--%s is how many keys a controller works on at once', (flag, names) => {
  const changed = (number: number): readonly string[] => {
    const [before, after] = [optionsOf({}), optionsOf({ [flag]: String(number) })];
    return controllers.filter(({ workers }) => workers(after) === number && workers(before) !== number).map(({ name }) => name);
  };
  expect(changed(37)).toEqual(names);
});

describe('nodes that fall silent', () => {
  async function silent(count: number, flags: Readonly<Record<string, string>>): Promise<ControllerBench> {
    const bench = new ControllerBench({ options: optionsOf(flags) });
    for (let i = 0; i < count; i++) {
      const at = bench.time();
      const ready = { type: 'Ready', status: 'True', lastHeartbeatTime: at, lastTransitionTime: at };
      bench.add(nodes, { metadata: { name: `n${i}`, uid: `uid-${i}` }, spec: {}, status: { conditions: [ready] } });
      bench.add(leases, { metadata: { namespace: 'kube-node-lease', name: `n${i}` }, spec: { renewTime: formatMicroTime(bench.nowMs) } });
    }
    await bench.run(nodeLifecycleController);
    return bench;
  }

  /** So many of them go on. */
  async function live(bench: ControllerBench, seconds: number, alive: number): Promise<void> {
    for (let second = 0; second < seconds; second += 5) {
      for (let i = 0; i < alive; i++)
        bench.change(leases, 'kube-node-lease', `n${i}`, (lease) => ({ ...lease, spec: { ...lease.spec, renewTime: formatMicroTime(bench.nowMs) } }));
      await bench.advance(5000);
    }
  }

  const unreachable = (bench: ControllerBench): number =>
    bench.list(nodes).filter(({ spec }) => (spec?.taints ?? []).some(({ key, effect }) => key.endsWith('/unreachable') && effect === 'NoExecute'))
      .length;

  async function unknownAfterMs(flags: Readonly<Record<string, string>>): Promise<number> {
    const bench = await silent(1, flags);
    const startMs = bench.nowMs;
    while (bench.get(nodes, undefined, 'n0')?.status?.conditions?.every(({ status }) => status === 'True')) await bench.advance(1000);
    return Math.round((bench.nowMs - startMs) / 1000);
  }

  it('--node-monitor-grace-period is how long they are believed', async () => {
    const [standard, longer] = [await unknownAfterMs({}), await unknownAfterMs({ 'node-monitor-grace-period': '80s' })];
    expect(longer - standard).toBe(30);
  });

  it('--node-monitor-period is how often they are looked at', async () => {
    expect(await unknownAfterMs({ 'node-monitor-period': '40s' })).toBeGreaterThanOrEqual(79);
  });

  it('--node-startup-grace-period is how long those are believed that never spoke', async () => {
    const waited = async (period: string): Promise<number> => {
      const bench = new ControllerBench({ options: optionsOf({ 'node-startup-grace-period': period }) });
      bench.add(nodes, { metadata: { name: 'new' }, spec: {} });
      await bench.run(nodeLifecycleController);
      const startMs = bench.nowMs;
      while (!bench.get(nodes, undefined, 'new')?.status?.conditions?.some(({ reason }) => reason === 'NodeStatusNeverUpdated'))
        await bench.advance(1000);
      return (bench.nowMs - startMs) / 1000;
    };
    expect((await waited('2m')) - (await waited('1m'))).toBeCloseTo(60, 3);
  });

  it('--node-eviction-rate is how many a second are given up', async () => {
    const evicted = async (rate: string): Promise<number> => {
      const bench = await silent(10, { 'node-eviction-rate': rate });
      await live(bench, 70, 6);
      return unreachable(bench);
    };
    expect([await evicted('0.1'), await evicted('0.5'), await evicted('0')]).toEqual([2, 4, 0]);
  });

  it('--unhealthy-zone-threshold is the share of them that stops evictions', async () => {
    const evicted = async (share: string): Promise<number> => {
      const bench = await silent(10, { 'unhealthy-zone-threshold': share });
      await live(bench, 120, 4);
      return unreachable(bench);
    };
    expect([await evicted('0.5'), (await evicted('0.7')) > 0]).toEqual([0, true]);
  });

  it('--large-cluster-size-threshold and --secondary-node-eviction-rate: a large zone goes on slowly', async () => {
    const evicted = async (flags: Readonly<Record<string, string>>): Promise<number> => {
      const bench = await silent(10, { 'unhealthy-zone-threshold': '0.5', ...flags });
      await live(bench, 120, 4);
      return unreachable(bench);
    };
    expect(await evicted({})).toBe(0);
    const slow = await evicted({ 'large-cluster-size-threshold': '5', 'secondary-node-eviction-rate': '0.01' });
    const fast = await evicted({ 'large-cluster-size-threshold': '5', 'secondary-node-eviction-rate': '1' });
    expect([slow, fast]).toEqual([1, 6]);
  });
});

describe('autoscalers', () => {
  const group = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';

  /** Two pods at twice their goal, unless said otherwise. */
  async function autoscaled(options: Readonly<Record<string, string>>, { milliCpu = 100, replicas = 2 } = {}): Promise<TestCluster> {
    const cluster = await aCluster({ nodes: 2, options });
    setLoad(cluster, milliCpu, 'POST');
    const web = aDeployment('web', replicas, 'busy') as { spec: { template: { spec: { containers: { resources: object }[] } } } };
    for (const container of web.spec.template.spec.containers) container.resources = { requests: { cpu: '100m' } };
    cluster.call('POST', '/apis/apps/v1/namespaces/default/deployments', web);
    return cluster;
  }

  function autoscale({ call }: TestCluster): void {
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
    const metrics = [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } }];
    call('POST', group, { metadata: { name: 'web' }, spec: { scaleTargetRef, maxReplicas: 10, metrics } });
  }

  function setLoad({ call }: TestCluster, value: number, method: 'POST' | 'PATCH' = 'PATCH'): void {
    const body = { metadata: { name: 'busy' }, spec: { image: 'busy', sizeBytes: 1_000, load: { milliCpu: [{ atMs: 0, value }] } } };
    const path = '/apis/sim.wavetank.dev/v1alpha1/imageprofiles';
    call(method, method === 'POST' ? path : `${path}/busy`, body, method === 'POST' ? undefined : 'application/merge-patch+json');
  }

  const desired = ({ call }: TestCluster): number | undefined => call<HorizontalPodAutoscaler>('GET', `${group}/web`).status?.desiredReplicas;
  const replicas = ({ call }: TestCluster): number | undefined =>
    call<{ spec: { replicas?: number } }>('GET', '/apis/apps/v1/namespaces/default/deployments/web').spec.replicas;

  it('--horizontal-pod-autoscaler-sync-period is when a change of load is noticed', async () => {
    for (const [period, expected] of [
      ['15s', 10],
      ['5m', 2],
    ] as const) {
      const cluster = await autoscaled({ 'horizontal-pod-autoscaler-sync-period': period });
      await cluster.advance(60_000);
      autoscale(cluster);
      await cluster.advance(16_000);
      setLoad(cluster, 900);
      await cluster.advance(120_000);
      expect([period, replicas(cluster)]).toEqual([period, expected]);
    }
  });

  it('--horizontal-pod-autoscaler-tolerance is what is borne', async () => {
    for (const [tolerance, expected] of [
      ['0.1', 3],
      ['0.5', 2],
    ] as const) {
      const cluster = await autoscaled({ 'horizontal-pod-autoscaler-tolerance': tolerance }, { milliCpu: 60 });
      await cluster.advance(60_000);
      autoscale(cluster);
      await cluster.advance(31_000);
      expect([tolerance, desired(cluster)]).toEqual([tolerance, expected]);
    }
  });

  it('--horizontal-pod-autoscaler-downscale-stabilization is how long it waits before it takes pods away', async () => {
    for (const [window, expected] of [
      ['5m', 4],
      ['30s', 1],
    ] as const) {
      const cluster = await autoscaled({ 'horizontal-pod-autoscaler-downscale-stabilization': window }, { milliCpu: 50, replicas: 4 });
      await cluster.advance(60_000);
      autoscale(cluster);
      await cluster.advance(40_000);
      setLoad(cluster, 5);
      await cluster.advance(120_000);
      expect([window, replicas(cluster)]).toEqual([window, expected]);
    }
  });
});

describe('volumes', () => {
  it('--pvclaimbinder-sync-period is when a claim that waits is looked at again', async () => {
    for (const [period, phase] of [
      ['15s', 'Bound'],
      ['10m', 'Pending'],
    ] as const) {
      const bench = new ControllerBench({ options: optionsOf({ 'pvclaimbinder-sync-period': period }) });
      const size = { storage: '1Gi' };
      const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: size }, storageClassName: '' };
      bench.add(persistentVolumeClaims, { metadata: { namespace: 'default', name: 'c' }, spec, status: { phase: 'Pending' } });
      await bench.run(persistentVolumeBinderController);
      await bench.advance(1000);
      bench.add(persistentVolumes, {
        metadata: { name: 'v' },
        spec: { accessModes: ['ReadWriteOnce'], capacity: size, persistentVolumeReclaimPolicy: 'Retain', hostPath: { path: '/x' } },
        status: { phase: 'Available' },
      });
      await bench.advance(60_000);
      expect([period, bench.get(persistentVolumeClaims, 'default', 'c')?.status?.phase]).toEqual([period, phase]);
    }
  });

  it('--enable-dynamic-provisioning: off, nobody asks a provisioner', async () => {
    for (const [isOn, reason] of [
      ['true', 'ExternalProvisioning'],
      ['false', 'ProvisioningFailed'],
    ] as const) {
      const cluster = await aCluster({ nodes: 1, options: { 'enable-dynamic-provisioning': isOn } });
      const storage = '/apis/storage.k8s.io/v1/storageclasses';
      cluster.call('POST', storage, {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'StorageClass',
        metadata: { name: 'far' },
        provisioner: 'example.com/far',
      });
      const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: 'far' };
      cluster.call('POST', '/api/v1/namespaces/default/persistentvolumeclaims', {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name: 'c' },
        spec,
      });
      await cluster.advance(20_000);
      const { items } = cluster.call<{ items: { reason: string }[] }>('GET', '/api/v1/namespaces/default/events');
      expect(items.some((event) => event.reason === 'ExternalProvisioning')).toBe(reason === 'ExternalProvisioning');
    }
  });
});

describe('the cloud', () => {
  it.each([
    ['true', ['a 10.244.0.0/24']],
    ['false', []],
  ] as const)('--configure-cloud-routes=%s', async (isOn, expected) => {
    const bench = new ControllerBench({ machines: ['a'], options: optionsOf({ 'allocate-node-cidrs': 'true', 'configure-cloud-routes': isOn }) });
    const { cloud } = must(bench.cloud, 'a cloud');
    bench.add(nodes, { metadata: { name: 'a', uid: 'uid-a' }, spec: { podCIDRs: ['10.244.0.0/24'] } });
    const canRun = nodeRouteController.canRun?.({ ...optionsOf({ 'allocate-node-cidrs': 'true', 'configure-cloud-routes': isOn }), cloud }) !== false;
    if (canRun) await bench.run(nodeRouteController);
    await bench.advance(9000);
    expect(cloud.routes.list().map(({ targetNode, destinationCidr }) => `${targetNode} ${destinationCidr}`)).toEqual(expected);
  });
});
