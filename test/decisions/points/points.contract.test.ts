/** Pods before schedulers whose plugins run at some of their points only: what the real one (1.36.3) told them, and what ours does. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Pod } from '../../../engine/api/core/v1/types.gen.ts';
import { deviceClasses, persistentVolumeClaims, persistentVolumes, pods, resourceClaims, resourceSlices } from '../../../engine/client/resources.ts';
import { SchedulerBench } from '../../../engine/scheduler/testing/scheduler-bench.ts';
import { claimOfDevices, claimOfVolume, deviceClass, nodeNames, nodeOf, podOf, type PointFact, profiles, slice, told, volume } from './world.ts';

const facts = JSON.parse(readFileSync(new URL('facts.json', import.meta.url), 'utf8')) as readonly PointFact[];

async function play(kind: 'plain' | 'rich', schedulerName: string): Promise<string> {
  const bench = new SchedulerBench({ profiles });
  for (const name of nodeNames) {
    const { labels, taints } = nodeOf(name);
    bench.node(name, { labels, spec: { taints } });
  }
  const uid = 'uid-of-claim';
  bench.putAs(persistentVolumeClaims, 'volume', 'default', { ...claimOfVolume, metadata: { ...claimOfVolume.metadata, uid } });
  const { spec, ...rest } = volume;
  bench.putAs(persistentVolumes, 'volume', undefined, { ...rest, spec: { ...spec, claimRef: { ...spec.claimRef, uid } } });
  bench.putAs(deviceClasses, 'gpu', undefined, deviceClass);
  bench.putAs(resourceSlices, 'slice', undefined, slice);
  bench.putAs(resourceClaims, 'devices', 'default', { ...claimOfDevices, metadata: { ...claimOfDevices.metadata, uid: 'uid-of-devices' } });
  bench.pod('p', podOf(kind, schedulerName), { labels: { app: kind } });
  await bench.advance(1000);
  const { spec: placed, status } = bench.get<Pod>(pods, 'default', 'p') ?? {};
  return told(placed?.nodeName, status?.conditions?.find(({ type, status: state }) => type === 'PodScheduled' && state === 'False')?.message);
}

test('the facts tell of every point that may miss something', () => {
  const texts = facts.flatMap(({ plain, rich }) => [plain, rich]);
  for (const part of ['filter plugin', 'Score plugins', 'Reserve plugin', 'PreBindPreFlight'])
    expect(texts.some((text) => text.includes(part))).toBe(true);
});

test.each(facts)('$profile', async (fact) => {
  const { schedulerName = '' } = profiles.find(({ title }) => title === fact.profile) ?? {};
  expect({ profile: fact.profile, plain: await play('plain', schedulerName), rich: await play('rich', schedulerName) }).toEqual(fact);
});
