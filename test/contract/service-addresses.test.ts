import { expect, test } from 'vitest';
import type { Event, Service } from '../../engine/api/core/v1/types.gen.ts';
import type { IPAddress } from '../../engine/api/networking/v1/types.gen.ts';
import { aCluster, type TestCluster } from '../support/cluster.ts';

const servicesPath = '/api/v1/namespaces/default/services';
const merge = 'application/merge-patch+json';
const addressesPath = '/apis/networking.k8s.io/v1/ipaddresses';

function aService(name: string, clusterIP?: string): object {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { ...(clusterIP && { clusterIP }), ports: [{ port: 80 }] } };
}

const addressOf = ({ ask }: TestCluster, ip: string) => ask<IPAddress>('GET', `${addressesPath}/${ip}`);

const takenNames = (tank: TestCluster): readonly string[] =>
  tank
    .call<{ kind: string; apiVersion: string; metadata: object; items: readonly IPAddress[] }>('GET', addressesPath)
    .items.map(({ metadata }) => metadata.name ?? '');

test('a cluster address and its IPAddress come and go with the write of the Service', async () => {
  const tank = await aCluster({ nodes: 0 });
  const before = takenNames(tank);
  const web = tank.call<Service>('POST', servicesPath, aService('web', '10.97.0.9'));
  expect(addressOf(tank, '10.97.0.9').object).toMatchObject({
    metadata: {
      labels: { 'ipaddress.kubernetes.io/ip-family': 'IPv4', 'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io' },
      managedFields: [{ manager: 'kube-apiserver', operation: 'Update' }],
    },
    spec: { parentRef: { resource: 'services', namespace: 'default', name: 'web' } },
  });
  const revision = (object: { readonly metadata: { readonly resourceVersion?: string } }): number => Number(object.metadata.resourceVersion);
  expect(revision(addressOf(tank, '10.97.0.9').object as IPAddress)).toBe(revision(web) - 1);
  const alias = { spec: { type: 'ExternalName', externalName: 'a.b' } };
  tank.call('PATCH', `${servicesPath}/web?dryRun=All`, alias, merge);
  expect(addressOf(tank, '10.97.0.9').status).toBe(200);
  tank.call('PATCH', `${servicesPath}/web`, alias, merge);
  expect(takenNames(tank)).toEqual(before);
  tank.call('PATCH', `${servicesPath}/web`, { spec: { type: 'ClusterIP', externalName: null } }, merge);
  expect(takenNames(tank)).toHaveLength(before.length + 1);
  tank.call('DELETE', `${servicesPath}/web`);
  expect(takenNames(tank)).toEqual(before);
});

test('a dry run takes no address and is told that of the range, and a write that is refused leaves none behind', async () => {
  const tank = await aCluster({ nodes: 0 });
  tank.call('POST', servicesPath, aService('web', '10.97.0.9'));
  const before = takenNames(tank);
  expect(tank.call<Service>('POST', `${servicesPath}?dryRun=All`, aService('other')).spec?.clusterIPs).toEqual(['10.96.0.0']);
  expect(tank.ask('POST', `${servicesPath}?dryRun=All`, aService('other', '10.97.0.9')).status).toBe(201);
  expect(() => tank.call('POST', servicesPath, aService('other', '10.97.0.9'))).toThrow(
    'spec.clusterIPs: Invalid value: ["10.97.0.9"]: failed to allocate IP 10.97.0.9: provided IP is already allocated',
  );
  expect(() => tank.call('POST', servicesPath, aService('web', '10.97.0.10'))).toThrow('already exists');
  expect(() => tank.call('POST', servicesPath, { ...aService('other'), spec: { ports: [{ port: 0 }] } })).toThrow('spec.ports[0].port');
  expect(takenNames(tank)).toEqual(before);
});

