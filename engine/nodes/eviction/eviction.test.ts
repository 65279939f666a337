import { describe, expect, it } from 'vitest';
import { diskFull, memoryShort, pidsShort } from '../../base/fault-points.ts';
import type { JsonObject } from '../../base/json.ts';
import { nodes } from '../../client/resources.ts';
import { imageProfiles } from '../kubelets.ts';
import { Rig } from '../testing/rig.ts';
import type { EvictionOptions } from '../context.ts';
import { defaultEviction } from './manager.ts';
import { parseThresholds } from '../../component-helpers/eviction-thresholds.ts';

const mebi = 1024 ** 2;
const gibi = 1024 ** 3;

const standard: EvictionOptions = { ...defaultEviction, hard: 'memory.available<100Mi,nodefs.available<10%,pid.available<10%' };

async function aRig(eviction: Partial<EvictionOptions> = {}, capacity: Record<string, string> = {}): Promise<Rig> {
  const rig = new Rig({ eviction: { ...standard, ...eviction } });
  await rig.startPool({ count: 1, capacity });
  rig.clear();
  return rig;
}

/** An image that uses so much memory, from `atMs` on. */
function uses(rig: Rig, name: string, load: JsonObject): void {
  rig.add(imageProfiles, { metadata: { name }, spec: { image: name, sizeBytes: 1_000_000, load } } as never);
}

function steady(bytes: number, atMs = 0): JsonObject {
  return {
    memoryBytes: [
      { atMs: 0, value: mebi },
      { atMs, value: mebi },
      { atMs, value: bytes },
    ],
  };
}

function aPod(rig: Rig, name: string, image: string, memory: string | undefined, more: JsonObject = {}): void {
  const resources = memory === undefined ? {} : { requests: { memory } };
  rig.addPod(name, { containers: [{ name: 'c', image, resources }], ...more });
}

function conditionOf(rig: Rig, type: string): string | undefined {
  return rig.mustGet(nodes, undefined, 'pool-0').status?.conditions?.find((one) => one.type === type)?.status;
}

const reasonsOf = (rig: Rig, ...names: string[]): (string | undefined)[] => names.map((name) => rig.pod(name)?.status?.reason);

