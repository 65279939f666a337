/**
 * Objects that are too large for one request to etcd. What a real 1.36.3 answered stands beside each size; how many bytes the refusal of the largest names
 * depends on a revision and on texts that differ here, and is not compared.
 */
import { expect, test } from 'vitest';
import type { KubeObject } from '../../engine/apimachinery/object.ts';
import { aCluster } from '../support/cluster.ts';

const roles = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles';
const role = (name: string, kilobytes: number): object => ({
  metadata: { name },
  rules: [{ verbs: ['get'], apiGroups: [''], resources: ['y'.repeat(1024 * kilobytes)] }],
});
const refused = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 500 };
const beyondEtcd = 'etcdserver: request is too large';
const beyondClient = /^rpc error: code = ResourceExhausted desc = trying to send message larger than max \(\d{7} vs\. 2097152\)$/;

test('an object may have 1.5 MB, as it is stored', async () => {
  const tank = await aCluster({ nodes: 0 });
  expect(tank.ask('POST', roles, role('a', 1535)).status).toBe(201);
  expect(tank.ask('POST', roles, role('b', 1536))).toMatchObject({ status: 500, object: { ...refused, message: beyondEtcd } });
  expect(tank.ask('POST', roles, role('b', 2047))).toMatchObject({ status: 500, object: { ...refused, message: beyondEtcd } });
  expect(tank.ask('POST', roles, role('b', 2048))).toMatchObject({
    status: 500,
    object: { ...refused, message: expect.stringMatching(beyondClient) as string },
  });
  expect(tank.ask('GET', `${roles}/b`).status).toBe(404);
});

test('nothing is kept of a change that is too large, and a dry run writes nothing', async () => {
  const tank = await aCluster({ nodes: 0 });
  tank.ask('POST', roles, role('a', 1));
  const inputs = tank.inputs.length;
  expect(tank.ask('PATCH', `${roles}/a`, role('a', 1600), 'application/merge-patch+json')).toMatchObject({
    status: 500,
    object: { message: beyondEtcd },
  });
  expect(tank.inputs).toHaveLength(inputs);
  expect(tank.ask('PATCH', `${roles}/a?dryRun=All`, role('a', 1600), 'application/merge-patch+json').status).toBe(200);
  expect(tank.ask('PATCH', `${roles}/a`, role('a', 2), 'application/merge-patch+json').status).toBe(200);
});

test('who owns which fields is not told where there is no space for it, but an apply is refused', async () => {
  const tank = await aCluster({ nodes: 0 });
  const maps = '/api/v1/namespaces/default/configmaps';
  const names = Array.from({ length: 9999 }, (_, index) => `this-key-is-very-long-so-as-to-create-a-very-large-serialized-fieldset-${index}`);
  const data = Object.fromEntries(names.map((name) => [name, 'A']));
  const map = (name: string): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });
  const owners = (name: string): unknown => tank.call<KubeObject>('GET', `${maps}/${name}`).metadata.managedFields;
  expect(tank.ask('POST', maps, map('created')).status).toBe(201);
  expect(owners('created')).toBeUndefined();
  for (const name of ['written', 'patched', 'applied']) tank.call('POST', maps, { metadata: { name }, data: { a: 'b' } });
  expect(owners('written')).toHaveLength(1);
  expect(tank.ask('PUT', `${maps}/written`, map('written')).status).toBe(200);
  expect(owners('written')).toBeUndefined();
  expect(tank.ask('PATCH', `${maps}/patched`, { data }, 'application/merge-patch+json').status).toBe(200);
  expect(owners('patched')).toBeUndefined();
  const applied = tank.ask('PATCH', `${maps}/applied?fieldManager=m&force=true`, map('applied'), 'application/apply-patch+yaml');
  expect(applied).toMatchObject({ status: 500, object: { message: beyondEtcd } });
});
