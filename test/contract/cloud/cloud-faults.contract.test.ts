/** What fails in the cloud, made and seen from outside: faults by the API, and the conditions, taints and Events that upstream's controllers answer with. */
import { expect, test } from 'vitest';
import type { Event, Node, Pod, Service } from '../../../engine/api/core/v1/types.gen.ts';
import type { VolumeAttachment } from '../../../engine/api/storage/v1/types.gen.ts';
import type { KubeObject } from '../../../engine/apimachinery/object.ts';
import { aCluster, type TestCluster } from '../../support/cluster.ts';

interface List<T> extends KubeObject {
  readonly items: readonly T[];
}

const options = { 'cloud-provider': 'wavetank', 'allocate-node-cidrs': 'true' };
const inDefault = '/api/v1/namespaces/default';
const faults = '/apis/sim.wavetank.dev/v1alpha1/faults';
const failed = 'InternalError: ensureLoadBalancer failed by a fault of the simulation';

function strike(tank: TestCluster, type: string, spec: object): void {
  tank.call('POST', faults, { apiVersion: 'sim.wavetank.dev/v1alpha1', kind: 'Fault', metadata: { name: 'x' }, spec: { type, ...spec } });
}

const fails = (tank: TestCluster, operation: string): void => strike(tank, 'cloud-errors', { parameters: { operations: [operation] } });
const heal = (tank: TestCluster): unknown => tank.call('DELETE', `${faults}/x`);

/** `REASON MESSAGE` of what was said about one object, in order; uids and lengths of time left out. */
function eventsOf(tank: TestCluster, kind: string, name: string): readonly string[] {
  const { items } = tank.call<List<Event>>('GET', '/api/v1/events');
  return items
    .filter(({ involvedObject }) => involvedObject.kind === kind && involvedObject.name === name)
    .sort((a, b) => Date.parse(a.firstTimestamp ?? a.eventTime ?? '') - Date.parse(b.firstTimestamp ?? b.eventTime ?? ''))
    .map(({ reason, message = '' }) => `${reason} ${message.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'UID').replace(/after [\d.]+m?s/, 'after TIME')}`);
}

const nodeOf = (tank: TestCluster, name: string): Node | undefined =>
  tank.call<List<Node>>('GET', '/api/v1/nodes').items.find(({ metadata }) => metadata.name === name);
const podsOf = (tank: TestCluster): readonly Pod[] => tank.call<List<Pod>>('GET', `${inDefault}/pods`).items;
const attachedTo = (tank: TestCluster): readonly string[] =>
  tank.call<List<VolumeAttachment>>('GET', '/apis/storage.k8s.io/v1/volumeattachments').items.map(({ spec }) => spec.nodeName);

function conditionOf(node: Node | undefined, wanted: string): readonly (string | undefined)[] {
  const { status, reason, message } = node?.status?.conditions?.find(({ type }) => type === wanted) ?? {};
  return [status, reason, message];
}

function deploy(tank: TestCluster, kind: 'deployments' | 'statefulsets', replicas: number, more: object = {}, pod: object = {}): void {
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'nginx', ...pod }] } };
  const spec = { replicas, selector: { matchLabels: { a: 'b' } }, template, ...more };
  tank.call('POST', `/apis/apps/v1/namespaces/default/${kind}`, { metadata: { name: 'web' }, spec });
}

/** One pod with a disk of its own; the pod. */
async function withDisk(tank: TestCluster): Promise<Pod> {
  const claim = { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } };
  deploy(tank, 'statefulsets', 1, { serviceName: 'web', volumeClaimTemplates: [claim] }, { volumeMounts: [{ name: 'data', mountPath: '/d' }] });
  await tank.advance(60_000);
  return podsOf(tank)[0] as Pod;
}

test('a load balancer that cannot be made is tried again after 5 s and 10 s, and made when it can be', async () => {
  const tank = await aCluster({ nodes: 2, options });
  fails(tank, 'ensureLoadBalancer');
  await tank.advance(2_000);
  tank.call('POST', `${inDefault}/services`, { metadata: { name: 'web' }, spec: { type: 'LoadBalancer', ports: [{ port: 80 }] } });
  await tank.advance(40_000);
  const { items } = tank.call<List<Event>>('GET', `${inDefault}/events`);
  expect(items.find(({ reason }) => reason === 'SyncLoadBalancerFailed')).toMatchObject({
    type: 'Warning',
    count: 3,
    message: `Error syncing load balancer: failed to ensure load balancer: ${failed}`,
    source: { component: 'service-controller' },
  });
  expect(tank.call<Service>('GET', `${inDefault}/services/web`).status).toEqual({ loadBalancer: {} });
  heal(tank);
  await tank.advance(40_000);
  expect(tank.call<Service>('GET', `${inDefault}/services/web`).status?.loadBalancer?.ingress).toEqual([{ ip: '198.18.0.1', ipMode: 'VIP' }]);
  expect(eventsOf(tank, 'Service', 'web').at(-1)).toBe('EnsuredLoadBalancer Ensured load balancer');
});