describe('eviction for lack of memory', () => {
  it('ends first who uses most beyond its request, and stops when there is enough again', async () => {
    const rig = await aRig({}, { memory: '4Gi' });
    uses(rig, 'hungry', steady(2 * gibi, 60_000));
    uses(rig, 'modest', steady(gibi, 60_000));
    aPod(rig, 'greedy', 'hungry', '1Gi');
    aPod(rig, 'small', 'modest', '900Mi');
    aPod(rig, 'fair', 'modest', '1100Mi');
    await rig.advance(100_000);
    expect(reasonsOf(rig, 'greedy', 'small', 'fair')).toEqual(['Evicted', undefined, undefined]);
    expect(rig.events.find(({ text }) => text.startsWith('Warning Evicted'))?.annotations).toEqual({
      offending_containers: 'c',
      offending_containers_usage: expect.stringMatching(/^\d+(?:Ki|Mi|Gi)?$/),
      starved_resource: 'memory',
    });
    expect(rig.pod('greedy')?.status).toMatchObject({
      phase: 'Failed',
      message:
        'The node was low on resource: memory. Threshold quantity: 100Mi, available: 0. Container c was using 2Gi, request is 1Gi, has larger consumption of memory. ',
    });
    expect(rig.pod('greedy')?.status?.conditions?.find(({ type }) => type === 'DisruptionTarget')).toMatchObject({
      status: 'True',
      reason: 'TerminationByKubelet',
    });
    expect(rig.pod('fair')?.status?.phase).toBe('Running');
    const texts = rig.events.map(({ text }) => text);
    expect(texts).toContain('Warning EvictionThresholdMet Attempting to reclaim memory');
    expect(texts).toContain('Normal NodeHasInsufficientMemory Node pool-0 status is now: NodeHasInsufficientMemory');
  });

  it('spares higher priorities among those above their request, and those below it', async () => {
    const rig = await aRig({}, { memory: '2Gi' });
    uses(rig, 'modest', steady(600 * mebi, 60_000));
    aPod(rig, 'important', 'modest', '100Mi', { priority: 1000 });
    aPod(rig, 'usual', 'modest', '200Mi');
    aPod(rig, 'guarded', 'modest', '700Mi');
    await rig.advance(100_000);
    expect(reasonsOf(rig, 'important', 'usual', 'guarded')).toEqual([undefined, 'Evicted', undefined]);
  });

  it('keeps the condition for the transition period, and refuses BestEffort pods meanwhile', async () => {
    const rig = await aRig();
    aPod(rig, 'p', 'nginx', undefined);
    await rig.advance(20_000);
    rig.strike('x', 'pool-0', memoryShort);
    await rig.advance(30_000);
    expect(conditionOf(rig, 'MemoryPressure')).toBe('True');
    expect(rig.pod('p')?.status?.reason).toBe('Evicted');
    rig.points.heal('x', []);
    aPod(rig, 'late', 'nginx', undefined);
    await rig.advance(60_000);
    expect(rig.pod('late')?.status).toMatchObject({ reason: 'Evicted', message: 'Pod was rejected: The node had condition: [MemoryPressure]. ' });
    expect(conditionOf(rig, 'MemoryPressure')).toBe('True');
    await rig.advance(300_000);
    expect(conditionOf(rig, 'MemoryPressure')).toBe('False');
    expect(rig.events.map(({ text }) => text)).toContain('Normal NodeHasSufficientMemory Node pool-0 status is now: NodeHasSufficientMemory');
  });

  it('sees what comes to a machine on which nothing pressed for long, and what its programs come to use', async () => {
    const rig = await aRig({}, { memory: '4Gi' });
    rig.add(imageProfiles, { metadata: { name: 'web' }, spec: { image: 'web', sizeBytes: 1_000_000 } } as never);
    aPod(rig, 'quiet', 'web', undefined);
    uses(rig, 'hungry', steady(5 * gibi));
    await rig.advance(120_000);
    aPod(rig, 'late', 'hungry', undefined);
    await rig.advance(30_000);
    expect(reasonsOf(rig, 'late', 'quiet')).toEqual(['Evicted', undefined]);
    await rig.advance(600_000);
    expect(conditionOf(rig, 'MemoryPressure')).toBe('False');
    rig.change(imageProfiles, undefined, 'web', (one) => ({ ...one, spec: { ...one.spec, load: steady(5 * gibi) } }));
    await rig.advance(30_000);
    expect(reasonsOf(rig, 'quiet')).toEqual(['Evicted']);
  });

  it('ends one pod after the other', async () => {
    const rig = await aRig({ hard: '', soft: 'memory.available<1Gi', softGracePeriod: 'memory.available=1m', maxPodGraceSeconds: 25 });
    rig.add(imageProfiles, { metadata: { name: 'deaf' }, spec: { image: 'deaf', sizeBytes: 1_000_000, ignoresTerm: true } } as never);
    for (const name of ['a', 'b']) aPod(rig, name, 'deaf', undefined);
    await rig.advance(20_000);
    rig.strike('x', 'pool-0', memoryShort);
    const evicted = (): number => rig.events.filter(({ text }) => text.startsWith('Warning Evicted')).length;
    await rig.advance(90_000);
    expect(evicted()).toBe(1);
    await rig.advance(30_000);
    expect(evicted()).toBe(2);
  });

  it('looks after memory before disk', async () => {
    const rig = await aRig({ hard: 'nodefs.available<10%,memory.available<100Mi' });
    aPod(rig, 'p', 'nginx', undefined);
    await rig.advance(20_000);
    rig.strike('x', 'pool-0', diskFull);
    rig.strike('y', 'pool-0', memoryShort);
    await rig.advance(30_000);
    expect(rig.pod('p')?.status?.message).toContain('The node was low on resource: memory.');
  });

  it('never ends critical pods', async () => {
    const rig = await aRig();
    aPod(rig, 'critical', 'nginx', undefined, { priority: 2_000_000_000 });
    await rig.advance(20_000);
    rig.strike('x', 'pool-0', memoryShort);
    await rig.advance(120_000);
    expect(rig.pod('critical')?.status?.phase).toBe('Running');
  });

  it('waits out the grace period of a soft threshold, and lets the pod have its own', async () => {
    const rig = await aRig(
      { hard: '', soft: 'memory.available<1Gi', softGracePeriod: 'memory.available=1m', maxPodGraceSeconds: 20 },
      { memory: '4Gi' },
    );
    uses(rig, 'hungry', steady(3 * gibi));
    aPod(rig, 'p', 'hungry', '1Gi');
    await rig.advance(50_000);
    expect(conditionOf(rig, 'MemoryPressure')).toBe('True');
    expect(rig.pod('p')?.status?.phase).toBe('Running');
    await rig.advance(60_000);
    expect(rig.pod('p')?.status?.reason).toBe('Evicted');
  });

  it('goes on until the minimum is reclaimed', async () => {
    const rig = await aRig({ minimumReclaim: 'memory.available=900Mi' }, { memory: '2Gi' });
    uses(rig, 'modest', steady(550 * mebi, 60_000));
    for (const name of ['a', 'b', 'c']) aPod(rig, name, 'modest', '10Mi');
    await rig.advance(120_000);
    expect(reasonsOf(rig, 'a', 'b', 'c').filter((reason) => reason === 'Evicted')).toHaveLength(2);
  });

  it('is the same after a restore in its midst', async () => {
    const make = async (): Promise<Rig> => {
      const rig = await aRig();
      for (const name of ['a', 'b', 'c']) aPod(rig, name, 'nginx', undefined);
      await rig.advance(20_000);
      rig.strike('x', 'pool-0', memoryShort);
      await rig.advance(13_000);
      return rig;
    };
    const rig = await make();
    const other = new Rig({ eviction: standard });
    other.takeOver(await make());
    for (const one of [rig, other]) await one.advance(60_000);
    for (const name of ['a', 'b', 'c']) expect(other.pod(name)?.status).toEqual(rig.pod(name)?.status);
    expect(reasonsOf(rig, 'a', 'b', 'c')).toEqual(['Evicted', 'Evicted', 'Evicted']);
  });
});

