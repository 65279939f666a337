import { expect, it } from 'vitest';
import type { APIService } from '../../../api/apiregistration/v1/types.gen.ts';
import { aCluster } from '../../../../test/support/cluster.ts';

const path = '/apis/apiregistration.k8s.io/v1/apiservices';

function service(group: string, more: object) {
  const metadata = { name: `v1.${group}` };
  const spec = { group, version: 'v1', groupPriorityMinimum: 100, versionPriority: 10, ...more };
  return { apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService', metadata, spec, status: { conditions: [{ type: 'Odd', status: 'True' }] } };
}

// As a real kube-apiserver 1.36.3 answered.
it('says at once that an APIService without a Service is available, and nothing of others', async () => {
  const { call } = await aCluster({ nodes: 0 });
  const local = call('POST', path, service('local.example.com', {})) as APIService;
  expect(local.status?.conditions?.map(({ type, status, reason }) => [type, status, reason])).toEqual([['Available', 'True', 'Local']]);
  const remote = call('POST', `${path}?dryRun=All`, service('far.example.com', { service: { namespace: 'a', name: 'b' } })) as APIService;
  expect(remote.status).toEqual({});
});
