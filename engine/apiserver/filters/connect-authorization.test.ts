import { expect, it } from 'vitest';
import { aCluster } from '../../../test/support/cluster.ts';

it('lets nobody connect to a pod by GET who may not create the connection', async () => {
  const { call, door, advance } = await aCluster({ seed: 1, nodes: 1 });
  await advance(40_000);
  call('POST', '/api/v1/namespaces/default/pods', {
    metadata: { name: 'p' },
    spec: { nodeName: 'node-0', containers: [{ name: 'c', image: 'busybox' }] },
  });
  const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
  const rule = (verbs: readonly string[]): object => ({ apiGroups: [''], resources: ['pods/exec', 'pods/log'], verbs });
  call('POST', `${rbac}/roles`, { metadata: { name: 'r' }, rules: [rule(['get'])] });
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'eve' }];
  call('POST', `${rbac}/rolebindings`, {
    metadata: { name: 'r' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
    subjects,
  });
  const identity = { name: 'eve', groups: ['system:authenticated'] };
  const query = 'command=ls&stdout=true';
  const ask = (): object => {
    const path = '/api/v1/namespaces/default/pods/p/exec';
    return door.serveAtOnce({ method: 'GET', path, query, headers: {}, body: new Uint8Array(), identity });
  };
  expect(ask()).toMatchObject({ status: 403, body: expect.stringContaining('pods \\"p\\" is forbidden: ') });
  call('PUT', `${rbac}/roles/r`, { metadata: { name: 'r' }, rules: [rule(['get', 'create'])] });
  await advance(1_000);
  expect(ask()).toMatchObject({ upgrade: 'process', process: { pod: 'p', container: 'c', command: ['ls'], stdout: true, stderr: false } });
});
