/** Every shipped scenario passes, and two runs of it make the same history. */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { ScenarioRun, ScenarioRunStatus } from '../../engine/api/sim/v1alpha1/scenario.ts';
import { newServiceUnavailable } from '../../engine/apimachinery/errors.ts';
import type { Crash } from '../../engine/base/task-loop.ts';
import type { ApiRequest } from '../../engine/contracts/request.ts';
import { Cluster } from '../../engine/cluster/cluster.ts';
import type { ClusterHost } from '../../engine/cluster/cluster-host.ts';
import { adminIdentity } from '../../engine/cluster/identities.ts';
import { causeChain } from '../../engine/history/causes.ts';
import { scenarioConfig } from '../../engine/host/scenario-run.ts';
import { parseScenario } from '../../engine/scenarios/load.ts';
import { aCluster, madeCluster, type TestCluster } from '../support/cluster.ts';

const host: ClusterHost = {
  hop: () => new Promise((resolve) => setImmediate(resolve)),
  wallMs: () => 0,
  hash: (text) => hash('sha256', text, 'hex'),
  rootCaPem: '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n',
};
const stepMs = 60_000;
const virtualMsMax = 30 * 3_600_000;

async function run(name: string): Promise<{ readonly cluster: Cluster; readonly status: ScenarioRunStatus }> {
  const file = fileURLToPath(new URL(`../../scenarios/${name}/scenario.yaml`, import.meta.url));
  const scenario = parseScenario(readFileSync(file, 'utf8'));
  const cluster = new Cluster(scenarioConfig(scenario, scenario.spec.seed ?? 1, {}), host);
  await cluster.start();
  const post = (resource: string, body: object): void => {
    const request = {
      verb: 'create',
      group: 'sim.wavetank.dev',
      version: 'v1alpha1',
      resource,
      identity: adminIdentity,
      userAgent: 'test/1',
      causes: ['input:1'],
      body,
    } as const;
    void cluster.loop.enter(() => cluster.door.handle(request as never));
  };
  post('scenarios', scenario);
  post('scenarioruns', {
    apiVersion: 'sim.wavetank.dev/v1alpha1',
    kind: 'ScenarioRun',
    metadata: { name: 'run' },
    spec: { scenario: scenario.metadata.name },
  });
  const read = (): ScenarioRunStatus => (cluster.store.get('/registry/sim.wavetank.dev/scenarioruns/run')?.value as ScenarioRun).status ?? {};
  const endMs = cluster.loop.nowMs() + virtualMsMax;
  while (read().finishedAt === undefined && read().phase !== 'Failed' && cluster.loop.nowMs() < endMs)
    await cluster.loop.run(cluster.loop.nowMs() + stepMs);
  return { cluster, status: read() };
}

describe.each(['nodes/node-power-loss', 'jobs/cronjob-day'])('%s', (name) => {
  test('passes, twice with the same history', async () => {
    const first = await run(name);
    expect(first.status.expectations?.filter(({ result }) => result !== 'Met')).toEqual([]);
    expect(first.status).toMatchObject({ phase: 'Passed' });
    const second = await run(name);
    expect(second.cluster.digest).toBe(first.cluster.digest);
    expect(second.status.digest).toBe(first.status.digest);
  }, 600_000);
});

test('a replacement pod leads back to the fault and to who asked for it', async () => {
  const { cluster } = await run('nodes/node-power-loss');
  const faultMs = cluster.history.find('faults.sim.wavetank.dev/node-2-dark')?.createdMs ?? 0;
  const replacement = [...cluster.history.rows()].find((row) => row.kind === 'Pod' && row.createdMs > faultMs);
  const links = causeChain(cluster.history, replacement?.createdRevision ?? 0) ?? [];
  expect(links.map(({ type, by }) => `${type} ${by?.split(':').at(-1) ?? ''}`.trim())).toEqual([
    'write replicaset-controller',
    'write node-controller',
    'write node-controller',
    'silence',
    'fault',
    'write scenarios',
    'write kubernetes-admin',
    'input kubernetes-admin',
  ]);
}, 600_000);

