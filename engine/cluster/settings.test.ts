/** Options of the control plane: what is accepted, what is refused in one line, and that those with a meaning have it. */
import { expect, it } from 'vitest';
import type { Node, Pod } from '../api/core/v1/types.gen.ts';
import { aCluster, aDeployment } from '../../test/support/cluster.ts';
import { defaultRelease } from '../releases/releases.ts';
import { defaultOf, flags } from './flags.ts';
import { Settings } from './settings.ts';

/** The seeds' tables ("Daemon defaults"), with what 1.36 changed. */
const seeds: Readonly<Record<string, string>> = {
  'attach-detach-reconcile-sync-period': '1m0s',
  'concurrent-deployment-syncs': '5',
  'concurrent-endpoint-syncs': '5',
  'concurrent-replicaset-syncs': '5',
  'concurrent-statefulset-syncs': '5',
  'concurrent-daemonset-syncs': '2',
  'concurrent-resource-quota-syncs': '5',
  'concurrent-serviceaccount-token-syncs': '5',
  'concurrent-ttl-after-finished-syncs': '5',
  'concurrent-rc-syncs': '5',
  'concurrent-gc-syncs': '20',
  'concurrent-namespace-syncs': '10',
  'concurrent-service-syncs': '1',
  'cidr-allocator-type': 'RangeAllocator',
  'experimental-cluster-signing-duration': '8760h0m0s',
  'configure-cloud-routes': 'true',
  'enable-dynamic-provisioning': 'true',
  'enable-garbage-collector': 'true',
  'enable-taint-manager': 'true',
  'leader-elect': 'true',
  'deployment-controller-sync-period': '30s',
  'horizontal-pod-autoscaler-cpu-initialization-period': '5m0s',
  'horizontal-pod-autoscaler-downscale-stabilization': '5m0s',
  'horizontal-pod-autoscaler-initial-readiness-delay': '30s',
  'horizontal-pod-autoscaler-sync-period': '15s',
  'horizontal-pod-autoscaler-tolerance': '0.1',
  'kube-api-qps': '20',
  'kube-api-burst': '30',
  'kube-api-content-type': 'application/vnd.kubernetes.protobuf',
  'large-cluster-size-threshold': '50',
  'leader-elect-lease-duration': '15s',
  'leader-elect-renew-deadline': '10s',
  'leader-elect-retry-period': '2s',
  'leader-elect-resource-lock': 'leases',
  'min-resync-period': '12h0m0s',
  'namespace-sync-period': '5m0s',
  'node-cidr-mask-size': '24',
  'node-eviction-rate': '0.1',
  'node-monitor-grace-period': '50s',
  'node-monitor-period': '5s',
  'node-startup-grace-period': '1m0s',
  'pod-eviction-timeout': '5m0s',
  'pv-recycler-increment-timeout-nfs': '30',
  'pv-recycler-minimum-timeout-hostpath': '60',
  'pv-recycler-minimum-timeout-nfs': '300',
  'pv-recycler-timeout-increment-hostpath': '30',
  'pvclaimbinder-sync-period': '15s',
  'scheduler-name': 'default-scheduler',
  'scheduler-kube-api-qps': '50',
  'scheduler-kube-api-burst': '100',
  'policy-configmap-namespace': 'kube-system',
};

it('knows every option of the seeds that concerns the simulation, with its default', () => {
  expect(Object.fromEntries(flags.filter(({ name }) => name in seeds).map((flag) => [flag.name, defaultOf(flag, defaultRelease)]))).toEqual(seeds);
  expect(new Set(flags.map(({ name }) => name)).size).toBe(flags.length);
});

it('accepts every default when it is given', () => {
  expect(new Settings(Object.fromEntries(flags.map((flag) => [flag.name, defaultOf(flag, defaultRelease)]))).changed()).toEqual({});
});

it('takes a rate below 0, which does not limit', () => {
  expect(new Settings({ 'kube-api-qps': '-1', 'scheduler-kube-api-qps': '-0.5' }).number('kube-api-qps')).toBe(-1);
});

it.each([
  ['nonsense', '1', 'unknown option --nonsense'],
  ['node-monitor-period', 'soon', 'expected a duration'],
  ['node-monitor-period', '10ms', 'at least one second'],
  ['kube-api-burst', '-1', 'expected at least 0'],
  ['concurrent-gc-syncs', '1.5', 'expected a whole number'],
  ['node-cidr-mask-size', '30', 'expected at most 28'],
  ['enable-garbage-collector', 'yes', 'expected true or false'],
  ['leader-elect-renew-deadline', '20s', 'must not exceed --leader-elect-lease-duration'],
  ['attach-detach-reconcile-sync-period', '999ms', 'must be at least one second'],
  ['service-cluster-ip-range', '10.96.0.0', 'expected a range such as'],
  ['service-node-port-range', '32767-30000', 'expected a range of ports'],
  ['cidr-allocator-type', 'CloudAllocator', 'expected RangeAllocator'],
  ['controllers', '*,-job,foo', 'foo is not one'],
])('refuses --%s %s', (name, text, message) => {
  expect(() => new Settings({ [name]: text })).toThrow(message);
});

it('gives kubelets their options', async () => {
  const { call, advance } = await aCluster({
    nodes: 2,
    options: {
      'max-pods': '3',
      'node-cidr-mask-size': '27',
      'cluster-cidr': '10.9.0.0/16',
      'node-status-update-frequency': '5s',
      'node-lease-duration-seconds': '80',
    },
  });
  call('POST', '/apis/apps/v1/namespaces/default/deployments', aDeployment('web', 8));
  await advance(60_000);
  const nodes = call<{ items: Node[] }>('GET', '/api/v1/nodes').items;
  expect(nodes.map(({ spec, status }) => [spec?.podCIDR, status?.capacity?.['pods']])).toEqual([
    ['10.9.0.0/27', '3'],
    ['10.9.0.32/27', '3'],
  ]);
  const beats = nodes.map((node) => Date.parse(String(node.status?.conditions?.find(({ type }) => type === 'Ready')?.lastHeartbeatTime)));
  const renewals = call<{ items: { spec: { renewTime: string } }[] }>(
    'GET',
    '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases',
  ).items.map(({ spec }) => Date.parse(spec.renewTime));
  const nowMs =
    Date.parse(
      call<{ items: Pod[] }>('GET', '/api/v1/pods').items.reduce(
        (latest, pod) => ((pod.metadata.creationTimestamp ?? '') > latest ? (pod.metadata.creationTimestamp ?? '') : latest),
        '',
      ),
    ) + 60_000;
  expect(beats.every((ms) => nowMs - ms <= 7_000)).toBe(true);
  expect(renewals.every((ms) => nowMs - ms <= 22_000)).toBe(true);
  const placed = call<{ items: Pod[] }>('GET', '/api/v1/pods').items.filter(({ status }) => status?.podIP !== undefined);
  expect(placed).toHaveLength(6);
  expect(placed.every(({ status }) => /^10\.9\.0\.(\d|[1-5]\d|6[0-2])$/.test(status?.podIP ?? ''))).toBe(true);
});

it('starts no garbage collector when it is switched off', async () => {
  const { call, advance } = await aCluster({ nodes: 1, options: { 'enable-garbage-collector': 'false' } });
  call('POST', '/apis/apps/v1/namespaces/default/deployments', aDeployment('web', 1));
  await advance(10_000);
  call('DELETE', '/apis/apps/v1/namespaces/default/deployments/web');
  await advance(60_000);
  expect(call<{ items: Pod[] }>('GET', '/api/v1/namespaces/default/pods').items).toHaveLength(1);
});
