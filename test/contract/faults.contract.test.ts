/**
 * What every fault keeps to, in a real cluster: it changes something, says so beforehand, carries itself as the cause of what it does,
 * heals without a trace, stacks with its own kind, and goes on over a checkpoint.
 */
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Node, Pod } from '../../engine/api/core/v1/types.gen.ts';
import type { CauseChain } from '../../engine/api/sim/v1alpha1/timeline.ts';
import type { Fault, FaultSpec } from '../../engine/api/sim/v1alpha1/fault.ts';
import type { FaultType } from '../../engine/api/sim/v1alpha1/fault-type.ts';
import { faultTypes } from '../../engine/api/sim/v1alpha1/fault-types.gen.ts';
import type { KubeObject } from '../../engine/apimachinery/object.ts';
import { writeCause } from '../../engine/base/causes.ts';
import type { FaultDefinition } from '../../engine/faults/fault.ts';
import { faults } from '../../engine/faults/index.gen.ts';
import type { Change } from '../../engine/store/store.ts';
import type { ClusterConfig } from '../../engine/cluster/config.ts';
import { aCluster, madeCluster, type TestCluster } from '../support/cluster.ts';

const faultsPath = '/apis/sim.wavetank.dev/v1alpha1/faults';
const typesPath = '/apis/sim.wavetank.dev/v1alpha1/faulttypes';
const podsPath = '/api/v1/namespaces/default/pods';
const faultPrefix = '/registry/sim.wavetank.dev/faults/';

/** What follows of these goes on after they are healed: boots, reports, pulls that are tried again. */
const lasting: ReadonlySet<string> = new Set([
  'node-power-loss',
  'node-partition',
  'node-certificate-expired',
  'kubelet-stop',
  'node-clock-skew',
  'node-disk-full',
  'node-memory-pressure',
  'node-pid-pressure',
  'node-shutdown',
  'image-registry-down',
  'cloud-zone-outage',
  'cloud-instance-terminated',
  'cloud-instance-stopped',
]);

/** Of the cluster that a fault is tried in. */
function configOf({ needs }: FaultDefinition): Partial<ClusterConfig> {
  return { nodes: 2, zones: 1, ...(needs === 'cloud' ? { options: { 'cloud-provider': 'wavetank' } } : {}) };
}

const balanced = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'balanced' },
  spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
};

afterEach(() => void vi.restoreAllMocks());

function targetOf({ target }: FaultDefinition): Pick<FaultSpec, 'target'> {
  if (target === 'nodes') return { target: { node: 'node-0' } };
  return target === 'image-registry' ? { target: { host: 'docker.io' } } : {};
}

function aFault(name: string, definition: FaultDefinition, spec: Partial<FaultSpec> = {}): object {
  return {
    apiVersion: 'sim.wavetank.dev/v1alpha1',
    kind: 'Fault',
    metadata: { name },
    spec: { type: definition.name, ...targetOf(definition), ...spec },
  };
}

/** On node-0, without requests, of an image that no node has. */
function aPod(name: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { nodeSelector: { 'kubernetes.io/hostname': 'node-0' }, containers: [{ name: 'c', image: `docker.io/library/${name}:1` }] },
  };
}

/** The same with a volume that is made for it. */
function withVolume(name: string): object {
  const pod = aPod(name) as { readonly spec: object };
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  return { ...pod, spec: { ...pod.spec, volumes: [{ name: 'v', ephemeral: { volumeClaimTemplate: { spec } } }] } };
}

interface Run extends TestCluster {
  readonly changes: readonly Change<KubeObject>[];
}

function observed(tank: TestCluster): Run {
  const changes: Change<KubeObject>[] = [];
  tank.cluster.store.watch({ prefix: '', onChanges: (batch) => void changes.push(...batch) });
  return { ...tank, changes };
}

/** Two minutes of a cluster in which a fault is made after ten seconds, and two pods a second later. */
async function strike(definition: FaultDefinition, spec: Partial<FaultSpec> = {}): Promise<Run> {
  const run = observed(await aCluster(configOf(definition)));
  run.call('POST', podsPath, aPod('before'));
  await run.advance(10_000);
  run.call('POST', faultsPath, aFault('x', definition, spec));
  await run.advance(1_000);
  for (const name of ['after', 'and-after']) create(run, aPod(name));
  if (definition.name.startsWith('volume-')) create(run, withVolume('data'));
  if (definition.needs === 'cloud') run.call('POST', '/api/v1/namespaces/default/services', balanced);
  return run;
}

