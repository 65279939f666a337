/**
 * What every registered controller keeps to: its own account and rights, no writes at rest, hands off what it reads. That each writes, and
 * ends the same when it is killed, doubled or disturbed, is in `controllers/`.
 */
import { describe, expect, it } from 'vitest';
import type { Change } from '../../engine/store/store.ts';
import type { KubeObject } from '../../engine/apimachinery/object.ts';
import type { ClusterConfig } from '../../engine/cluster/config.ts';
import type { ControllerDefinition } from '../../engine/controllers/controller.ts';
import { controllers } from '../../engine/controllers/index.gen.ts';
import recordedNames from './controller-names.json' with { type: 'json' };
import { kubeletRequest } from '../support/certificate-requests.ts';
import { aCluster, aDeployment, madeCluster, type TestCluster } from '../support/cluster.ts';

/** What `kube-controller-manager --help` lists, of the real 1.36.3 and 1.13.12. */
const namesOfUpstream: Readonly<Record<string, { readonly all: readonly string[]; readonly offByDefault: readonly string[] }>> = recordedNames;

/** ../shared/seeds/concepts.md, "Companion daemons". */
const seedNames = [
  'attachdetach bootstrapsigner clusterrole-aggregation cronjob csrapproving csrcleaner csrsigning daemonset deployment disruption endpoint',
  'garbagecollector horizontalpodautoscaling job namespace nodeipam nodelifecycle persistentvolume-binder persistentvolume-expander podgc',
  'pv-protection pvc-protection replicaset replicationcontroller resourcequota root-ca-cert-publisher route service serviceaccount',
  'serviceaccount-token statefulset tokencleaner ttl ttl-after-finished',
].flatMap((line) => line.split(' '));

const deployments = '/apis/apps/v1/namespaces/default/deployments';
/** Signs of life and their time stamps; everything else at rest stays as it is. */
const heartbeats = /^\/registry\/(leases|minions|events)\//;

/** Those that are off by default too, and those that need a cloud or a gate. */
const everything: Partial<ClusterConfig> = {
  options: {
    controllers: '*,bootstrapsigner,tokencleaner,selinux-warning-controller',
    'cloud-provider': 'wavetank',
    'allocate-node-cidrs': 'true',
    'feature-gates': [
      'APIServerIdentity ClusterTrustBundle DRADeviceTaintRules DRAResourcePoolStatus GenericWorkload PodCertificateRequest StorageVersionAPI',
      'StorageVersionMigrator',
    ]
      .flatMap((line) => line.split(' '))
      .map((gate) => `${gate}=true`)
      .join(','),
    'runtime-config': [
      'certificates.k8s.io/v1beta1 internal.apiserver.k8s.io/v1alpha1 resource.k8s.io/v1alpha3 resource.k8s.io/v1beta2',
      'scheduling.k8s.io/v1alpha2 storagemigration.k8s.io/v1beta1',
    ]
      .flatMap((line) => line.split(' '))
      .map((version) => `${version}=true`)
      .join(','),
  },
};

/** What these would write for does not happen in this file, but in situations of their own (`controllers/own-situations.ts`). */
const notHere: Readonly<Record<string, string>> = {
  'device-taint-eviction-controller': 'devices that are tainted',
  'legacy-serviceaccount-token-cleaner-controller': 'tokens that nobody used for a year',
  'podcertificaterequest-cleaner-controller': 'requests that nobody answered',
  'podgroup-protection-controller': 'groups of pods that go while they are used',
  'resourcepoolstatusrequest-controller': 'questions about pools of devices',
  'selinux-warning-controller': 'volumes with labels that conflict; it writes Events only',
  'storageversion-garbage-collector-controller': 'API servers that are gone',
  'storage-version-migrator-controller': 'requests to store objects anew',
};

/** Who it is to the API. Some share an account: then only one of them is seen. */
function identityOf({ serviceAccount }: ControllerDefinition): string {
  return serviceAccount === undefined ? 'system:kube-controller-manager' : `system:serviceaccount:kube-system:${serviceAccount}`;
}

