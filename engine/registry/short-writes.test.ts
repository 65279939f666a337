import { expect, test } from 'vitest';
import { aCluster } from '../../test/support/cluster.ts';
import type { KubeObject } from '../apimachinery/object.ts';

test('who has the name of the note that a release makes owns fields as anybody does where no note is made', async () => {
  const { call } = await aCluster({ nodes: 0 });
  const path = '/api/v1/namespaces/default/configmaps';
  const made = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'noted' }, data: { a: '1' } };
  const { metadata } = call<KubeObject>('POST', `${path}?fieldManager=wavetank%3Aleft-to-defaults`, made);
  expect(metadata.managedFields?.map(({ manager }) => manager)).toEqual(['wavetank:left-to-defaults']);
  const again = call<KubeObject>('PUT', `${path}/noted?fieldManager=wavetank%3Aleft-to-defaults`, made);
  expect(again.metadata).toEqual(metadata);
});
