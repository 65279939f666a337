import { describe, expect, it } from 'vitest';
import type { PodCondition } from '../../api/core/v1/types.gen.ts';
import type { JsonObject } from '../../base/json.ts';
import { pods } from '../../client/resources.ts';
import { imageProfiles } from '../kubelets.ts';
import { Rig } from '../testing/rig.ts';

async function aRig(): Promise<Rig> {
  const rig = new Rig();
  await rig.startPool({ count: 1, capacity: { cpu: '4', memory: '8Gi' } });
  rig.clear();
  return rig;
}

function aPod(rig: Rig, name: string, resources: JsonObject, more: JsonObject = {}): void {
  rig.addPod(name, { containers: [{ name: 'c', image: 'nginx', resources, ...more }] });
}

function resize(rig: Rig, name: string, resources: JsonObject): void {
  rig.change(pods, 'default', name, (old) => ({
    ...old,
    spec: { ...old.spec, containers: (old.spec?.containers ?? []).map((container) => ({ ...container, resources })) },
  }));
}

function resizeConditions(rig: Rig, name: string): readonly Partial<PodCondition>[] {
  return (rig.pod(name)?.status?.conditions ?? []).filter(({ type = '' }) => type.startsWith('PodResize'));
}

const inForce = (rig: Rig, name: string): unknown => rig.pod(name)?.status?.containerStatuses?.[0]?.resources;
const restarts = (rig: Rig, name: string): unknown => rig.pod(name)?.status?.containerStatuses?.[0]?.restartCount;
const eventTexts = (rig: Rig): readonly string[] => rig.events.map(({ text }) => text);

describe('a resize', () => {
  it('is allocated, told to be in progress, and put into force without a restart', async () => {
    const rig = await aRig();
    aPod(rig, 'p', { requests: { cpu: '100m' } });
    await rig.advance(20_000);
    resize(rig, 'p', { requests: { cpu: '500m' } });
    await rig.advance(10_000);
    expect(inForce(rig, 'p')).toEqual({ requests: { cpu: '500m' } });
    expect(rig.pod('p')?.status?.containerStatuses?.[0]?.allocatedResources).toEqual({ cpu: '500m' });
    expect(restarts(rig, 'p')).toBe(0);
    expect(resizeConditions(rig, 'p')).toEqual([]);
    const summary = '{"containers":[{"name":"c","resources":{"requests":{"cpu":"500m"}}}],"generation":2}';
    expect(eventTexts(rig)).toContain(`Normal ResizeStarted Pod resize started: ${summary}`);
    expect(eventTexts(rig)).toContain(`Normal ResizeCompleted Pod resize completed: ${summary}`);
  });

  it('restarts the container where its policy says so', async () => {
    const rig = await aRig();
    const resizePolicy = [{ resourceName: 'memory', restartPolicy: 'RestartContainer' }];
    aPod(rig, 'p', { requests: { memory: '100Mi' } }, { resizePolicy });
    await rig.advance(20_000);
    resize(rig, 'p', { requests: { memory: '200Mi' } });
    await rig.advance(20_000);
    expect(restarts(rig, 'p')).toBe(1);
    expect(inForce(rig, 'p')).toEqual({ requests: { memory: '200Mi' } });
    expect(eventTexts(rig)).toContain('Normal Killing Container c resize requires restart');
  });

  it('waits while the node has not enough, holding what it has, and goes on when another pod leaves', async () => {
    const rig = await aRig();
    aPod(rig, 'p', { requests: { cpu: '1' } });
    aPod(rig, 'other', { requests: { cpu: '2' } });
    await rig.advance(20_000);
    resize(rig, 'p', { requests: { cpu: '3' } });
    await rig.advance(10_000);
    expect(resizeConditions(rig, 'p')).toMatchObject([
      {
        type: 'PodResizePending',
        status: 'True',
        reason: 'Deferred',
        message: "Node didn't have enough resource: cpu, requested: 3000, used: 2000, capacity: 4000",
        observedGeneration: 2,
      },
    ]);
    expect(inForce(rig, 'p')).toEqual({ requests: { cpu: '1' } });
    // It holds one core: another pod of one core fits beside it.
    aPod(rig, 'third', { requests: { cpu: '1' } });
    await rig.advance(10_000);
    expect(rig.pod('third')?.status?.phase).toBe('Running');
    rig.deletePod('third', 1);
    rig.deletePod('other', 1);
    await rig.advance(20_000);
    expect(inForce(rig, 'p')).toEqual({ requests: { cpu: '3' } });
    expect(resizeConditions(rig, 'p')).toEqual([]);
  });

  it('that is taken back leaves nothing behind', async () => {
    const rig = await aRig();
    aPod(rig, 'p', { requests: { cpu: '1' } });
    await rig.advance(20_000);
    resize(rig, 'p', { requests: { cpu: '40' } });
    await rig.advance(10_000);
    expect(resizeConditions(rig, 'p')).toHaveLength(1);
    resize(rig, 'p', { requests: { cpu: '1' } });
    await rig.advance(10_000);
    expect(resizeConditions(rig, 'p')).toEqual([]);
    expect(eventTexts(rig).some((text) => text.includes('ResizeStarted'))).toBe(false);
  });

  it('does not take memory away that is in use', async () => {
    const rig = await aRig();
    const load = { memoryBytes: [{ atMs: 0, value: 300 * 1024 ** 2 }] };
    rig.add(imageProfiles, { metadata: { name: 'hungry' }, spec: { image: 'hungry', sizeBytes: 1_000, load } } as never);
    rig.addPod('p', { containers: [{ name: 'c', image: 'hungry', resources: { limits: { memory: '500Mi' } } }] });
    await rig.advance(20_000);
    resize(rig, 'p', { limits: { memory: '200Mi' } });
    await rig.advance(10_000);
    expect(resizeConditions(rig, 'p')).toMatchObject([
      {
        type: 'PodResizeInProgress',
        reason: 'Error',
        message: 'cannot decrease memory limits: attempting to set container "c" memory limit (209715200) below current usage (314572800)',
      },
    ]);
    expect(restarts(rig, 'p')).toBe(0);
    resize(rig, 'p', { limits: { memory: '400Mi' } });
    await rig.advance(60_000);
    expect(inForce(rig, 'p')).toMatchObject({ limits: { memory: '400Mi' } });
    expect(resizeConditions(rig, 'p')).toEqual([]);
  });

  it('goes on after a restore', async () => {
    const make = async (): Promise<Rig> => {
      const rig = await aRig();
      aPod(rig, 'p', { requests: { cpu: '1' } });
      aPod(rig, 'other', { requests: { cpu: '2' } });
      await rig.advance(20_000);
      resize(rig, 'p', { requests: { cpu: '3' } });
      await rig.advance(5_000);
      return rig;
    };
    const rig = await make();
    const other = new Rig();
    other.takeOver(await make());
    for (const one of [rig, other]) {
      one.deletePod('other', 1);
      await one.advance(60_000);
    }
    expect(other.pod('p')?.status).toEqual(rig.pod('p')?.status);
    expect(inForce(other, 'p')).toEqual({ requests: { cpu: '3' } });
  });
});
