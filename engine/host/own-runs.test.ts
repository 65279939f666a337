/** Scenario runs beside the user's cluster: they pass whatever stands in it, and leave it as it was. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, afterAll, expect, test, vi } from 'vitest';
import type { ScenarioRun } from '../api/sim/v1alpha1/scenario.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { defaultConfig, documentedStartMs } from '../cluster/config.ts';
import { adminIdentity } from '../cluster/identities.ts';
import { parseScenario } from '../scenarios/load.ts';
import { aDeployment } from '../../test/support/cluster.ts';
import { type Engine, startEngine } from './engine.ts';
import { type Keys, loadKeys } from './home.ts';

const home = mkdtempSync(join(tmpdir(), 'wavetank-own-runs-'));
const sim = '/apis/sim.wavetank.dev/v1alpha1';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const powerLoss = parseScenario(readFileSync(fileURLToPath(new URL('../../scenarios/nodes/node-power-loss/scenario.yaml', import.meta.url)), 'utf8'));
let keys: Keys;
let engine: Engine;

beforeAll(() => {
  keys = loadKeys(home);
});
afterEach(() => engine.close());
afterAll(() => rmSync(home, { recursive: true }));

async function start(): Promise<void> {
  const config = { ...defaultConfig, startMs: documentedStartMs };
  engine = await startEngine({ config, keys, speed: 'paused', ports: [], onFailure: () => undefined });
  call('POST', deployments, aDeployment('web', 2));
  await engine.branch.pacer.runUntil(engine.branch.cluster.loop.nowMs() + 60_000);
  call('POST', `${sim}/scenarios`, powerLoss);
}

function call<T = KubeObject>(method: string, path: string, body?: object): T {
  const response = engine.endpoint.handleAtOnce({
    method,
    path,
    query: '',
    headers: { accept: 'application/json', 'content-type': 'application/json', 'user-agent': 'test' },
    body: new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body)),
    identity: adminIdentity,
  });
  return JSON.parse(String('body' in response ? response.body : '')) as T;
}

function run(name: string, spec: object): void {
  call('POST', `${sim}/scenarioruns`, { apiVersion: 'sim.wavetank.dev/v1alpha1', kind: 'ScenarioRun', metadata: { name }, spec });
}

const statusOf = (name: string): ScenarioRun['status'] => call<ScenarioRun>('GET', `${sim}/scenarioruns/${name}`).status;
const patience = { timeout: 60_000, interval: 20 };

test('a run has a cluster of its own and touches nothing of the one it was started from', async () => {
  await start();
  const before = call(`GET`, `${deployments}/web`);
  run('mine', { scenario: 'node-power-loss' });
  await vi.waitFor(() => expect(statusOf('mine')?.phase).toBe('Passed'), patience);
  expect(statusOf('mine')?.expectations?.every(({ result }) => result === 'Met')).toBe(true);
  expect(call('GET', `${deployments}/web`)).toEqual(before);
  expect(engine.branch.cluster.stored('sim.wavetank.dev/faults')).toEqual([]);
  const name = statusOf('mine')?.branch?.replace('/branches/', '') ?? '';
  expect(
    engine.endpoint
      .branch(name)
      ?.cluster.stored('deployments')
      .map(({ metadata }) => metadata.name),
  ).toEqual(['web']);
  call('DELETE', `${sim}/scenarioruns/mine`);
  await vi.waitFor(() => expect(engine.endpoint.branch(name)).toBeUndefined(), patience);
}, 90_000);

test('a run that is asked to run here refuses to touch what it did not make, and says so', async () => {
  await start();
  const before = call(`GET`, `${deployments}/web`);
  run('here', { scenario: 'node-power-loss', cluster: 'Present' });
  await engine.branch.pacer.runUntil(engine.branch.cluster.loop.nowMs() + 5_000);
  expect(statusOf('here')).toMatchObject({ phase: 'Failed', message: expect.stringContaining('deployments "web" was not made by this run') });
  expect(call('GET', `${deployments}/web`)).toEqual(before);
});

test('a run that is asked to run here does so where nothing is in its way', async () => {
  await start();
  const scenario = {
    apiVersion: 'sim.wavetank.dev/v1alpha1',
    kind: 'Scenario',
    metadata: { name: 'small' },
    spec: {
      title: 'Small',
      steps: [
        { name: 'make', apply: [aDeployment('mine', 1)] },
        { name: 'settle', wait: '30s' },
        { name: 'change', patch: { target: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'mine' }, merge: { spec: { replicas: 2 } } } },
        { name: 'again', wait: '30s' },
        { name: 'kill', delete: [{ apiVersion: 'v1', kind: 'Pod', labelSelector: 'app=mine' }] },
        { name: 'last', wait: '60s' },
        { name: 'reach', delete: [{ apiVersion: 'v1', kind: 'Pod', labelSelector: 'app=web' }] },
      ],
    },
  };
  call('POST', `${sim}/scenarios`, scenario);
  run('small', { scenario: 'small', cluster: 'Present' });
  await engine.branch.pacer.runUntil(engine.branch.cluster.loop.nowMs() + 300_000);
  expect(statusOf('small')?.steps?.map(({ name }) => name)).toEqual(['make', 'settle', 'change', 'again', 'kill', 'last', 'reach']);
  expect(statusOf('small')).toMatchObject({ phase: 'Failed', message: expect.stringMatching(/step reach: pods "web-.*" was not made by this run/) });
});

test('a run of a scenario that is not there fails and says so', async () => {
  await start();
  run('none', { scenario: 'nothing' });
  await vi.waitFor(() => expect(statusOf('none')).toMatchObject({ phase: 'Failed', message: 'there is no scenario nothing' }), patience);
});

test('many runs at once share the memory that the user’s cluster leaves: four run, three stay, the others wait', async () => {
  await start();
  const small = {
    apiVersion: 'sim.wavetank.dev/v1alpha1',
    kind: 'Scenario',
    metadata: { name: 'small' },
    spec: { title: 'S', steps: [{ name: 'rest', wait: '60s' }] },
  };
  call('POST', `${sim}/scenarios`, small);
  const names = Array.from({ length: 9 }, (_, i) => `many-${i}`);
  for (const name of names) run(name, { scenario: 'small' });
  const { heap_size_limit: heap } = getHeapStatistics();
  let most = 0;
  let quotas = 0;
  await vi.waitFor(() => {
    const branches = engine.endpoint.listBranches().map(({ branch }) => branch.cluster.settings.number('quota-backend-bytes'));
    most = Math.max(most, branches.length);
    quotas = Math.max(
      quotas,
      branches.reduce((sum, quota) => sum + quota, 0),
    );
    expect(names.map((name) => statusOf(name)?.phase)).toEqual(names.map(() => 'Passed'));
  }, patience);
  expect(most).toBeLessThanOrEqual(1 + 4 + 3);
  expect(quotas).toBeLessThanOrEqual(heap);
  call('DELETE', `${sim}/scenarioruns/many-8`);
  run('later', { scenario: 'small' });
  await vi.waitFor(() => expect(statusOf('later')?.phase).toBe('Passed'), patience);
}, 90_000);

test('a run that somebody keeps can be looked at while newer ones come and go; of one whose cluster went the run says so', async () => {
  await start();
  const spec = { title: 'S', steps: [{ name: 'rest', wait: '60s' }] };
  call('POST', `${sim}/scenarios`, { apiVersion: 'sim.wavetank.dev/v1alpha1', kind: 'Scenario', metadata: { name: 'small' }, spec });
  const metadata = { name: 'kept', annotations: { 'sim.wavetank.dev/keep': 'true' } };
  call('POST', `${sim}/scenarioruns`, { apiVersion: 'sim.wavetank.dev/v1alpha1', kind: 'ScenarioRun', metadata, spec: { scenario: 'small' } });
  const names = ['kept', 'a', 'b', 'c'];
  for (const name of names) {
    if (name !== 'kept') run(name, { scenario: 'small' });
    await vi.waitFor(() => expect(statusOf(name)?.phase).toBe('Passed'), patience);
  }
  await vi.waitFor(() => expect(names.filter((name) => statusOf(name)?.branch !== undefined)).toEqual(['kept', 'b', 'c']), patience);
  expect(statusOf('a')).toMatchObject({ phase: 'Passed', steps: [{ name: 'rest' }] });
  expect(engine.endpoint.branch(statusOf('kept')?.branch?.replace('/branches/', '') ?? '')).toBeDefined();
}, 90_000);