test('a run goes on from a checkpoint as if nothing had happened', async () => {
  const scenario = parseScenario(
    readFileSync(fileURLToPath(new URL('../../scenarios/nodes/node-power-loss/scenario.yaml', import.meta.url)), 'utf8'),
  );
  const config = { seed: 5, nodes: 6, zones: 3 };
  const made = await aCluster(config);
  made.call('POST', '/apis/sim.wavetank.dev/v1alpha1/scenarios', scenario);
  made.call('POST', '/apis/sim.wavetank.dev/v1alpha1/scenarioruns', {
    apiVersion: 'sim.wavetank.dev/v1alpha1',
    kind: 'ScenarioRun',
    metadata: { name: 'run' },
    spec: { scenario: 'node-power-loss' },
  });
  for (const waitMs of [20_000, 60_000, 280_000]) {
    await made.advance(waitMs);
    await made.quiet();
    const restored = madeCluster(config);
    restored.cluster.restore(JSON.parse(JSON.stringify(made.cluster.save())));
    await made.advance(90_000);
    await restored.advance(90_000);
    expect(restored.cluster.digest).toBe(made.cluster.digest);
    expect(restored.cluster.history.slots.save()).toEqual(made.cluster.history.slots.save());
  }
}, 600_000);

const sim = '/apis/sim.wavetank.dev/v1alpha1';
const applyConfigMap = {
  title: 't',
  steps: [{ name: 'make', apply: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'made' } }] }],
};

function startRun(made: TestCluster): () => ScenarioRunStatus {
  const apiVersion = 'sim.wavetank.dev/v1alpha1';
  made.call('POST', `${sim}/scenarios`, { apiVersion, kind: 'Scenario', metadata: { name: 's' }, spec: applyConfigMap });
  made.call('POST', `${sim}/scenarioruns`, { apiVersion, kind: 'ScenarioRun', metadata: { name: 'run' }, spec: { scenario: 's' } });
  return () => made.call<ScenarioRun>('GET', `${sim}/scenarioruns/run`).status ?? {};
}

/** The API fails requests of scenario runs that `isHit`. */
function failing(made: TestCluster, isHit: (request: ApiRequest) => boolean, error: Error): void {
  const { door } = made;
  const handle = door.handle.bind(door);
  door.handle = (request) => {
    if (request.identity.name.endsWith('scenarios') && isHit(request)) throw error;
    return handle(request);
  };
}

test('a step that crashes fails its run and says so', async () => {
  const crashes: Crash[] = [];
  const made = await aCluster({ seed: 2, nodes: 1 }, { onCrash: (crash) => void crashes.push(crash) });
  failing(made, ({ resource }) => resource === 'configmaps', new TypeError('x is not a function'));
  const read = startRun(made);
  await made.advance(30_000);
  expect(read()).toMatchObject({ phase: 'Failed', message: 'step make: it crashed: x is not a function' });
  expect(crashes.map(({ component, key }) => `${component} ${key}`)).toEqual(['scenarios run run']);
});

test('a run whose status the API refuses for a while tells it later, also when it cannot begin', async () => {
  for (const isBroken of [false, true]) {
    const made = await aCluster({ seed: 2, nodes: 1 });
    const { loop } = made.cluster;
    const untilMs = loop.nowMs() + 10_000;
    failing(made, ({ subresource }) => subresource === 'status' && loop.nowMs() < untilMs, newServiceUnavailable('not now'));
    const read = startRun(made);
    if (isBroken) made.call('DELETE', `${sim}/scenarios/s`);
    await made.advance(60_000);
    expect(read()).toMatchObject(isBroken ? { phase: 'Failed', message: expect.stringContaining('"s" not found') } : { phase: 'Passed' });
  }
});
