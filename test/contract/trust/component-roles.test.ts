/** The laws of the simulation act under roles of their own: nobody but the administrator and the API server is above RBAC. */
import { expect, test } from 'vitest';
import type { KubeObject } from '../../../engine/apimachinery/object.ts';
import * as identities from '../../../engine/cluster/identities.ts';
import type { Identity } from '../../../engine/contracts/request.ts';
import { aCluster, aDeployment, type TestCluster } from '../../support/cluster.ts';

const superuser = 'system:masters';
const pools = '/apis/sim.wavetank.dev/v1alpha1/nodepools';
const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const faults = '/apis/sim.wavetank.dev/v1alpha1/faults';

async function aQuietLog(lines: string[]): Promise<TestCluster> {
  return aCluster({ nodes: 2 }, { log: (line) => void lines.push(line) });
}

function nodesOf(tank: TestCluster): number {
  return tank.call<{ items: KubeObject[] }>('GET', '/api/v1/nodes').items.length;
}

function resize(tank: TestCluster, count: number): void {
  tank.call('PATCH', `${pools}/default`, { spec: { count } }, 'application/merge-patch+json');
}

function startRun(tank: TestCluster, name: string): void {
  const manifest = aDeployment(`made-by-${name}`, 1);
  const role = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { name: 'r', namespace: 'default' },
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['deletecollection'] }],
  };
  const object = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: `made-by-${name}` };
  const expectations = [{ name: 'up', object, where: [{ path: 'status.readyReplicas', equals: 1 }], before: '60s' }];
  const spec = { title: 'roles', steps: [{ name: 'apply', apply: [manifest, role] }], expectations };
  tank.call('POST', '/apis/sim.wavetank.dev/v1alpha1/scenarios', { metadata: { name }, spec });
  tank.call('POST', '/apis/sim.wavetank.dev/v1alpha1/scenarioruns', { metadata: { name }, spec: { scenario: name, cluster: 'Present' } });
}

test('only the administrator and the API server are above RBAC', () => {
  const known = Object.entries(identities).flatMap(([name, value]) => (typeof value === 'function' ? [] : [[name, value as Identity] as const]));
  const above = known.filter(([, { groups }]) => groups.includes(superuser)).map(([name]) => name);
  expect(above.sort()).toEqual(['adminIdentity', 'apiServerIdentity']);
});

test('machines come and go, faults act and runs apply under their roles alone', async () => {
  const lines: string[] = [];
  const tank = await aQuietLog(lines);
  resize(tank, 4);
  await tank.advance(30_000);
  expect(nodesOf(tank)).toBe(4);
  resize(tank, 2);
  tank.call('POST', faults, { metadata: { name: 'dark' }, spec: { type: 'node-power-loss', target: { node: 'node-0' }, duration: '30s' } });
  startRun(tank, 'one');
  await tank.advance(120_000);
  expect(nodesOf(tank)).toBe(2);
  expect(tank.call<KubeObject & { status: { machines: number } }>('GET', `${pools}/default`).status.machines).toBe(2);
  expect(tank.call<KubeObject & { status: { phase: string } }>('GET', `${faults}/dark`).status.phase).toBe('Healed');
  expect(tank.call<KubeObject & { status: { phase: string } }>('GET', '/apis/sim.wavetank.dev/v1alpha1/scenarioruns/one').status.phase).toBe(
    'Passed',
  );
  expect(lines.filter((line) => line.includes('forbidden'))).toEqual([]);
});

test.each([
  ['machines', (tank: TestCluster) => resize(tank, 1), (tank: TestCluster) => nodesOf(tank) === 1],
  [
    'scenarios',
    (tank: TestCluster) => startRun(tank, 'two'),
    (tank: TestCluster) => tank.ask('GET', '/apis/apps/v1/namespaces/default/deployments/made-by-two').status === 200,
  ],
  [
    'faults',
    (tank: TestCluster) =>
      void tank.call('POST', faults, { metadata: { name: 'dark' }, spec: { type: 'node-power-loss', target: { node: 'node-0' } } }),
    (tank: TestCluster) => tank.call<KubeObject & { status?: { phase: string } }>('GET', `${faults}/dark`).status?.phase === 'Active',
  ],
])('without its role a component of %s writes nothing, and goes on when it has it again', async (name, act, happened) => {
  const tank = await aCluster({ nodes: 2 });
  const path = `${roles}/system:wavetank:${name}`;
  const { rules } = tank.call<KubeObject & { rules: object[] }>('GET', path);
  tank.call('PATCH', path, { rules: [] }, 'application/merge-patch+json');
  act(tank);
  await tank.advance(20_000);
  expect(happened(tank)).toBe(false);
  tank.call('PATCH', path, { rules }, 'application/merge-patch+json');
  await tank.advance(120_000);
  expect(happened(tank)).toBe(true);
});
