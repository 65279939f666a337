/** A cluster whose pods and Services have addresses of both families, and one of IPv6 alone. */
import { expect, test } from 'vitest';
import type { Node, Pod, Service } from '../../../engine/api/core/v1/types.gen.ts';
import type { EndpointSlice } from '../../../engine/api/discovery/v1/types.gen.ts';
import type { KubeObject } from '../../../engine/apimachinery/object.ts';
import { aCluster, type TestCluster } from '../../support/cluster.ts';
import { replayInputs } from '../../support/replay.ts';

const dual = { 'service-cluster-ip-range': '10.96.0.0/16,fd00:10:96::/108', 'cluster-cidr': '10.244.0.0/16,fd00:10:244::/56' };
const six = { 'service-cluster-ip-range': 'fd00:10:96::/108', 'cluster-cidr': 'fd00:10:244::/56' };
const inDefault = '/api/v1/namespaces/default';

async function withWeb(options: { readonly [name: string]: string }, spec: object): Promise<TestCluster> {
  const tank = await aCluster({ nodes: 2, options });
  const container = { name: 'c', image: 'nginx' };
  const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [container] } };
  tank.call('POST', '/apis/apps/v1/namespaces/default/deployments', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { replicas: 2, selector: { matchLabels: { app: 'web' } }, template },
  });
  tank.call('POST', `${inDefault}/services`, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web' },
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }], ...spec },
  });
  await tank.advance(30_000);
  return tank;
}

function listed<T>(tank: TestCluster, path: string): readonly T[] {
  return tank.call<KubeObject & { readonly items: readonly T[] }>('GET', path).items;
}

const addresses = (tank: TestCluster): readonly string[] =>
  listed<KubeObject>(tank, '/apis/networking.k8s.io/v1/ipaddresses').map(({ metadata }) => metadata.name ?? '');
const slices = (tank: TestCluster): readonly EndpointSlice[] =>
  listed<EndpointSlice>(tank, '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices?labelSelector=kubernetes.io/service-name=web');
const familyOf = (ip: string | undefined): string => (ip?.includes(':') === true ? 'IPv6' : 'IPv4');

test('with both families, machines, pods and endpoints have addresses of both', async () => {
  const tank = await withWeb(dual, { ipFamilyPolicy: 'PreferDualStack' });
  const [node] = listed<Node>(tank, '/api/v1/nodes');
  expect(node?.spec?.podCIDRs).toEqual(['10.244.0.0/24', 'fd00:10:244::/64']);
  expect(node?.spec?.podCIDR).toBe('10.244.0.0/24');
  expect(node?.status?.addresses?.map(({ type, address }) => `${type} ${address}`)).toEqual([
    'InternalIP 172.18.0.2',
    'InternalIP fd00:172:18::2',
    'Hostname node-0',
  ]);
  const pods = listed<Pod>(tank, `${inDefault}/pods`);
  for (const { status } of pods) {
    expect(status?.podIPs?.map(({ ip }) => familyOf(ip))).toEqual(['IPv4', 'IPv6']);
    expect(status?.hostIPs?.map(({ ip }) => familyOf(ip))).toEqual(['IPv4', 'IPv6']);
    expect(status?.podIP).toBe(status?.podIPs?.[0]?.ip);
  }
  expect(new Set(pods.flatMap(({ status }) => (status?.podIPs ?? []).map(({ ip }) => ip))).size).toBe(4);
  const ofPods = (family: string): readonly string[] =>
    pods.map(({ status }) => status?.podIPs?.find(({ ip }) => familyOf(ip) === family)?.ip ?? '').toSorted();
  for (const { addressType, endpoints } of slices(tank))
    expect(endpoints?.flatMap((endpoint) => endpoint.addresses ?? []).toSorted()).toEqual(ofPods(addressType));
  expect(
    slices(tank)
      .map(({ addressType }) => addressType)
      .toSorted(),
  ).toEqual(['IPv4', 'IPv6']);
});

test('a second address comes and goes with the policy, and with it its IPAddress and its endpoints', async () => {
  const tank = await withWeb(dual, {});
  const service = (): Service => tank.call<Service>('GET', `${inDefault}/services/web`);
  const policy = async (ipFamilyPolicy: string): Promise<void> => {
    tank.call('PATCH', `${inDefault}/services/web`, { spec: { ipFamilyPolicy } }, 'application/merge-patch+json');
    await tank.advance(30_000);
  };
  const first = service().spec?.clusterIPs ?? [];
  await policy('RequireDualStack');
  const [, second = ''] = service().spec?.clusterIPs ?? [];
  expect([familyOf(second), addresses(tank).includes(second), slices(tank).length]).toEqual(['IPv6', true, 2]);
  await policy('SingleStack');
  expect(service().spec?.clusterIPs).toEqual(first);
  expect([addresses(tank).includes(second), slices(tank).length]).toEqual([false, 1]);
});

test('a cluster of IPv6 alone runs', async () => {
  const tank = await withWeb(six, {});
  expect(tank.call<Service>('GET', `${inDefault}/services/kubernetes`).spec?.clusterIPs).toEqual(['fd00:10:96::1']);
  const pods = listed<Pod>(tank, `${inDefault}/pods`);
  expect(pods.map(({ status }) => [status?.phase, status?.podIPs?.length, familyOf(status?.podIP), familyOf(status?.hostIP)])).toEqual(
    pods.map(() => ['Running', 1, 'IPv6', 'IPv6']),
  );
  expect(slices(tank).map(({ addressType }) => addressType)).toEqual(['IPv6']);
  tank.call('DELETE', `${inDefault}/pods/${pods[0]?.metadata.name}`);
  await tank.advance(60_000);
  expect(listed<Pod>(tank, `${inDefault}/pods`).map(({ status }) => status?.phase)).toEqual(['Running', 'Running']);
});

test('a replay gives the same addresses', async () => {
  const tank = await aCluster({ nodes: 1, options: dual });
  const started = tank.inputs.length;
  const spec = { ports: [{ port: 80 }], ipFamilyPolicy: 'PreferDualStack' };
  tank.call('POST', `${inDefault}/services`, { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' }, spec });
  await tank.advance(10_000);
  const again = await aCluster({ nodes: 1, options: dual });
  await replayInputs(again, tank.inputs.slice(started), tank.cluster.loop.nowMs());
  expect(again.cluster.digest).toBe(tank.cluster.digest);
});