it('registered controllers have names and aliases of their own', () => {
  const names = controllers.flatMap(({ name, aliases }) => [name, ...aliases]);
  expect(new Set(names).size).toBe(names.length);
});

it('every name of a controller that the seeds give is one', () => {
  const known = new Set(controllers.flatMap(({ name, aliases }) => [name, ...aliases]));
  expect(seedNames.filter((name) => !known.has(name))).toEqual([]);
});

it.each(Object.entries(namesOfUpstream))(
  'release %s: every name that the real kube-controller-manager lists is one, and on or off as there',
  (_release, { all, offByDefault }) => {
    const byName = new Map(controllers.flatMap((controller) => [controller.name, ...controller.aliases].map((name) => [name, controller] as const)));
    expect(all.filter((name) => !byName.has(name))).toEqual([]);
    expect(all.filter((name) => byName.get(name)?.onByDefault === false)).toEqual(offByDefault);
  },
);

it('all of them run when they are asked to', () => {
  const { cluster } = madeCluster(everything);
  const running = new Set(cluster.controllerNames());
  expect(controllers.map(({ name }) => name).filter((name) => !running.has(name))).toEqual([]);
});

describe.each([
  ['by default', {}],
  ['all of them, in a cloud', everything],
])('registered controllers, %s,', (_which, config) => {
  it('have a role in the bootstrap policy', async () => {
    const { cluster } = await aCluster(config);
    const roles = new Set([...cluster.stored('clusterroles'), ...cluster.stored('roles')].map(({ metadata }) => metadata.name));
    const running = new Set(cluster.controllerNames());
    const wanted = controllers
      .filter(({ name }) => running.has(name))
      .map(({ serviceAccount }) => (serviceAccount === undefined ? 'system:kube-controller-manager' : `system:controller:${serviceAccount}`));
    expect(wanted.filter((role) => !roles.has(role))).toEqual([]);
  });

  it('are allowed everything they ask for, and never change what they read', async () => {
    const lines: string[] = [];
    const made = madeCluster({ seed: 21, ...config }, { log: (line) => void lines.push(line) });
    made.cluster.store.watch({ prefix: '', onChanges: (changes) => changes.forEach(freezeChange) });
    await made.cluster.start();
    await beBusy(made);
    expect(lines.filter((line) => /is forbidden|cannot (get|list|watch|create|update|patch|delete)/i.test(line))).toEqual([]);
  });

  it('all write when there is something to do, and nothing once the cluster is at rest', async () => {
    const made = madeCluster({ seed: 22, ...config });
    const writers = new Set<string>();
    made.cluster.store.watch({ prefix: '', onChanges: (changes) => changes.forEach(({ meta }) => writers.add(meta.identity)) });
    await made.cluster.start();
    await beBusy(made);
    await made.advance(20 * 60_000);
    const running = new Set(made.cluster.controllerNames());
    const idle = controllers.filter((one) => running.has(one.name) && !writers.has(identityOf(one)) && notHere[one.name] === undefined);
    expect(idle.map(({ name }) => name)).toEqual([]);
    const writes: string[] = [];
    made.cluster.store.watch({
      prefix: '',
      onChanges: (changes) => changes.forEach(({ key, meta }) => heartbeats.test(key) || writes.push(`${meta.identity} ${key}`)),
    });
    await made.advance(20 * 60_000);
    expect(writes).toEqual([]);
  });

  it.each([31, 32, 33])('resumed from any quiet instant end where they would have (seed %i)', async (seed) => {
    const made = await aCluster({ seed, ...config });
    made.call('POST', deployments, aDeployment('web', 4));
    for (const kind of ['StatefulSet', 'DaemonSet']) made.call('POST', `/apis/apps/v1/namespaces/default/${kind.toLowerCase()}s`, aSet(kind));
    const saves: string[] = [];
    for (const waitMs of [20, 300, 1_700, 6_000]) {
      await made.advance(waitMs);
      await made.quiet();
      saves.push(JSON.stringify(made.cluster.save()));
    }
    const untilMs = made.cluster.loop.nowMs() + 60_000;
    await made.cluster.loop.run(untilMs);
    for (const saved of saves) {
      const resumed = madeCluster({ seed, ...config });
      resumed.cluster.restore(JSON.parse(saved));
      await resumed.cluster.loop.run(untilMs);
      expect(resumed.cluster.digest).toBe(made.cluster.digest);
    }
  });
});

