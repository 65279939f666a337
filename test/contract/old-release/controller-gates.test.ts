/** What gates of release 1.13 change in what its controllers write; the expectations are what a real 1.13.12 controller manager wrote with the same gates. */
import { expect, it } from 'vitest';
import type { DaemonSet } from '../../../engine/api/apps/v1/types.gen.ts';
import type { Event, Node, PersistentVolume, Pod } from '../../../engine/api/core/v1/types.gen.ts';
import { aCluster, type TestCluster } from '../../support/cluster.ts';

const annotation = 'scheduler.alpha.kubernetes.io/critical-pod';

async function withGates(gates: string): Promise<TestCluster> {
  const disabled = 'ServiceAccount,TaintNodesByCondition';
  const options = { 'feature-gates': gates, controllers: 'daemonset,pv-protection', 'disable-admission-plugins': disabled };
  const made = await aCluster({ seed: 1, nodes: 0, release: '1.13', options });
  await made.advance(1000);
  made.call('POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } });
  return made;
}

async function daemonOf({ call, advance }: TestCluster): Promise<Pod> {
  call<DaemonSet>('POST', '/apis/apps/v1/namespaces/kube-system/daemonsets', {
    ...{ apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'd' } },
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' }, annotations: { [annotation]: '' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  });
  await advance(5000);
  const [pod] = call<{ items: readonly Pod[] }>('GET', '/api/v1/namespaces/kube-system/pods').items;
  return pod as Pod;
}

const keysOf = ({ spec }: Pod): readonly string[] =>
  (spec?.tolerations ?? []).map(({ key, effect }) => `${key?.replace('node.kubernetes.io/', '')}:${effect}`);
const plain = ['not-ready:NoExecute', 'unreachable:NoExecute', 'disk-pressure:NoSchedule', 'memory-pressure:NoSchedule', 'unschedulable:NoSchedule'];

it('leaves daemons to the scheduler with ScheduleDaemonSetPods', async () => {
  const pod = await daemonOf(await withGates('ScheduleDaemonSetPods=true,ExperimentalCriticalPodAnnotation=false'));
  const nodeSelectorTerms = [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n'] }] }];
  expect(pod.spec).toMatchObject({ affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } } });
  expect(pod.spec).not.toHaveProperty('nodeName');
  expect(keysOf(pod)).toEqual(plain);
});

it('places daemons itself without it, and lets critical ones live through full disks', async () => {
  const pod = await daemonOf(await withGates('ScheduleDaemonSetPods=false,ExperimentalCriticalPodAnnotation=true'));
  expect(pod.spec).toMatchObject({ nodeName: 'n', priorityClassName: 'system-cluster-critical' });
  expect(pod.spec).not.toHaveProperty('affinity');
  expect(keysOf(pod)).toEqual([...plain, 'out-of-disk:NoExecute', 'out-of-disk:NoSchedule']);
});

it.each([
  ['true', ['kubernetes.io/pv-protection']],
  ['false', undefined],
])('StorageObjectInUseProtection=%s: finalizers of a volume', async (isOn, finalizers) => {
  const { call, advance } = await withGates(`StorageObjectInUseProtection=${isOn}`);
  const spec = { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/x' } };
  call('POST', '/api/v1/persistentvolumes', { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'v' }, spec });
  await advance(5000);
  expect(call<PersistentVolume>('GET', '/api/v1/persistentvolumes/v').metadata.finalizers).toEqual(finalizers);
});

it.each([
  ['true', ['unreachable:NoExecute'], undefined],
  ['false', [], 'NodeLost'],
])('TaintBasedEvictions=%s: a silent node has the taints %j, and its pod the reason %s', async (isOn, taints, reason) => {
  const options = { 'feature-gates': `TaintBasedEvictions=${isOn}`, 'pod-eviction-timeout': '60s', 'disable-admission-plugins': 'ServiceAccount' };
  const { call, advance } = await aCluster({ seed: 1, nodes: 2, release: '1.13', options });
  call('POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } });
  const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }], tolerations: [{ operator: 'Exists' }] };
  call('POST', '/api/v1/namespaces/default/pods', { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec });
  await advance(200_000);
  const found = call<Node>('GET', '/api/v1/nodes/n').spec?.taints ?? [];
  const tainted = found
    .filter(({ effect }) => effect === 'NoExecute')
    .map(({ key, effect }) => `${key.replace('node.kubernetes.io/', '')}:${effect}`);
  expect(tainted).toEqual(taints);
  const { metadata, status } = call<Pod>('GET', '/api/v1/namespaces/default/pods/p');
  expect([status?.reason, metadata.deletionTimestamp === undefined]).toEqual([reason, reason === undefined]);
});

it.each([
  ['true', ['unschedulable:NoSchedule']],
  ['false', []],
])('TaintNodesByCondition=%s: a cordoned node has the taints %j', async (isOn, taints) => {
  const options = { 'feature-gates': `TaintNodesByCondition=${isOn}`, controllers: 'nodelifecycle' };
  const { call, advance } = await aCluster({ seed: 1, nodes: 0, release: '1.13', options });
  call('POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' }, spec: { unschedulable: true } });
  await advance(5_000);
  const found = call<Node>('GET', '/api/v1/nodes/n').spec?.taints ?? [];
  expect(
    found.map(({ key, effect }) => `${key.replace('node.kubernetes.io/', '')}:${effect}`).filter((text) => !text.startsWith('not-ready')),
  ).toEqual(taints);
});

it.each([
  ['true', 1],
  ['false', 0],
])('ServiceNodeExclusion=%s: a load balancer without any node but one with the label says so %i times', async (isOn, times) => {
  const options = { 'feature-gates': `ServiceNodeExclusion=${isOn}`, 'cloud-provider': 'wavetank' };
  const { call, advance } = await aCluster({ seed: 1, nodes: 1, release: '1.13', options });
  await advance(20_000);
  const [node] = call<{ readonly items: readonly Node[] }>('GET', '/api/v1/nodes').items;
  const labels = { 'alpha.service-controller.kubernetes.io/exclude-balancer': '' };
  call('PATCH', `/api/v1/nodes/${node?.metadata.name}`, { metadata: { labels } }, 'application/merge-patch+json');
  await advance(1_000);
  const spec = { type: 'LoadBalancer', ports: [{ port: 80 }] };
  call('POST', '/api/v1/namespaces/default/services', { apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec });
  await advance(20_000);
  const { items } = call<{ readonly items: readonly Event[] }>('GET', '/api/v1/namespaces/default/events');
  expect(items.some(({ reason }) => reason === 'EnsuredLoadBalancer')).toBe(true);
  expect(items.filter(({ reason }) => reason === 'UnAvailableLoadBalancer')).toHaveLength(times);
});