/** A client that tries again when the API fails by a fault. */
function create(run: TestCluster, pod: object): void {
  for (let attempt = 1; ; attempt++) {
    try {
      run.call('POST', podsPath, pod);
      return;
    } catch (error) {
      if (attempt === 50 || !(error as Error).message.includes('by a fault of the simulation')) throw error;
    }
  }
}

/** What happened when, without what only the Fault object itself changes: numbers of revisions, and names drawn after its own. */
function storyOf({ changes }: Run): readonly string[] {
  return changes
    .filter(({ key }) => !key.startsWith(faultPrefix) && !key.startsWith('/registry/events/'))
    .map(({ key, meta, current }) => {
      const value = current?.value as (KubeObject & { readonly spec?: unknown; readonly status?: unknown }) | undefined;
      return JSON.stringify([key, meta.virtualMs, value?.spec, value?.status]);
    });
}

function createdBy({ changes }: Run, name: string): number {
  return changes.find(({ key }) => key === `${faultPrefix}${name}`)?.revision ?? 0;
}

/** Whether the causes of a change lead to the fault, at once or over other changes. */
function leadsTo(run: Run, { revision, meta }: Change<KubeObject>, fault: string): boolean {
  if (meta.causes.includes(writeCause(createdBy(run, fault)))) return true;
  try {
    const { links } = run.call<CauseChain>('GET', `/apis/sim.wavetank.dev/v1alpha1/causechains/${revision}`);
    return links.some(({ object }) => object === `faults.sim.wavetank.dev/${fault}`);
  } catch {
    return false;
  }
}

function effectsOf(run: Run, fault: string, fromMs: number): readonly Change<KubeObject>[] {
  return run.changes.filter((change) => change.meta.virtualMs > fromMs && !change.key.startsWith(faultPrefix) && leadsTo(run, change, fault));
}

async function expectConvergence(run: Run): Promise<void> {
  create(run, aPod('late'));
  await run.advance(420_000);
  for (const node of run.cluster.stored('minions') as readonly Node[]) {
    const conditions = Object.fromEntries((node.status?.conditions ?? []).map(({ type, status }) => [type, status]));
    expect(conditions).toMatchObject({ Ready: 'True', DiskPressure: 'False', MemoryPressure: 'False' });
    expect(node.spec?.taints ?? []).toEqual([]);
  }
  expect(run.call<Pod>('GET', `${podsPath}/late`).status?.phase).toBe('Running');
}

async function storyWithout(definition: FaultDefinition): Promise<readonly string[]> {
  const spy = vi.spyOn(definition as { effects: FaultDefinition['effects'] }, 'effects').mockReturnValue([]);
  const run = await strike(definition);
  await run.advance(110_000);
  spy.mockRestore();
  return storyOf(run);
}

test('the generated table has every fault', () => {
  expect(faultTypes.map(({ name, title, target, parameters }) => ({ name, title, target, parameters }))).toEqual(
    faults.map(({ name, title, target, parameters }) => ({ name, title, target, parameters })),
  );
});

describe.each(faults.map((definition) => ({ type: definition.name, definition })))('fault $type', ({ type, definition }) => {
  test('changes what happens, says what it will do, and is the cause of what it does', async () => {
    const run = await strike(definition);
    await run.advance(110_000);
    expect(storyOf(run), 'nothing happens otherwise than without it').not.toEqual(await storyWithout(definition));
    const status = run.call<Fault>('GET', `${faultsPath}/x`).status;
    const { target = {} } = targetOf(definition);
    const { sentence } = run.call<FaultType>('GET', `${typesPath}/${type}?${new URLSearchParams({ ...target }).toString()}`);
    expect(sentence).toMatch(/^[A-Z0-9].*\.$/);
    expect(status).toMatchObject({ phase: 'Active', message: sentence });
    expect(effectsOf(run, 'x', 0).length).toBeGreaterThan(0);
  });

  test('heals after its duration: the cluster converges, and what still follows has it as cause', async () => {
    const run = await strike(definition, { duration: '1m' });
    await run.advance(65_000);
    expect(run.call<Fault>('GET', `${faultsPath}/x`)).toMatchObject({ status: { phase: 'Healed' } });
    expect(run.cluster.faultPoints.calm).toBe(true);
    const healedMs = run.cluster.loop.nowMs() - 6_000;
    await expectConvergence(run);
    if (lasting.has(type)) expect(effectsOf(run, 'x', healedMs).length).toBeGreaterThan(0);
  });

  test('two of it stack, and heal independently', async () => {
    const run = await strike(definition, { duration: '1m' });
    run.call('POST', faultsPath, aFault('y', definition, { duration: '2m' }));
    await run.advance(70_000);
    expect(run.call<Fault>('GET', `${faultsPath}/x`).status?.phase).toBe('Healed');
    expect(run.call<Fault>('GET', `${faultsPath}/y`).status?.phase).toBe('Active');
    expect(run.cluster.faultPoints.calm).toBe(false);
    run.call('DELETE', `${faultsPath}/y`);
    await run.advance(2_000);
    expect(run.cluster.faultPoints.calm).toBe(true);
    await expectConvergence(run);
  });

  test('goes on over a checkpoint in its middle as without one', async () => {
    const run = await strike(definition, { duration: '1m' });
    await run.advance(20_000);
    await run.quiet();
    const saved = JSON.parse(JSON.stringify(run.cluster.save())) as never;
    const resumed = madeCluster(configOf(definition));
    resumed.cluster.restore(saved);
    const endMs = run.cluster.config.startMs + 300_000;
    for (const tank of [run, resumed]) await tank.cluster.loop.run(endMs);
    expect(resumed.cluster.digest).toBe(run.cluster.digest);
  });
});

