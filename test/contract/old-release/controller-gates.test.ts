/** What gates of release 1.13 change in what its controllers write; the expectations are what a real 1.13.12 controller manager wrote with the same gates. */
import { expect, it } from 'vitest';
import type { DaemonSet } from '../../../engine/api/apps/v1/types.gen.ts';
import type { PersistentVolume, Pod } from '../../../engine/api/core/v1/types.gen.ts';
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