describe('eviction for lack of disk and process numbers', () => {
  it('removes unused images first', async () => {
    const rig = await aRig({}, { 'ephemeral-storage': '10Gi' });
    rig.add(imageProfiles, { metadata: { name: 'huge' }, spec: { image: 'huge', sizeBytes: 1.5 * gibi } } as never);
    uses(rig, 'writer', {
      diskBytes: [
        { atMs: 0, value: 0 },
        { atMs: 200_000, value: 0 },
        { atMs: 200_000, value: 3 * gibi },
      ],
    });
    aPod(rig, 'once', 'huge', undefined, { restartPolicy: 'Never' });
    aPod(rig, 'writes', 'writer', undefined);
    await rig.advance(100_000);
    expect(rig.mustGet(nodes, undefined, 'pool-0').status?.images?.some(({ names }) => names?.some((name) => name.includes('huge')))).toBe(true);
    rig.deletePod('once', 0);
    await rig.advance(200_000);
    expect(rig.mustGet(nodes, undefined, 'pool-0').status?.images?.some(({ names }) => names?.some((name) => name.includes('huge')))).toBe(false);
    expect(rig.pod('writes')?.status?.phase).toBe('Running');
  });

  it('ends pods while the disk is full', async () => {
    const rig = await aRig();
    aPod(rig, 'p', 'nginx', undefined);
    await rig.advance(20_000);
    rig.strike('x', 'pool-0', diskFull);
    await rig.advance(30_000);
    expect(conditionOf(rig, 'DiskPressure')).toBe('True');
    expect(rig.pod('p')?.status?.message).toMatch(
      /^The node was low on resource: ephemeral-storage\. Threshold quantity: 10Gi, available: 0\. Container c was using \d+, request is 0, has larger/,
    );
  });

  it('ends a pod that has written more than it may', async () => {
    const rig = await aRig();
    uses(rig, 'writer', { diskBytes: [{ atMs: 0, value: 50 * mebi }] });
    rig.addPod('p', { containers: [{ name: 'c', image: 'writer', resources: { limits: { 'ephemeral-storage': '20Mi' } } }] });
    await rig.advance(30_000);
    expect(rig.pod('p')?.status).toMatchObject({
      phase: 'Failed',
      reason: 'Evicted',
      message: 'Pod ephemeral local storage usage exceeds the total limit of containers 20Mi. ',
    });
  });

  it('ends pods of the lowest priority when process numbers run short', async () => {
    const rig = await aRig();
    aPod(rig, 'low', 'nginx', undefined, { priority: -5 });
    aPod(rig, 'high', 'nginx', undefined, { priority: 5 });
    await rig.advance(20_000);
    rig.strike('x', 'pool-0', pidsShort);
    await rig.advance(30_000);
    expect(conditionOf(rig, 'PIDPressure')).toBe('True');
    const evicted = rig.events.filter(({ text }) => text.startsWith('Warning Evicted')).map(({ object }) => object);
    expect(evicted).toEqual(['Pod default/low', 'Pod default/high']);
  });
});