/** A StatefulSet of three pods, or a DaemonSet. */
function aSet(kind: string): object {
  const labels = { set: kind };
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name: 'db' },
    spec: {
      ...(kind === 'StatefulSet' ? { replicas: 3, serviceName: 'db' } : {}),
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'redis:7' }] } },
    },
  };
}

async function beBusy({ call, ask, advance }: Pick<TestCluster, 'call' | 'ask' | 'advance'>): Promise<void> {
  call('POST', deployments, aDeployment('web', 4));
  call('POST', deployments, aDeployment('gone', 2));
  for (const kind of ['StatefulSet', 'DaemonSet']) call('POST', `/apis/apps/v1/namespaces/default/${kind.toLowerCase()}s`, aSet(kind));
  call('POST', '/api/v1/namespaces/default/services', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web' },
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
  });
  call('POST', '/api/v1/namespaces/default/services', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'balanced' },
    spec: { type: 'LoadBalancer', selector: { app: 'web' }, ports: [{ port: 80 }] },
  });
  call('POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'by-hand' } });
  call('POST', '/apis/certificates.k8s.io/v1/certificatesigningrequests', {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: 'kubelet' },
    spec: { request: btoa(kubeletRequest), signerName: 'kubernetes.io/kube-apiserver-client-kubelet', usages: ['digital signature', 'client auth'] },
  });
  call('POST', '/api/v1/namespaces/kube-system/secrets', {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'bootstrap-token-abcdef' },
    type: 'bootstrap.kubernetes.io/token',
    stringData: {
      'token-id': 'abcdef',
      'token-secret': '0123456789abcdef',
      expiration: '2026-01-01T00:20:00Z',
      'usage-bootstrap-signing': 'true',
    },
  });
  call('POST', '/api/v1/namespaces/kube-public/configmaps', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'cluster-info' },
    data: { kubeconfig: 'clusters: []' },
  });
  call('POST', '/api/v1/namespaces/default/secrets', {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'token', annotations: { 'kubernetes.io/service-account.name': 'default' } },
    type: 'kubernetes.io/service-account-token',
  });
  call('POST', '/apis/policy/v1/namespaces/default/poddisruptionbudgets', {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'web' },
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
  });
  call('POST', '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers', {
    metadata: { name: 'web' },
    spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, minReplicas: 5, maxReplicas: 6 },
  });
  call('POST', '/api/v1/namespaces/default/resourcequotas', {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'most' },
    spec: { hard: { pods: '50' } },
  });
  call('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });
  call('POST', '/apis/batch/v1/namespaces/default/cronjobs', {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'tick' },
    spec: {
      schedule: '* * * * *',
      jobTemplate: {
        spec: {
          ttlSecondsAfterFinished: 20,
          template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', 'sleep 2'] }] } },
        },
      },
    },
  });
  beBusyWithOthers(call);
  await advance(90_000);
  call(
    'PATCH',
    `${deployments}/web`,
    { spec: { template: { spec: { containers: [{ name: 'c', image: 'nginx:1.28' }] } } } },
    'application/strategic-merge-patch+json',
  );
  for (const name of ['statefulsets/db', 'daemonsets/db'])
    call(
      'PATCH',
      `/apis/apps/v1/namespaces/default/${name}`,
      { spec: { template: { spec: { containers: [{ name: 'c', image: 'redis:8' }] } } } },
      'application/strategic-merge-patch+json',
    );
  call('DELETE', `${deployments}/gone?propagationPolicy=Foreground`);
  call('DELETE', '/api/v1/namespaces/team');
  call('PATCH', '/api/v1/nodes/node-1', { spec: { taints: [{ key: 'odd', effect: 'NoExecute' }] } }, 'application/merge-patch+json');
  call('POST', '/apis/sim.wavetank.dev/v1alpha1/faults', {
    apiVersion: 'sim.wavetank.dev/v1alpha1',
    kind: 'Fault',
    metadata: { name: 'dark' },
    spec: { type: 'node-power-loss', target: { node: 'node-2' }, duration: '400s' },
  });
  await advance(60_000);
  endOthers({ call, ask });
  await advance(540_000);
  call('DELETE', '/apis/batch/v1/namespaces/default/cronjobs/tick');
}

