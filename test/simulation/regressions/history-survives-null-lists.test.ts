/** A slice of a headless service has `endpoints: []` and then `ports: null`: the recorder crashed over a list that turned into nothing. */
import { expect, it } from 'vitest';
import type { KubeObject } from '../../../engine/apimachinery/object.ts';
import { diffObjects } from '../../../engine/history/diff.ts';
import { aCluster, aDeployment } from '../../support/cluster.ts';

const slice = (endpoints: unknown): KubeObject =>
  ({ kind: 'EndpointSlice', apiVersion: 'discovery.k8s.io/v1', metadata: { name: 's' }, endpoints }) as unknown as KubeObject;

it.each<[string, unknown, unknown, string]>([
  ['a list that comes', null, [{ name: 'a' }], '.endpoints: + a'],
  ['a list that goes', [{ name: 'a' }], null, '.endpoints: − a'],
  ['nothing, said otherwise', undefined, null, ''],
  ['no list any more', ['a'], { a: 1 }, '.endpoints: '],
])('history tells of %s', (_name, before, after, told) => {
  expect(diffObjects(slice(before), slice(after)).update).toContain(told.slice(1));
});

it('a headless service without ports gets its slices while history looks on', async () => {
  const made = await aCluster({ seed: 3 });
  const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec: { clusterIP: 'None', selector: { app: 'web' } } };
  made.call('POST', '/api/v1/namespaces/default/services', service);
  made.call('POST', '/apis/apps/v1/namespaces/default/deployments', aDeployment('web', 2));
  await made.advance(30_000);
  const slices = made.call<{ items: { endpoints: object[] }[] }>(
    'GET',
    '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices?labelSelector=kubernetes.io%2Fservice-name%3Dweb',
  ).items;
  expect(slices.flatMap(({ endpoints }) => endpoints)).toHaveLength(2);
});

it('conditions that say nothing of themselves come into history', async () => {
  const made = await aCluster({ seed: 3 });
  const path = '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas/exempt/status';
  for (const conditions of [[{ type: 'A' }], [{ type: 'A' }, { type: 'B', status: 'True' }], [], null])
    made.call('PATCH', path, { status: { conditions } }, 'application/merge-patch+json');
  await made.advance(1_000);
  expect(made.cluster.loop.failure).toBeUndefined();
});