test('the sentence speaks of the flags in force', async () => {
  const tank = await aCluster({ nodes: 1, options: { 'node-monitor-grace-period': '2m', 'default-unreachable-toleration-seconds': '30' } });
  const { sentence } = tank.call<FaultType>('GET', `${typesPath}/node-power-loss?zone=sim-a`);
  expect(sentence).toBe(
    'Power is cut from every node of zone sim-a: its containers die at once. After the grace period of 2 min it is marked unreachable and its pods not ready; 30 s later they are evicted.',
  );
});

test.each<[string, object, string]>([
  [
    'a parameter of another fault',
    { type: 'node-partition', target: { node: 'n' }, parameters: { delay: '1s' } },
    'node-partition has only the parameters direction',
  ],
  [
    'a choice that is none',
    { type: 'node-partition', target: { node: 'n' }, parameters: { direction: 'up' } },
    'spec.parameters.direction: Unsupported value: "up"',
  ],
  ['a share above one', { type: 'watch-drop', parameters: { share: 2 } }, 'spec.parameters.share: Invalid value: 2: must be between 0 and 0.99'],
  [
    'a duration that is none',
    { type: 'api-latency', parameters: { delay: 'soon' } },
    'spec.parameters.delay: Invalid value: "soon": must be a duration such as 500ms or 10m',
  ],
  ['a verb that is none', { type: 'api-errors', parameters: { verbs: ['steal'] } }, 'spec.parameters.verbs[0]: Unsupported value: "steal"'],
  [
    'a target for the control plane',
    { type: 'api-errors', target: { node: 'n' } },
    'spec.target: Forbidden: api-errors strikes the control plane and has no target',
  ],
  ['two targets', { type: 'kubelet-stop', target: { node: 'n', zone: 'z' } }, 'spec.target: Required value: exactly one of node and zone'],
])('%s is refused with its field', async (_what, spec, message) => {
  const tank = await aCluster({ nodes: 1 });
  const fault = { apiVersion: 'sim.wavetank.dev/v1alpha1', kind: 'Fault', metadata: { name: 'x' }, spec };
  expect(() => tank.call('POST', faultsPath, fault)).toThrow(message);
});

test('a fault of the cloud fails where there is none, and says so beforehand', async () => {
  const tank = await aCluster({ nodes: 1 });
  const message = 'there is no cloud; a cluster started with --cloud-provider=wavetank has one';
  expect(tank.call<FaultType>('GET', `${typesPath}/cloud-errors`).refusal).toBe(message);
  tank.call('POST', faultsPath, { apiVersion: 'sim.wavetank.dev/v1alpha1', kind: 'Fault', metadata: { name: 'x' }, spec: { type: 'cloud-errors' } });
  await tank.advance(1_000);
  expect(tank.call<Fault>('GET', `${faultsPath}/x`).status).toMatchObject({ phase: 'Failed', message });
  expect(tank.cluster.faultPoints.calm).toBe(true);
});

test.each([
  [{ node: 'gone' }, 'there is no machine named gone'],
  [{ zone: 'z' }, 'no machine is in zone z'],
])('what cannot be struck fails: %j', async (target, message) => {
  const tank = await aCluster({ nodes: 1 });
  tank.call('POST', faultsPath, {
    apiVersion: 'sim.wavetank.dev/v1alpha1',
    kind: 'Fault',
    metadata: { name: 'x' },
    spec: { type: 'node-power-loss', target },
  });
  await tank.advance(1_000);
  expect(tank.call<Fault>('GET', `${faultsPath}/x`).status).toMatchObject({ phase: 'Failed', message });
});
