/**
 * Pods whose containers their kubelet does not have: the machine went with all that ran on it, and another came under its name. The rules
 * are those of pkg/kubelet/kubelet_pods.go (convertToAPIContainerStatuses) and status_manager.go (TerminatePod).
 */
import { expect, it } from 'vitest';
import type { PodStatus } from '../api/core/v1/types.gen.ts';
import type { JsonObject } from '../base/json.ts';
import type { NodesOptions } from './context.ts';
import { nodePools } from './nodepool.ts';
import { Rig } from './testing/rig.ts';

const node = 'pool-1';
const deaf = 'sleep 3600';
const whenDeleted = 'The container could not be located when the pod was deleted.  The container used to be Running';
const whenOver = 'The container could not be located when the pod was terminated';
const unknown = (message: string): JsonObject => ({
  terminated: { exitCode: 137, reason: 'ContainerStatusUnknown', message, startedAt: null, finishedAt: null },
});

function shell(script: string, name = 'c'): JsonObject {
  return { name, image: 'busybox', command: ['sh', '-c', script] };
}

interface Played {
  readonly rig: Rig;
  /** Each status of the pod, until it was removed. */
  readonly told: readonly (PodStatus | 'removed')[];
}

async function start(spec: JsonObject, forMs = 20_000, options: NodesOptions = {}): Promise<Played> {
  const rig = new Rig(options);
  await rig.startPool({ count: 2 });
  rig.addPod('p', spec, node);
  await rig.advance(forMs);
  const told: (PodStatus | 'removed')[] = [];
  rig.store.watch({
    prefix: '/registry/pods/',
    onChanges: (changes) => {
      for (const { current } of changes) told.push((current?.value as { status?: PodStatus } | undefined)?.status ?? 'removed');
    },
  });
  return { rig, told };
}

async function replaceMachine(rig: Rig): Promise<void> {
  for (const count of [1, 2]) {
    rig.change(nodePools, undefined, 'pool', (pool) => ({ ...pool, spec: { count } }));
    await rig.advance(count === 1 ? 5_000 : 30_000);
  }
}

it('run again on the new machine, and say that nobody knows how they ended', async () => {
  const { rig, told } = await start({ containers: [shell(deaf)] });
  await replaceMachine(rig);
  const [first] = told;
  expect(first).toMatchObject({
    phase: 'Running',
    containerStatuses: [{ state: { waiting: { reason: 'ContainerCreating' } }, lastState: unknown(whenDeleted), restartCount: 1, ready: false }],
  });
  expect((first as PodStatus).containerStatuses?.[0]).not.toHaveProperty('containerID');
  expect(rig.pod('p')?.status).toMatchObject({
    phase: 'Running',
    containerStatuses: [{ ready: true, restartCount: 1, lastState: unknown(whenDeleted) }],
  });
});

it('have failed where they are to run once', async () => {
  const { rig, told } = await start({ restartPolicy: 'Never', containers: [shell(deaf), shell('exit 0', 'done')] });
  await replaceMachine(rig);
  expect(told).toHaveLength(1);
  expect(told[0]).toMatchObject({
    phase: 'Failed',
    containerStatuses: [
      { state: unknown(whenOver), lastState: unknown(whenDeleted), restartCount: 1 },
      { name: 'done', state: { terminated: { exitCode: 0, reason: 'Completed', containerID: expect.stringMatching(/^wavetank:\/\/\w{64}$/) } } },
    ],
  });
  const [, done] = rig.pod('p')?.status?.containerStatuses ?? [];
  expect(done?.imageID).toContain('busybox');
  expect(done?.state?.terminated?.startedAt).toMatch(/^2026/);
});

it('are told to have failed before they are removed, when they were being deleted', async () => {
  const { rig, told } = await start({ containers: [shell(deaf)] });
  rig.deletePod('p', 600);
  await rig.advance(5_000);
  await replaceMachine(rig);
  expect(told.at(-1)).toBe('removed');
  expect(told.at(-2)).toMatchObject({
    phase: 'Failed',
    conditions: expect.arrayContaining([expect.objectContaining({ type: 'Ready', status: 'False', reason: 'PodFailed' })]),
    containerStatuses: [{ state: unknown(whenOver), lastState: unknown(whenDeleted), restartCount: 0, ready: false }],
  });
});

it('have ended in their init containers, as far as these had come', async () => {
  const inits = [shell('exit 0', 'first'), shell(deaf, 'second'), shell('exit 0', 'third')];
  const { rig, told } = await start({ initContainers: inits, containers: [shell(deaf)] });
  rig.deletePod('p', 600);
  await replaceMachine(rig);
  expect(told.at(-1)).toBe('removed');
  expect(told.at(-2)).toMatchObject({
    phase: 'Failed',
    initContainerStatuses: [
      { name: 'first', state: { terminated: { exitCode: 0 } }, ready: true },
      { name: 'second', state: unknown(whenOver), lastState: unknown(whenDeleted) },
      { name: 'third', state: { waiting: { reason: 'PodInitializing' } } },
    ],
    containerStatuses: [{ state: { waiting: { reason: 'PodInitializing' } } }],
  });
});

it('prepare the new machine again', async () => {
  const { rig, told } = await start({ initContainers: [shell('exit 0', 'i')], containers: [shell(deaf)] });
  await replaceMachine(rig);
  expect(told[0]).toMatchObject({ phase: 'Running', initContainerStatuses: [{ state: { terminated: { exitCode: 0 } }, restartCount: 0 }] });
  expect(rig.pod('p')?.status).toMatchObject({
    phase: 'Running',
    initContainerStatuses: [{ state: { terminated: { exitCode: 0 } }, lastState: { terminated: { exitCode: 0 } }, restartCount: 1 }],
    containerStatuses: [{ ready: true, restartCount: 1 }],
  });
});

it('that never ran have failed when their pod is deleted', async () => {
  const { rig, told } = await start({ containers: [{ name: 'c', image: 'nginx:1.161' }] });
  rig.deletePod('p');
  await rig.advance(5_000);
  expect(told.at(-1)).toBe('removed');
  expect(told.at(-2)).toMatchObject({ phase: 'Failed', containerStatuses: [{ state: unknown(whenOver), lastState: {}, restartCount: 0 }] });
});

it('that wait to start again show their end when their pod is deleted', async () => {
  const { rig, told } = await start({ containers: [shell('exit 3')] }, 40_000, { waitsForBackoffs: false });
  expect(rig.pod('p')?.status?.containerStatuses?.[0]?.state?.waiting?.reason).toBe('CrashLoopBackOff');
  rig.deletePod('p');
  await rig.advance(5_000);
  expect(told.at(-1)).toBe('removed');
  expect(told.at(-2)).toMatchObject({
    phase: 'Failed',
    containerStatuses: [{ state: { terminated: { exitCode: 3, reason: 'Error' } }, lastState: { terminated: { exitCode: 3 } } }],
  });
});
