import { expect, test } from 'vitest';
import type { Service } from '../../engine/api/core/v1/types.gen.ts';
import type { IPAddress } from '../../engine/api/networking/v1/types.gen.ts';
import { aCluster, type TestCluster } from '../support/cluster.ts';

const servicesPath = '/api/v1/namespaces/default/services';
const addressesPath = '/apis/networking.k8s.io/v1/ipaddresses';

function aService(name: string, clusterIP?: string): object {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { ...(clusterIP && { clusterIP }), ports: [{ port: 80 }] } };
}

const addressOf = ({ ask }: TestCluster, ip: string) => ask<IPAddress>('GET', `${addressesPath}/${ip}`);

test('each cluster address of a Service has an IPAddress, which goes with it and comes back when somebody deletes it', async () => {
  const tank = await aCluster({ nodes: 0 });
  const ip = tank.call<Service>('POST', servicesPath, aService('web')).spec?.clusterIP ?? '';
  await tank.advance(1_000);
  expect(addressOf(tank, ip).object).toMatchObject({
    metadata: { labels: { 'ipaddress.kubernetes.io/ip-family': 'IPv4', 'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io' } },
    spec: { parentRef: { resource: 'services', namespace: 'default', name: 'web' } },
  });
  tank.call('DELETE', `${addressesPath}/${ip}`);
  await tank.advance(1_000);
  expect(addressOf(tank, ip).status).toBe(200);
  tank.call('DELETE', `${servicesPath}/web`);
  await tank.advance(1_000);
  expect(addressOf(tank, ip).status).toBe(404);
});

test('an address of an added ServiceCIDR can be had once the range is ready, and keeps the range from going', async () => {
  const tank = await aCluster({ nodes: 0 });
  const range = { apiVersion: 'networking.k8s.io/v1', kind: 'ServiceCIDR', metadata: { name: 'more' }, spec: { cidrs: ['10.200.0.0/24'] } };
  expect(() => tank.call('POST', servicesPath, aService('web', '10.200.0.7'))).toThrow('does not match the current range');
  expect(() => tank.call('POST', `${servicesPath}?dryRun=All`, aService('web', '10.200.0.7'))).toThrow(
    'failed to allocate IP 10.200.0.7: the provided IP (10.200.0.7) is not in the valid range. The range of valid IPs is 10.96.0.0/12',
  );
  tank.call('POST', '/apis/networking.k8s.io/v1/servicecidrs', range);
  await tank.advance(1_000);
  tank.call('POST', servicesPath, aService('web', '10.200.0.7'));
  await tank.advance(1_000);
  tank.call('DELETE', '/apis/networking.k8s.io/v1/servicecidrs/more');
  await tank.advance(60_000);
  expect(tank.ask('GET', '/apis/networking.k8s.io/v1/servicecidrs/more').status).toBe(200);
  tank.call('DELETE', `${servicesPath}/web`);
  await tank.advance(60_000);
  expect(tank.ask('GET', '/apis/networking.k8s.io/v1/servicecidrs/more').status).toBe(404);
});
