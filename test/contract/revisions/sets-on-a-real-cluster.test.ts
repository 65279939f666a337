/**
 * A StatefulSet with claims and a DaemonSet are rolled out, updated, scaled down and hurt, while the test plays kubelet: what is there
 * then, and what was told, equals what a kube-controller-manager 1.36.3 left on a kube-apiserver 1.36.3 after the same steps.
 */
import { describe, expect, it } from 'vitest';
import type { ControllerRevision, DaemonSet, StatefulSet } from '../../../engine/api/apps/v1/types.gen.ts';
import type { Event, PersistentVolumeClaim, Pod } from '../../../engine/api/core/v1/types.gen.ts';
import type { KubeObject } from '../../../engine/apimachinery/object.ts';
import { formatTime } from '../../../engine/apimachinery/time.ts';
import { aCluster, type TestCluster } from '../../support/cluster.ts';
import facts from './sets-on-a-real-cluster.json' with { type: 'json' };

const apps = '/apis/apps/v1/namespaces/default';
const core = '/api/v1/namespaces/default';
const merge = 'application/merge-patch+json';

function template(app: string, image: string, spec: object = {}): object {
  return { metadata: { labels: { app } }, spec: { ...spec, containers: [{ name: 'c', image }] } };
}

const statefulSet = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'web', annotations: { note: 'hello' } },
  spec: {
    replicas: 2,
    serviceName: 'front',
    selector: { matchLabels: { app: 'web' } },
    persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Delete' },
    template: template('web', 'nginx:1.27'),
    volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } }],
  },
};

const daemonSet = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'agent' },
  spec: {
    selector: { matchLabels: { app: 'agent' } },
    template: template('agent', 'nginx:1.27', { tolerations: [{ operator: 'Exists' }], nodeSelector: { x: 'y' } }),
  },
};

/** All pods of an app become ready. */
async function ready({ call, cluster, advance }: TestCluster, app: string): Promise<void> {
  const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: formatTime(cluster.loop.nowMs()) }];
  for (const { metadata } of cluster.stored('pods') as Pod[]) {
    if (metadata.labels?.['app'] === app) call('PATCH', `${core}/pods/${metadata.name}/status`, { status: { phase: 'Running', conditions } }, merge);
  }
  await advance(2_000);
}

async function play(made: TestCluster): Promise<void> {
  const { call, cluster, advance } = made;
  for (const { metadata } of cluster.stored('storageclasses')) call('DELETE', `/apis/storage.k8s.io/v1/storageclasses/${metadata.name}`);
  call('POST', `${apps}/statefulsets`, statefulSet);
  call('POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'fake', labels: { x: 'y' } } });
  call('POST', `${apps}/daemonsets`, daemonSet);
  await advance(2_000);
  for (const app of ['web', 'web', 'agent']) await ready(made, app);
  const patch = { spec: { template: { spec: { containers: [{ name: 'c', image: 'nginx:1.28' }] } } } };
  for (const path of ['statefulsets/web', 'daemonsets/agent']) call('PATCH', `${apps}/${path}`, patch, merge);
  await advance(2_000);
  for (const app of ['web', 'web', 'agent']) await ready(made, app);
  call('PATCH', `${apps}/statefulsets/web`, { spec: { replicas: 1 } }, merge);
  await advance(2_000);
  await ready(made, 'web');
  const agent = (cluster.stored('pods') as Pod[]).find(({ metadata }) => metadata.labels?.['app'] === 'agent');
  call('PATCH', `${core}/pods/${agent?.metadata.name}/status`, { status: { phase: 'Failed' } }, merge);
  await advance(3_000);
}

/** Without what differs from cluster to cluster, and generated names made alike. */
function bare(text: string): string {
  return text.replace(/agent-[a-z0-9]{5}\b/g, 'agent-xxxxx');
}

const passing: ReadonlySet<string> = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'managedFields',
  'status',
  'volumeName',
  'volumeMounts',
]);

interface Plain {
  readonly kind: string;
  readonly metadata: { readonly name?: string };
  readonly spec?: { volumes?: { readonly projected?: object }[] };
}

function plain(object: KubeObject): Plain {
  const text = JSON.stringify(object, (key, value: unknown) => (passing.has(key) ? undefined : value));
  const found = JSON.parse(object.kind === 'ControllerRevision' ? text : bare(text)) as Plain;
  // The token's volume has a name of its own in each pod.
  if (found.kind === 'Pod' && found.spec !== undefined)
    found.spec.volumes = (found.spec.volumes ?? []).filter(({ projected }) => projected === undefined);
  return found;
}

function byName<T extends Pick<Plain, 'kind' | 'metadata'>>(objects: readonly T[]): readonly T[] {
  const textOf = ({ kind, metadata }: T): string => `${kind} ${metadata.name}`;
  return objects.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
}

describe('a StatefulSet and a DaemonSet', () => {
  it('come to what they come to on a real cluster', async () => {
    const made = await aCluster({ nodes: 0, options: { 'scheduler-name': 'nobody' } });
    await play(made);
    const stored = <T extends KubeObject>(resource: string): T[] => made.cluster.stored(resource) as T[];
    expect(stored<StatefulSet>('statefulsets')[0]?.status).toEqual(facts.statefulSetStatus);
    expect(stored<DaemonSet>('daemonsets')[0]?.status).toEqual(facts.daemonSetStatus);
    const claims = stored<PersistentVolumeClaim>('persistentvolumeclaims').filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const objects = [...stored<Pod>('pods'), ...claims, ...stored<ControllerRevision>('controllerrevisions')];
    expect(byName(objects.map(plain))).toEqual(byName(facts.objects));
    const told = stored<Event>('events')
      .filter(({ involvedObject }) => ['StatefulSet', 'DaemonSet'].includes(involvedObject.kind ?? ''))
      .map(({ involvedObject, type, reason, message }) => `${involvedObject.kind} ${bare(`${type} ${reason} ${message}`)}`);
    expect([...new Set(told)].sort()).toEqual(facts.events);
  });
});