test('an address that somebody else has said to be taken is taken, and a full range is full', async () => {
  const tank = await aCluster({ nodes: 0, options: { 'service-cluster-ip-range': '10.96.0.0/28' } });
  const other = { spec: { parentRef: { resource: 'pods', namespace: 'default', name: 'x' } } };
  tank.call('POST', addressesPath, { apiVersion: 'networking.k8s.io/v1', kind: 'IPAddress', metadata: { name: '10.96.0.14' }, ...other });
  expect(() => tank.call('POST', servicesPath, aService('web', '10.96.0.14'))).toThrow('provided IP is already allocated');
  for (let free = 14 - takenNames(tank).length; free > 0; free--) tank.call('POST', servicesPath, aService(`web-${free}`));
  expect(() => tank.call('POST', servicesPath, aService('web'))).toThrow(
    'Internal error occurred: failed to allocate a serviceIP for Service "web": range is full',
  );
  await tank.advance(10_000);
  expect(takenNames(tank)).toHaveLength(14);
});

test('admission judges the IPAddress, and its refusal is one of the Service', async () => {
  const tank = await aCluster({ nodes: 0 });
  const rules = [{ apiGroups: ['networking.k8s.io'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['ipaddresses'] }];
  const [apiVersion, metadata] = ['admissionregistration.k8s.io/v1', { name: 'none' }];
  tank.call('POST', '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies', {
    apiVersion,
    kind: 'ValidatingAdmissionPolicy',
    metadata,
    spec: { matchConstraints: { resourceRules: rules }, validations: [{ expression: 'false', message: 'no more' }] },
  });
  tank.call('POST', '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings', {
    apiVersion,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata,
    spec: { policyName: 'none', validationActions: ['Deny'] },
  });
  await tank.advance(1_000);
  const why = `ipaddresses.networking.k8s.io "10.97.0.9" is forbidden: ValidatingAdmissionPolicy 'none' with binding 'none' denied request: no more`;
  expect(() => tank.call('POST', servicesPath, aService('web', '10.97.0.9'))).toThrow(
    `Service "web" is invalid: spec.clusterIPs: Invalid value: ["10.97.0.9"]: failed to allocate IP 10.97.0.9: ${why}`,
  );
});

test('what else happens to an IPAddress is repaired, and told', async () => {
  const tank = await aCluster({ nodes: 0 });
  tank.call('POST', servicesPath, aService('web', '10.97.0.9'));
  const told = (reason: string): readonly string[] =>
    tank
      .call<{ kind: string; apiVersion: string; metadata: object; items: readonly Event[] }>('GET', '/api/v1/namespaces/default/events')
      .items.filter((event) => event.reason === reason)
      .map(({ message = '' }) => message);
  await tank.advance(1_000);
  expect(told('ClusterIPNotAllocated')).toEqual([]);
  tank.call('DELETE', `${addressesPath}/10.97.0.9`);
  await tank.advance(1_000);
  expect(addressOf(tank, '10.97.0.9').status).toBe(200);
  expect(told('ClusterIPNotAllocated')).toEqual(['Cluster IP [IPv4]: 10.97.0.9 is not allocated; repairing']);
  const labels = { 'ipaddress.kubernetes.io/ip-family': 'IPv4', 'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io' };
  const leaked = (name: string, service: string): object => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IPAddress',
    metadata: { name, labels },
    spec: { parentRef: { resource: 'services', namespace: 'default', name: service } },
  });
  tank.call('POST', addressesPath, leaked('10.97.0.20', 'nobody'));
  tank.call('POST', addressesPath, leaked('10.97.0.21', 'web'));
  await tank.advance(10_000);
  expect(addressOf(tank, '10.97.0.20').status).toBe(200);
  expect(told('IPAddressWrongReference')).toEqual(['IPAddress: 10.97.0.21 for Service default/web has a wrong reference; cleaning up']);
  await tank.advance(60_000);
  expect(told('IPAddressNotAllocated')).toEqual(['IPAddress: 10.97.0.20 for Service default/nobody appears to have leaked: cleaning up']);
  expect(addressOf(tank, '10.97.0.20').status).toBe(404);
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
