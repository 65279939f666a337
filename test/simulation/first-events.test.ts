/** The first event of each sort after a restore reaches every component: what follows is what follows without the restore. */
import { expect, it } from 'vitest';
import { aCluster, aDeployment, madeCluster, type TestCluster } from '../support/cluster.ts';

const config = { seed: 12, nodes: 2 };
const apps = '/apis/apps/v1/namespaces/default';
const core = '/api/v1/namespaces/default';
const merge = 'application/merge-patch+json';
const owner = (uid: string): object => ({ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'gone', uid, controller: true, blockOwnerDeletion: true });

function firstOf(made: TestCluster, prefix: string, name = ''): string {
  const found = made.cluster.stored(prefix).find(({ metadata }) => metadata.name?.startsWith(name));
  return found?.metadata.name ?? 'none';
}

const aPod = (name: string, more: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...more },
  spec: { containers: [{ name: 'c', image: 'nginx:1.27' }] },
});

const firsts: Readonly<Record<string, (made: TestCluster) => void>> = {
  'an object whose owner never was': ({ call }) =>
    call('POST', `${core}/configmaps`, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', ownerReferences: [owner('1-2-3')] } }),
  'a deletion in the background': ({ call }) => call('DELETE', `${apps}/deployments/web?propagationPolicy=Background`),
  'a deletion in the foreground': ({ call }) => call('DELETE', `${apps}/deployments/web?propagationPolicy=Foreground`),
  'a deletion that orphans': (made) => made.call('DELETE', `${apps}/replicasets/${firstOf(made, 'replicasets/default')}?propagationPolicy=Orphan`),
  'owners that are taken away': (made) =>
    made.call('PATCH', `${core}/pods/${firstOf(made, 'pods/default', 'web')}`, { metadata: { ownerReferences: null } }, merge),
  'labels that no longer match': (made) =>
    made.call('PATCH', `${core}/pods/${firstOf(made, 'pods/default', 'web')}`, { metadata: { labels: { app: 'other' } } }, merge),
  'a new pod': ({ call }) => call('POST', `${core}/pods`, aPod('single')),
  'a deleted pod': (made) => made.call('DELETE', `${core}/pods/${firstOf(made, 'pods/default', 'web')}`),
  'a selector that changes': ({ call }) => call('PATCH', `${core}/services/web`, { spec: { selector: { app: 'none' } } }, merge),
  'a new namespace': ({ call }) => call('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } }),
  'a deleted service account': ({ call }) => call('DELETE', `${core}/serviceaccounts/default`),
  'a quota': ({ call }) =>
    call('POST', `${core}/resourcequotas`, { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q' }, spec: { hard: { pods: '9' } } }),
  'a cordon': ({ call }) => call('PATCH', '/api/v1/nodes/node-0', { spec: { unschedulable: true } }, merge),
  'a taint that evicts': ({ call }) => call('PATCH', '/api/v1/nodes/node-0', { spec: { taints: [{ key: 'a', effect: 'NoExecute' }] } }, merge),
  'a job that is suspended': ({ call }) => call('PATCH', '/apis/batch/v1/namespaces/default/jobs/job', { spec: { suspend: true } }, merge),
  'a power loss': ({ call }) =>
    call('POST', '/apis/sim.wavetank.dev/v1alpha1/faults', {
      apiVersion: 'sim.wavetank.dev/v1alpha1',
      kind: 'Fault',
      metadata: { name: 'dark' },
      spec: { type: 'node-power-loss', target: { node: 'node-1' } },
    }),
};

async function aUsedCluster(): Promise<TestCluster> {
  const made = await aCluster(config);
  made.call('POST', `${apps}/deployments`, aDeployment('web', 3));
  made.call('POST', `${core}/services`, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web' },
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
  });
  made.call('POST', `${core}/pods`, aPod('own'));
  made.call('POST', '/apis/batch/v1/namespaces/default/jobs', {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'job' },
    spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', 'sleep 300'] }] } } },
  });
  await made.advance(30_000);
  await made.quiet();
  return made;
}

it.each(Object.entries(firsts))(
  '%s',
  async (_name, act) => {
    const original = await aUsedCluster();
    const restored = madeCluster(config);
    restored.cluster.restore(JSON.parse(JSON.stringify(original.cluster.save())));
    restored.door.continueAfter(original.door.inputs);
    for (const made of [original, restored]) {
      act(made);
      await made.advance(75_000);
    }
    expect(restored.cluster.digest).toBe(original.cluster.digest);
  },
  120_000,
);
