/** Resizes of pods that ask for resources as a whole. */
import { describe, expect, it } from 'vitest';
import type { PodCondition } from '../../api/core/v1/types.gen.ts';
import type { JsonObject } from '../../base/json.ts';
import { pods } from '../../client/resources.ts';
import { imageProfiles } from '../kubelets.ts';
import { Rig } from '../testing/rig.ts';

const whole = (cpu: string, memory: string): JsonObject => ({ requests: { cpu, memory }, limits: { cpu, memory } });

async function aRig(resources: JsonObject, more: JsonObject = {}): Promise<Rig> {
  const rig = new Rig();
  await rig.startPool({ count: 1, capacity: { cpu: '4', memory: '8Gi' } });
  const load = { memoryBytes: [{ atMs: 0, value: 300 * 1024 ** 2 }] };
  rig.add(imageProfiles, { metadata: { name: 'hungry' }, spec: { image: 'hungry', sizeBytes: 1_000, load } } as never);
  rig.addPod('p', { resources, containers: [{ name: 'c', image: 'hungry', ...more }] });
  await rig.advance(10_000);
  rig.clear();
  return rig;
}

function resize(rig: Rig, resources: JsonObject): void {
  rig.change(pods, 'default', 'p', (old) => ({ ...old, spec: { ...old.spec, resources } }));
}

function conditions(rig: Rig): readonly Partial<PodCondition>[] {
  return (rig.pod('p')?.status?.conditions ?? []).filter(({ type = '' }) => type.startsWith('PodResize'));
}

describe('a pod that asks for resources as a whole', () => {
  it('says what it holds and has', async () => {
    const rig = await aRig(whole('1', '1Gi'), { resources: { requests: { cpu: '100m', 'ephemeral-storage': '1Gi' } } });
    expect(rig.pod('p')?.status).toMatchObject({
      allocatedResources: { cpu: '1', memory: '1Gi', 'ephemeral-storage': '1Gi' },
      resources: whole('1', '1Gi'),
    });
  });

  it('is resized in steps: allocated, in progress, in force', async () => {
    const rig = await aRig(whole('1', '1Gi'));
    const seen: string[] = [];
    rig.store.watch({
      prefix: '/registry/pods/',
      onChanges: () => {
        const { allocatedResources, resources } = rig.pod('p')?.status ?? {};
        seen.push(`${allocatedResources?.['cpu']} ${resources?.limits?.['cpu']} ${conditions(rig).map(({ type }) => type)}`);
      },
    });
    resize(rig, whole('2', '2Gi'));
    await rig.advance(10_000);
    expect(rig.pod('p')?.status).toMatchObject({ allocatedResources: { cpu: '2', memory: '2Gi' }, resources: whole('2', '2Gi') });
    expect(conditions(rig)).toEqual([]);
    expect(seen.at(-1)).toBe('2 2 ');
    const texts = rig.eventTexts('Pod default/p');
    expect(texts.filter((text) => text.includes('Resize')).map((text) => text.split(' ')[1])).toEqual(['ResizeStarted', 'ResizeCompleted']);
    expect(rig.pod('p')?.status?.containerStatuses?.[0]?.restartCount).toBe(0);
  });

  it('keeps what it has while its node has not more', async () => {
    const rig = await aRig(whole('1', '1Gi'));
    resize(rig, whole('5', '1Gi'));
    await rig.advance(10_000);
    expect(rig.pod('p')?.status).toMatchObject({ allocatedResources: { cpu: '1' }, resources: { limits: { cpu: '1' } } });
    expect(conditions(rig)).toMatchObject([{ type: 'PodResizePending', status: 'True', reason: 'Deferred', observedGeneration: 2 }]);
    rig.addPod('other', { containers: [{ name: 'c', image: 'nginx', resources: { requests: { cpu: '3' } } }] });
    await rig.advance(10_000);
    expect(rig.pod('other')?.status?.phase).toBe('Running');
    resize(rig, whole('1', '1Gi'));
    await rig.advance(5_000);
    expect(conditions(rig)).toEqual([]);
  });

  it('does not lose memory that is in use', async () => {
    const rig = await aRig(whole('1', '1Gi'));
    resize(rig, whole('1', '200Mi'));
    await rig.advance(10_000);
    const message = 'cannot decrease memory limits: attempting to set pod memory limit (209715200) below current usage (314572800)';
    expect(conditions(rig)).toMatchObject([{ type: 'PodResizeInProgress', reason: 'Error', message }]);
    expect(rig.pod('p')?.status).toMatchObject({ allocatedResources: { memory: '200Mi' }, resources: { limits: { memory: '1Gi' } } });
  });

  it('limits containers that have no limit of their own', async () => {
    const rig = await aRig(whole('1', '200Mi'));
    await rig.advance(5_000);
    expect(rig.pod('p')?.status?.containerStatuses?.[0]).toMatchObject({ lastState: { terminated: { reason: 'OOMKilled', exitCode: 137 } } });
  });

  it('restarts those that want that for another limit', async () => {
    const rig = await aRig(whole('1', '1Gi'), { resizePolicy: [{ resourceName: 'memory', restartPolicy: 'RestartContainer' }] });
    resize(rig, whole('2', '1Gi'));
    await rig.advance(10_000);
    expect(rig.eventTexts('Pod default/p')).not.toContain('Normal Killing Container c resize requires restart');
    resize(rig, whole('2', '2Gi'));
    await rig.advance(10_000);
    expect(rig.eventTexts('Pod default/p')).toContain('Normal Killing Container c resize requires restart');
  });

  it('goes on with its resize after a restore', async () => {
    const make = async (): Promise<Rig> => {
      const rig = await aRig(whole('1', '1Gi'));
      resize(rig, whole('3', '2Gi'));
      await rig.advance(100);
      return rig;
    };
    const rig = await make();
    const other = new Rig();
    other.takeOver(await make());
    for (const one of [rig, other]) await one.advance(30_000);
    expect(other.pod('p')?.status).toEqual(rig.pod('p')?.status);
    expect(other.pod('p')?.status?.resources).toEqual(whole('3', '2Gi'));
  });
});
