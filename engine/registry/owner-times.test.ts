import { expect, it } from 'vitest';
import type { KubeObject } from '../apimachinery/object.ts';
import { formatTime } from '../apimachinery/time.ts';
import { aCluster } from '../../test/support/cluster.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const merge = 'application/merge-patch+json';
const apply = 'application/apply-patch+yaml';

// As a real kube-apiserver 1.36.3 does.
it('tells when somebody wrote what she owns with each change, and writes nothing where the time alone is another', async () => {
  const { cluster, call, advance } = await aCluster({ nodes: 0 });
  const map = (data: object): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' }, data });
  call('POST', maps, map({ a: '1' }));
  const applied = `${maps}/m?fieldManager=applier&force=true`;
  call('PATCH', applied, map({ b: '1' }), apply);
  await advance(5000);
  const read = (): KubeObject => call('GET', `${maps}/m`);
  const timesOf = ({ metadata: { managedFields = [] } }: KubeObject): readonly unknown[] =>
    managedFields.map(({ operation, time }) => [operation, time]);
  const before = read();
  call('PATCH', applied, map({ b: '1' }), apply);
  call('PATCH', `${maps}/m`, { data: { a: '1' } }, merge);
  call('PUT', `${maps}/m`, before);
  expect(read()).toEqual(before);
  const now = formatTime(cluster.loop.nowMs());
  call('PATCH', `${maps}/m`, { data: { a: '2' } }, merge);
  expect(timesOf(read())).toEqual([
    ['Apply', expect.not.stringMatching(now)],
    ['Update', now],
  ]);
  call('PATCH', applied, map({ b: '2' }), apply);
  expect(timesOf(read())).toEqual([
    ['Apply', now],
    ['Update', now],
  ]);
});

it('counts what a strategy counts as a change', async () => {
  const { cluster, call, advance } = await aCluster({ nodes: 0 });
  const path = '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies';
  call('POST', path, {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'n' },
    spec: { podSelector: {}, ingress: [{}] },
  });
  await advance(5000);
  const { metadata } = call<KubeObject>('PATCH', `${path}/n`, { spec: { ingress: [{ from: [] }] } }, merge);
  expect([metadata.generation, metadata.managedFields?.[0]?.time]).toEqual([2, formatTime(cluster.loop.nowMs())]);
});
