import { expect, it } from 'vitest';
import type { KubeObject } from '../apimachinery/object.ts';
import { aCluster } from '../../test/support/cluster.ts';

// As a real kube-apiserver 1.36.3 answered.
it('keeps the generation that a client says where nobody counts, and no other than the first', async () => {
  const { call } = await aCluster({ nodes: 0 });
  const path = '/api/v1/namespaces/default/configmaps';
  const map = (generation: number) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm', generation } });
  expect((call('POST', path, map(5)) as KubeObject).metadata.generation).toBe(5);
  expect((call('PUT', `${path}/m`, map(7)) as KubeObject).metadata.generation).toBe(5);
  const value = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'p', generation: 5 }, value: 1 };
  expect((call('POST', '/apis/scheduling.k8s.io/v1/priorityclasses', value) as KubeObject).metadata.generation).toBe(1);
});

it('names an address as what its name is to be generated from, once', async () => {
  const { ask } = await aCluster({ nodes: 0 });
  const parentRef = { resource: 'services', name: 's', namespace: 'default' };
  const address = { apiVersion: 'networking.k8s.io/v1', kind: 'IPAddress', metadata: { generateName: '10.77.0.9' }, spec: { parentRef } };
  const path = '/apis/networking.k8s.io/v1/ipaddresses';
  expect(ask('POST', path, address).object.metadata.name).toBe('10.77.0.9');
  expect(ask('POST', path, address)).toMatchObject({ status: 409, object: { reason: 'AlreadyExists' } });
});
