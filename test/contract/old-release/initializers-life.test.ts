/** Initializers in the life of a cluster: its components wait in virtual time, and a replay comes to the same. */
import { expect, test } from 'vitest';
import type { Pod } from '../../../engine/api/core/v1/types.gen.ts';
import type { KubeList } from '../../../engine/apimachinery/object.ts';
import { adminIdentity } from '../../../engine/cluster/identities.ts';
import { aCluster, aDeployment, madeCluster, type TestCluster } from '../../support/cluster.ts';
import { replayInputs } from '../../support/replay.ts';

const config = {
  seed: 3,
  nodes: 1,
  release: '1.13',
  options: { 'runtime-config': 'api/all=true', 'enable-admission-plugins': 'Initializers' },
} as const;
const pods = '/api/v1/namespaces/default/pods';
const all = 'includeUninitialized=true';

function configure(tank: TestCluster, ...resources: readonly string[]): void {
  tank.call('POST', '/apis/admissionregistration.k8s.io/v1alpha1/initializerconfigurations', {
    metadata: { name: 'ic' },
    initializers: [{ name: 'one.example.com', rules: [{ apiGroups: ['*'], apiVersions: ['*'], resources }] }],
  });
}

function namesOf(tank: TestCluster, path: string): readonly (string | undefined)[] {
  return tank.call<KubeList>('GET', path).items.map(({ metadata }) => metadata.name);
}

function complete(tank: TestCluster, path: string): void {
  tank.call('PATCH', path, { metadata: { initializers: null } }, 'application/merge-patch+json');
}

async function life(tank: TestCluster): Promise<void> {
  await tank.advance(30_000);
  configure(tank, 'pods');
  tank.call('POST', '/apis/apps/v1/namespaces/default/deployments', aDeployment('web', 2));
  await tank.advance(20_000);
}

test('pods that a controller makes are seen by nobody until they are initialized, and run then', async () => {
  const tank = await aCluster(config);
  await life(tank);
  expect(namesOf(tank, pods)).toEqual([]);
  const made = tank.call<KubeList<Pod>>('GET', `${pods}?${all}`).items;
  expect(made.length).toBeGreaterThan(0);
  expect(made.every(({ spec }) => spec?.nodeName === undefined)).toBe(true);
  for (const { metadata } of made) complete(tank, `${pods}/${metadata.name}`);
  await tank.advance(60_000);
  const running = tank.call<KubeList<Pod>>('GET', pods).items;
  expect(running.map(({ status }) => status?.phase)).toContain('Running');
});

test('controllers do not take more and more pods for lost while those they made wait', async () => {
  const tank = await aCluster(config);
  await life(tank);
  await tank.advance(240_000);
  expect(namesOf(tank, `${pods}?${all}`)).toHaveLength(2);
});

test('a namespace takes what waits with it', async () => {
  const tank = await aCluster(config);
  await tank.advance(30_000);
  configure(tank, 'configmaps');
  tank.call('POST', '/api/v1/namespaces', { metadata: { name: 'gone' } });
  tank.call('POST', `/api/v1/namespaces/gone/configmaps?${all}`, { metadata: { name: 'c' } });
  tank.call('DELETE', '/api/v1/namespaces/gone');
  await tank.advance(30_000);
  expect(tank.ask('GET', '/api/v1/namespaces/gone').status).toBe(404);
  expect(tank.ask('GET', '/api/v1/namespaces/gone/configmaps/c').status).toBe(404);
});

test('a replay comes to the same digest, also where somebody outside waited', async () => {
  const tank = await aCluster(config);
  await life(tank);
  const body = new TextEncoder().encode(
    JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'own' }, spec: { containers: [{ name: 'c', image: 'nginx' }] } }),
  );
  const headers = { accept: 'application/json', 'content-type': 'application/json', 'user-agent': 'test' };
  const waiting = tank.door.serve({ method: 'POST', path: pods, query: '', headers, body, identity: adminIdentity });
  complete(tank, `${pods}/own`);
  expect(await waiting).toMatchObject({ status: 201 });
  await tank.advance(60_000);
  const again = madeCluster(config);
  await again.cluster.start();
  await replayInputs(again, tank.inputs, tank.cluster.loop.nowMs());
  again.door.endReplay();
  expect(again.cluster.digest).toEqual(tank.cluster.digest);
});
