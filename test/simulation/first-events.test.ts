/** The first event of each sort after a restore reaches every component: what follows is what follows without the restore. */
import { expect, it } from 'vitest';
import {
  apiServerIdentity,
  controllerIdentity,
  controllerManagerIdentity,
  faultsIdentity,
  kubeletIdentity,
  machinesIdentity,
  scenariosIdentity,
  schedulerIdentity,
} from '../../engine/cluster/identities.ts';
import { controllers } from '../../engine/controllers/index.gen.ts';
import { actsOfControllers, dynamicClaim, unmoved } from './first-acts.ts';
import { aCluster, aDeployment, madeCluster, type TestCluster } from '../support/cluster.ts';

const options = {
  'event-ttl': '1m',
  'cloud-provider': 'wavetank',
  'allocate-node-cidrs': 'true',
  controllers: '*,bootstrapsigner,tokencleaner,selinux-warning-controller',
};
const config = { seed: 12, nodes: 2, options };
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

const shortJob = { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', 'sleep 1'] }] } } };

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
  'a secret for a token': ({ call }) =>
    call('POST', `${core}/secrets`, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'token', annotations: { 'kubernetes.io/service-account.name': 'default' } },
      type: 'kubernetes.io/service-account-token',
    }),
  'Endpoints that are mirrored': ({ call }) => {
    call('POST', `${core}/services`, { apiVersion: 'v1', kind: 'Service', metadata: { name: 'own' }, spec: { ports: [{ port: 80 }] } });
    const subsets = [{ addresses: [{ ip: '10.1.2.3' }], ports: [{ port: 80 }] }];
    call('POST', `${core}/endpoints`, { apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'own' }, subsets });
  },
  'a quota': ({ call }) =>
    call('POST', `${core}/resourcequotas`, { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q' }, spec: { hard: { pods: '9' } } }),
  'a cordon': ({ call }) => call('PATCH', '/api/v1/nodes/node-0', { spec: { unschedulable: true } }, merge),
  'a taint that evicts': ({ call }) => call('PATCH', '/api/v1/nodes/node-0', { spec: { taints: [{ key: 'a', effect: 'NoExecute' }] } }, merge),
  'a job that is suspended': ({ call }) => call('PATCH', '/apis/batch/v1/namespaces/default/jobs/job', { spec: { suspend: true } }, merge),
  'a new cron job': ({ call }) =>
    call('POST', '/apis/batch/v1/namespaces/default/cronjobs', {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'tick' },
      spec: { schedule: '* * * * *', jobTemplate: { spec: shortJob } },
    }),
  'a job that may not stay': ({ call }) =>
    call('POST', '/apis/batch/v1/namespaces/default/jobs', {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'short' },
      spec: { ...shortJob, ttlSecondsAfterFinished: 5 },
    }),
  'a new replication controller': ({ call }) =>
    call('POST', `${core}/replicationcontrollers`, {
      apiVersion: 'v1',
      kind: 'ReplicationController',
      metadata: { name: 'rc' },
      spec: {
        replicas: 1,
        selector: { app: 'rc' },
        template: { metadata: { labels: { app: 'rc' } }, spec: { containers: [{ name: 'c', image: 'nginx:1.27' }] } },
      },
    }),
  'a new budget': ({ call }) =>
    call('POST', '/apis/policy/v1/namespaces/default/poddisruptionbudgets', {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'pdb' },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
    }),
  'a deleted claim': ({ call }) => call('DELETE', `${core}/persistentvolumeclaims/claim`),
  'a deleted volume': ({ call }) => call('DELETE', '/api/v1/persistentvolumes/volume'),
  'a deleted attributes class': ({ call }) => call('DELETE', '/apis/storage.k8s.io/v1/volumeattributesclasses/fast'),
  'a deleted root certificate': ({ call }) => call('DELETE', `${core}/configmaps/kube-root-ca.crt`),
  'a deleted namespace': ({ call }) => call('DELETE', '/api/v1/namespaces/other'),
  'a deleted node': ({ call }) => {
    call('PATCH', '/apis/sim.wavetank.dev/v1alpha1/nodepools/default', { spec: { count: 1 } }, merge);
  },
  'a scenario run': ({ call }) => {
    const [apiVersion, sim] = ['sim.wavetank.dev/v1alpha1', '/apis/sim.wavetank.dev/v1alpha1'];
    const apply = [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'made' } }];
    call('POST', `${sim}/scenarios`, {
      apiVersion,
      kind: 'Scenario',
      metadata: { name: 's' },
      spec: { title: 't', steps: [{ name: 'make', apply }] },
    });
    call('POST', `${sim}/scenarioruns`, { apiVersion, kind: 'ScenarioRun', metadata: { name: 'run' }, spec: { scenario: 's', cluster: 'Present' } });
  },
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
  made.call('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } });
  const storage = { accessModes: ['ReadWriteOnce'], storageClassName: '' };
  const claim = { ...storage, resources: { requests: { storage: '1Gi' } } };
  made.call('POST', `${core}/persistentvolumeclaims`, { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'claim' }, spec: claim });
  const volume = { ...storage, capacity: { storage: '1Gi' }, hostPath: { path: '/v' } };
  made.call('POST', '/api/v1/persistentvolumes', { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'volume' }, spec: volume });
  made.call('POST', `${core}/persistentvolumeclaims`, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'dynamic' },
    spec: dynamicClaim,
  });
  const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'dynamic' } }];
  made.call('POST', `${core}/pods`, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'storing' },
    spec: { containers: [{ name: 'c', image: 'nginx:1.27' }], volumes },
  });
  const spare = { ...volume, capacity: { storage: '9Gi' }, storageClassName: 'of-nobody' };
  made.call('POST', '/api/v1/persistentvolumes', { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'spare' }, spec: spare });
  made.call('POST', '/apis/storage.k8s.io/v1/volumeattributesclasses', {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttributesClass',
    metadata: { name: 'fast' },
    driverName: 'd',
    parameters: { a: 'b' },
  });
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

/** Who has written something after a restore. */
const moved = new Set<string>();

it.each(Object.entries({ ...firsts, ...actsOfControllers }))(
  '%s',
  async (_name, act) => {
    const original = await aUsedCluster();
    const restored = madeCluster(config);
    restored.cluster.restore(JSON.parse(JSON.stringify(original.cluster.save())));
    restored.door.continueAfter(original.door.inputs);
    restored.cluster.store.watch({ prefix: '', onChanges: (changes) => changes.forEach(({ meta }) => moved.add(meta.identity)) });
    for (const made of [original, restored]) {
      act(made);
      await made.advance(75_000);
    }
    expect(restored.cluster.digest).toBe(original.cluster.digest);
  },
  120_000,
);

it('moves every component with one or the other', () => {
  const accounts = controllers.map(({ serviceAccount }) =>
    serviceAccount === undefined ? controllerManagerIdentity : controllerIdentity(serviceAccount),
  );
  const components = [schedulerIdentity, faultsIdentity, scenariosIdentity, machinesIdentity, apiServerIdentity, kubeletIdentity('node-0')];
  const everybody = [...accounts, ...components].map(({ name }) => name);
  expect(everybody.filter((name) => !moved.has(name)).sort()).toEqual(Object.keys(unmoved).sort());
});