describe('images nobody uses', () => {
  it('are told of when what they free is not enough, and once more when it fails again', async () => {
    const rig = await aRig({ hard: '', imageGcHighPercent: 20, imageGcLowPercent: 10 }, { 'ephemeral-storage': '12Gi' });
    rig.add(imageProfiles, { metadata: { name: 'big' }, spec: { image: 'big', sizeBytes: 2 * gibi } } as never);
    aPod(rig, 'big', 'big', undefined);
    await rig.advance(400_000);
    const told = (): readonly string[] => rig.events.map(({ text }) => text).filter((text) => /FreeDiskSpaceFailed|ImageGCFailed/.test(text));
    const message =
      "Insufficient free disk space on the node's image filesystem (67% of 12.0 GiB used). Failed to free sufficient space by deleting unused images (freed 0 bytes). Investigate disk usage, as it could be used by active images, logs, volumes, or other data.";
    expect(told()).toEqual([`Warning FreeDiskSpaceFailed ${message}`]);
    await rig.advance(300_000);
    expect(told()).toContain(`Warning ImageGCFailed ${message}`);
  });

  /** A pod of the image ends and goes. */
  const useImage = async (rig: Awaited<ReturnType<typeof aRig>>, name: string): Promise<void> => {
    rig.add(imageProfiles, { metadata: { name }, spec: { image: name, sizeBytes: gibi, exitAfterMs: 1_000 } } as never);
    aPod(rig, name, name, undefined, { restartPolicy: 'Never' });
    await rig.advance(60_000);
    rig.deletePod(name, 0);
  };
  const imagesHeld = (rig: Awaited<ReturnType<typeof aRig>>): string =>
    (rig.mustGet(nodes, undefined, 'pool-0').status?.images ?? []).flatMap((image) => image.names ?? []).join();

  it('go when the disk is fuller than the high threshold, the longest unused first, down to the low one', async () => {
    const rig = await aRig({ hard: '' }, { 'ephemeral-storage': '12Gi' });
    for (const name of ['one', 'two', 'three']) await useImage(rig, name);
    await rig.advance(600_000);
    const names = imagesHeld(rig);
    expect(names).not.toContain('library/one:latest');
    expect(names).toContain('library/three:latest');
  });

  it('go above a low threshold though more than half of the disk is free', async () => {
    const rig = await aRig({ hard: '', imageGcHighPercent: 10, imageGcLowPercent: 5 }, { 'ephemeral-storage': '40Gi' });
    await useImage(rig, 'one');
    await rig.advance(900_000);
    expect(imagesHeld(rig)).not.toContain('library/one:latest');
  });

  it('stay below the high threshold, however far above the low one', async () => {
    const rig = await aRig({ hard: '', imageGcHighPercent: 100, imageGcLowPercent: 1 });
    await useImage(rig, 'one');
    await rig.advance(900_000);
    expect(imagesHeld(rig)).toContain('library/one:latest');
  });
});

describe('thresholds', () => {
  it.each([
    ['memory.available', 'invalid eviction threshold syntax memory.available, expected <signal><<value>'],
    ['cpu.available<5%', 'unsupported eviction signal cpu.available'],
    ['memory.available<120%', 'eviction percentage threshold memory.available must be >= 0% and <= 100%: 120%'],
    ['memory.available<lots', "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
  ])('%s is none', (hard, message) => {
    expect(() => parseThresholds({ hard, soft: '', softGracePeriod: '', minimumReclaim: '' })).toThrow(message);
  });

  it('that are soft need a grace period', () => {
    expect(() => parseThresholds({ hard: '', soft: 'memory.available<1Gi', softGracePeriod: '', minimumReclaim: '' })).toThrow(
      'grace period must be specified for the soft eviction threshold memory.available',
    );
  });
});
