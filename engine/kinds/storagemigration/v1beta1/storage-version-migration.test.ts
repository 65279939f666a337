import { expect, test } from 'vitest';
import { aCluster } from '../../../../test/support/cluster.ts';
import { adminIdentity } from '../../../cluster/identities.ts';

// As a real kube-apiserver 1.36.3 answered.
test('the name of a migration is a text like any other in its table', async () => {
  const { door } = await aCluster({ nodes: 0, options: { 'runtime-config': 'api/all=true', 'feature-gates': 'StorageVersionMigrator=true' } });
  const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
  const path = '/apis/storagemigration.k8s.io/v1beta1/storageversionmigrations';
  const answer = door.serveAtOnce({ method: 'GET', path, query: '', headers, body: new Uint8Array(), identity: adminIdentity });
  const { columnDefinitions } = JSON.parse('body' in answer ? String(answer.body) : '') as { columnDefinitions: { name: string; format: string }[] };
  expect(columnDefinitions[0]).toMatchObject({ name: 'Name', format: '' });
});
