/** Gates that show in what controllers do, each off and on. */
import { describe, expect, it } from 'vitest';
import type { Deployment } from '../../../engine/api/apps/v1/types.gen.ts';
import type { Node, PersistentVolumeClaim, Pod } from '../../../engine/api/core/v1/types.gen.ts';
import { aCluster, aDeployment, type TestCluster } from '../../support/cluster.ts';

const pods = '/api/v1/namespaces/default/pods';
const deployments = '/apis/apps/v1/namespaces/default/deployments';

async function withDeployment(gates: string, replicas: number): Promise<TestCluster> {
  const made = await aCluster({ seed: 1, nodes: 1, options: { 'feature-gates': gates } });
  made.call('POST', deployments, aDeployment('web', replicas));
  await made.advance(60_000);
  return made;
}

const namesOf = (made: TestCluster): readonly string[] =>
  made
    .call<{ readonly items: readonly Pod[] }>('GET', pods)
    .items.map(({ metadata }) => metadata.name ?? '')
    .sort();

/** Which of two pods stays when the first or the second of them says that it is cheap. */
async function staying(gates: string, cheap: 0 | 1): Promise<number> {
  const made = await withDeployment(gates, 2);
  const names = namesOf(made);
  const annotations = { 'controller.kubernetes.io/pod-deletion-cost': '-5' };
  made.call('PATCH', `${pods}/${names[cheap]}`, { metadata: { annotations } }, 'application/merge-patch+json');
  made.call('PATCH', `${deployments}/web`, { spec: { replicas: 1 } }, 'application/merge-patch+json');
  await made.advance(120_000);
  return names.indexOf(namesOf(made)[0] ?? '');
}

describe('PodDeletionCost', () => {
  it('on: the cheap pod goes', async () => {
    expect([await staying('PodDeletionCost=true', 0), await staying('PodDeletionCost=true', 1)]).toEqual([1, 0]);
  });

  it('off: nobody asks what a pod costs', async () => {
    expect(await staying('PodDeletionCost=false', 0)).toBe(await staying('PodDeletionCost=false', 1));
  });
});

it.each([
  ['true', 0],
  ['false', undefined],
])('DeploymentReplicaSetTerminatingReplicas=%s: statuses count %s pods that end', async (value, count) => {
  const made = await withDeployment(`DeploymentReplicaSetTerminatingReplicas=${value}`, 1);
  const { status } = made.call<Deployment>('GET', `${deployments}/web`);
  const sets = made.call<{ readonly items: readonly Deployment[] }>('GET', '/apis/apps/v1/namespaces/default/replicasets');
  expect([status?.terminatingReplicas, sets.items[0]?.status?.terminatingReplicas]).toEqual([count, count]);
});

it.each([true, false])('PersistentVolumeClaimUnusedSinceTime=%s: claims say whether a pod uses them', async (isOn) => {
  const made = await aCluster({
    ...{ seed: 1, nodes: 0 },
    options: {
      'feature-gates': `PersistentVolumeClaimUnusedSinceTime=${isOn}`,
      ...{ controllers: 'persistentvolumeclaim-protection-controller', 'disable-admission-plugins': 'ServiceAccount' },
    },
  });
  const { call, advance } = made;
  const path = '/api/v1/namespaces/default';
  const shown = async (): Promise<unknown> => {
    await advance(3000);
    return call<PersistentVolumeClaim>('GET', `${path}/persistentvolumeclaims/c`).status?.conditions?.map(
      ({ lastTransitionTime: _, ...rest }) => rest,
    );
  };
  const unused = {
    type: 'Unused',
    status: 'True',
    lastProbeTime: null,
    reason: 'NoPodsUsingPVC',
    message: 'No pods are currently referencing this PVC',
  };
  const used = { ...unused, status: 'False', reason: 'PodUsingPVC', message: 'A pod is currently referencing this PVC' };
  const told = (condition: object): unknown => (isOn ? [condition] : undefined);
  const spec = { accessModes: ['ReadWriteOnce'], storageClassName: 'x', resources: { requests: { storage: '1Gi' } } };
  call('POST', `${path}/persistentvolumeclaims`, { metadata: { name: 'c' }, spec });
  expect(await shown()).toEqual(told(unused));
  const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }];
  call('POST', `${path}/pods`, { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }], volumes } });
  expect(await shown()).toEqual(told(used));
  call('DELETE', `${path}/pods/p`);
  expect(await shown()).toEqual(told(unused));
});

it.each([
  ['true', 'True'],
  ['false', 'False'],
])(
  'CloudControllerManagerWatchBasedRoutesReconciliation=%s: a route that failed once; whether its node still lacks a network: %s',
  async (value, want) => {
    const options = {
      'feature-gates': `CloudControllerManagerWatchBasedRoutesReconciliation=${value}`,
      ...{ 'cloud-provider': 'wavetank', 'allocate-node-cidrs': 'true', 'cluster-cidr': '10.244.0.0/16' },
    };
    const { call, advance } = await aCluster({ seed: 1, nodes: 1, options });
    await advance(30_000);
    const faults = '/apis/sim.wavetank.dev/v1alpha1/faults';
    const spec = { type: 'cloud-errors', parameters: { operations: ['createRoute'] } };
    call('POST', faults, { apiVersion: 'sim.wavetank.dev/v1alpha1', kind: 'Fault', metadata: { name: 'f' }, spec });
    call('PATCH', '/apis/sim.wavetank.dev/v1alpha1/nodepools/default', { spec: { count: 2 } }, 'application/merge-patch+json');
    const lacks = (): string | undefined =>
      call<Node>('GET', '/api/v1/nodes/node-1').status?.conditions?.find(({ type }) => type === 'NetworkUnavailable')?.status;
    await advance(120_000);
    expect(lacks()).toBe('True');
    call('DELETE', `${faults}/f`);
    await advance(40_000);
    expect(lacks()).toBe(want);
  },
);