type Call = TestCluster['call'];

const claimOf = (storage: string): object => ({ accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } });
const core = '/api/v1/namespaces/default';

/** Volumes, claims for devices, older kinds, policies: what the other controllers wait for. */
function beBusyWithOthers(call: Call): void {
  const containers = [{ name: 'c', image: 'nginx:1.27' }];
  const template = { metadata: { labels: { app: 'old' } }, spec: { containers } };
  call('POST', `${core}/replicationcontrollers`, { metadata: { name: 'old' }, spec: { replicas: 2, selector: { app: 'old' }, template } });
  call('POST', `${core}/services`, { metadata: { name: 'outside' }, spec: { ports: [{ port: 80 }] } });
  call('POST', `${core}/endpoints`, { metadata: { name: 'outside' }, subsets: [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 80 }] }] });
  call('POST', '/apis/storage.k8s.io/v1/storageclasses', {
    metadata: { name: 'grows' },
    provisioner: 'disk.csi.sim.wavetank.dev',
    allowVolumeExpansion: true,
  });
  call('POST', `${core}/persistentvolumeclaims`, { metadata: { name: 'data' }, spec: { ...claimOf('1Gi'), storageClassName: 'grows' } });
  const volumes = [
    { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
    { name: 'scratch', ephemeral: { volumeClaimTemplate: { spec: claimOf('1Gi') } } },
  ];
  call('POST', `${core}/pods`, { metadata: { name: 'stores' }, spec: { containers, volumes } });
  call('POST', `${core}/pods`, { metadata: { name: 'waits' }, spec: { containers, nodeSelector: { disk: 'none' } } });
  call('POST', `${core}/pods`, { metadata: { name: 'strays' }, spec: { containers, nodeName: 'by-hand', terminationGracePeriodSeconds: 1 } });
  call('POST', '/apis/resource.k8s.io/v1/namespaces/default/resourceclaimtemplates', {
    metadata: { name: 'gpu' },
    spec: { spec: { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpu' } }] } } },
  });
  const resourceClaims = [{ name: 'gpu', resourceClaimTemplateName: 'gpu' }];
  call('POST', `${core}/pods`, { metadata: { name: 'computes' }, spec: { containers, resourceClaims } });
  call('POST', '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies', {
    metadata: { name: 'none' },
    spec: {
      matchConstraints: { resourceRules: [{ apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['deployments'] }] },
      validations: [{ expression: 'true' }],
    },
  });
  call('POST', '/apis/storage.k8s.io/v1/volumeattributesclasses', {
    metadata: { name: 'quick' },
    driverName: 'disk.csi.sim.wavetank.dev',
    parameters: { speed: 'high' },
  });
}

/** Claims grow, and what is used and protected goes. */
function endOthers({ call, ask }: Pick<TestCluster, 'call' | 'ask'>): void {
  const grown = { spec: { resources: { requests: { storage: '2Gi' } } } };
  call('PATCH', `${core}/persistentvolumeclaims/data`, grown, 'application/merge-patch+json');
  for (const name of ['waits', 'computes', 'stores']) call('DELETE', `${core}/pods/${name}`);
  // A cloud that does not know it may have been quicker.
  ask('DELETE', '/api/v1/nodes/by-hand');
  call('DELETE', `${core}/persistentvolumeclaims/data`);
  call('DELETE', '/apis/storage.k8s.io/v1/volumeattributesclasses/quick');
}

function freezeChange({ current }: Change<KubeObject>): void {
  if (current !== undefined) freeze(current.value);
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  Object.values(value).forEach(freeze);
}
