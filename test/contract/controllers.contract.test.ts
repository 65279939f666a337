/** What every registered controller keeps to: its own account and rights, no writes at rest, hands off what it reads. */
import { describe, expect, it } from 'vitest';
import type { Change } from '../../engine/store/store.ts';
import type { KubeObject } from '../../engine/apimachinery/object.ts';
import type { ClusterConfig } from '../../engine/cluster/config.ts';
import { controllers } from '../../engine/controllers/index.gen.ts';
import { kubeletRequest } from '../support/certificate-requests.ts';
import { aCluster, aDeployment, madeCluster, type TestCluster } from '../support/cluster.ts';

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
    controllers: '*,bootstrapsigner,tokencleaner',
    'cloud-provider': 'wavetank',
    'allocate-node-cidrs': 'true',
    'feature-gates': 'APIServerIdentity=true,StorageVersionAPI=true,ClusterTrustBundle=true,PodCertificateRequest=true',
    'runtime-config': 'internal.apiserver.k8s.io/v1alpha1=true,certificates.k8s.io/v1beta1=true',
  },
};

it('registered controllers have names and aliases of their own', () => {
  const names = controllers.flatMap(({ name, aliases }) => [name, ...aliases]);
  expect(new Set(names).size).toBe(names.length);
});

it('every name of a controller that the seeds give is one', () => {
  const known = new Set(controllers.flatMap(({ name, aliases }) => [name, ...aliases]));
  expect(seedNames.filter((name) => !known.has(name))).toEqual([]);
});

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
    expect(lines.filter((line) => /forbidden|cannot (get|list|watch|create|update|patch|delete)/i.test(line))).toEqual([]);
  });

  it('write nothing once the cluster is at rest', async () => {
    const made = await aCluster({ seed: 22, ...config });
    await beBusy(made);
    await made.advance(20 * 60_000);
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

async function beBusy({ call, advance }: Pick<TestCluster, 'call' | 'advance'>): Promise<void> {
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
  await advance(600_000);
  call('DELETE', '/apis/batch/v1/namespaces/default/cronjobs/tick');
}

function freezeChange({ current }: Change<KubeObject>): void {
  if (current !== undefined) freeze(current.value);
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  Object.values(value).forEach(freeze);
}