test('a route that cannot be made leaves the Node without a network, tainted, until it can be', async () => {
  const tank = await aCluster({ nodes: 1, options });
  fails(tank, 'createRoute');
  await tank.advance(30_000);
  const node = nodeOf(tank, 'node-0');
  expect(conditionOf(node, 'NetworkUnavailable')).toEqual(['True', 'NoRouteCreated', 'RouteController failed to create a route']);
  expect(node?.spec?.taints).toMatchObject([{ key: 'node.kubernetes.io/network-unavailable', effect: 'NoSchedule' }]);
  expect(eventsOf(tank, 'Node', 'node-0')).toContain(
    'FailedToCreateRoute Could not create route UID 10.244.0.0/24 for node node-0 after TIME: InternalError: createRoute failed by a fault of the simulation',
  );
  heal(tank);
  await tank.advance(30_000);
  expect(conditionOf(nodeOf(tank, 'node-0'), 'NetworkUnavailable')).toEqual(['False', 'RouteCreated', 'RouteController created a route']);
  expect(nodeOf(tank, 'node-0')?.spec?.taints).toBeUndefined();
});

test('an instance that is deleted takes its Node and its pods along; who owns them makes others elsewhere', async () => {
  const tank = await aCluster({ nodes: 2, options });
  deploy(tank, 'deployments', 2);
  await tank.advance(20_000);
  expect(podsOf(tank).some(({ spec }) => spec?.nodeName === 'node-0')).toBe(true);
  strike(tank, 'cloud-instance-terminated', { target: { node: 'node-0' } });
  await tank.advance(120_000);
  expect(nodeOf(tank, 'node-0')).toBeUndefined();
  const told = eventsOf(tank, 'Node', 'node-0');
  expect(told).toContain('NodeNotReady Node node-0 status is now: NodeNotReady');
  expect(told.slice(-2)).toEqual([
    'DeletingNode Deleting node node-0 because it does not exist in the cloud provider',
    'RemovingNode Node node-0 event: Removing Node node-0 from Controller',
  ]);
  await tank.advance(60_000);
  expect(podsOf(tank).map(({ spec, status }) => [spec?.nodeName, status?.phase])).toEqual([
    ['node-1', 'Running'],
    ['node-1', 'Running'],
  ]);
});

test('an instance that is switched off keeps its Node, with a taint that says so, until it runs again', async () => {
  const tank = await aCluster({ nodes: 2, options });
  deploy(tank, 'deployments', 2);
  await tank.advance(20_000);
  strike(tank, 'cloud-instance-stopped', { target: { node: 'node-0' } });
  await tank.advance(400_000);
  const node = nodeOf(tank, 'node-0');
  expect(conditionOf(node, 'Ready')).toEqual(['Unknown', 'NodeStatusUnknown', 'Kubelet stopped posting node status.']);
  expect(node?.spec?.taints?.map(({ key, effect }) => `${key}:${effect}`)).toEqual([
    'node.kubernetes.io/unreachable:NoSchedule',
    'node.kubernetes.io/unreachable:NoExecute',
    'node.cloudprovider.kubernetes.io/shutdown:NoSchedule',
  ]);
  const [lost] = podsOf(tank).filter(({ spec }) => spec?.nodeName === 'node-0');
  expect(lost?.metadata.deletionTimestamp).toBeDefined();
  expect(podsOf(tank).filter(({ spec, status }) => spec?.nodeName === 'node-1' && status?.phase === 'Running')).toHaveLength(2);
  heal(tank);
  await tank.advance(120_000);
  expect(conditionOf(nodeOf(tank, 'node-0'), 'Ready')[0]).toBe('True');
  expect(nodeOf(tank, 'node-0')?.spec?.taints).toBeUndefined();
  expect(podsOf(tank)).toHaveLength(2);
});

test('a disk that cannot be attached keeps its pod waiting, which says why', async () => {
  const tank = await aCluster({ nodes: 1, options });
  fails(tank, 'attachDisk');
  const pod = await withDisk(tank);
  expect(pod.status?.phase).toBe('Pending');
  expect(eventsOf(tank, 'Pod', 'web-0').find((text) => text.startsWith('FailedAttachVolume'))).toMatch(
    /^FailedAttachVolume AttachVolume\.Attach failed for volume "pvc-UID" : .*attachDisk failed by a fault of the simulation$/,
  );
  heal(tank);
  await tank.advance(200_000);
  expect(podsOf(tank)[0]?.status?.phase).toBe('Running');
  expect(
    eventsOf(tank, 'Pod', 'web-0').some((text) => text.trim() === 'SuccessfulAttachVolume AttachVolume.Attach succeeded for volume "pvc-UID"'),
  ).toBe(true);
});

test('a disk on a lost node is taken from it by force six minutes after its pod went, and the next pod gets it', async () => {
  const tank = await aCluster({ nodes: 2, zones: 1, options });
  const { spec } = await withDisk(tank);
  const lost = spec?.nodeName ?? '';
  const other = lost === 'node-0' ? 'node-1' : 'node-0';
  strike(tank, 'node-power-loss', { target: { node: lost } });
  await tank.advance(400_000);
  tank.call('DELETE', `${inDefault}/pods/web-0?gracePeriodSeconds=0`);
  await tank.advance(60_000);
  expect(eventsOf(tank, 'Pod', 'web-0').filter((text) => text.startsWith('FailedAttachVolume'))).toEqual([
    expect.stringMatching(
      /^FailedAttachVolume Multi-Attach error for volume "pvc-UID" Volume is already exclusively attached to one node and can't be attached to another$/,
    ),
  ]);
  await tank.advance(290_000);
  expect(attachedTo(tank)).toEqual([lost]);
  await tank.advance(60_000);
  expect(attachedTo(tank)).toEqual([other]);
  await tank.advance(60_000);
  expect(podsOf(tank).map((pod) => [pod.spec?.nodeName, pod.status?.phase])).toEqual([[other, 'Running']]);
});
