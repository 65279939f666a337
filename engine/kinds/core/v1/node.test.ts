import type { Node } from '../../../api/core/v1/types.gen.ts';
import { expect, test } from 'vitest';
import { aCluster } from '../../../../test/support/cluster.ts';

const nodes = '/api/v1/nodes';
const capacity = { cpu: '4', memory: '32Gi', pods: '110' };

test('a Node keeps the status that it is created with, and an update leaves status alone', async () => {
  const { call } = await aCluster({ nodes: 0 });
  const created = call<Node>('POST', nodes, {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'bare' },
    spec: { configSource: { configMap: { name: 'c', namespace: 'default', kubeletConfigKey: 'k' } }, providerID: 'sim://bare' },
    status: { capacity, conditions: [{ type: 'Ready', status: 'True' }], config: { error: 'none' } },
  });
  expect(created.spec?.providerID).toBe('sim://bare');
  expect(created.spec).not.toHaveProperty('configSource');
  expect(created.status).not.toHaveProperty('config');
  expect(created.status).toMatchObject({ capacity, allocatable: capacity, conditions: [{ type: 'Ready', status: 'True' }] });
  const updated = call<Node>('PUT', `${nodes}/bare`, { ...created, status: {} });
  expect(updated.status?.capacity).toEqual(capacity);
});
