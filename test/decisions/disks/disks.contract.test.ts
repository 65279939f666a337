/** What a real kube-scheduler 1.13.12 did with pods that have disks of clouds, and what ours does. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Pod } from '../../../engine/api/core/v1/types.gen.ts';
import { nodes, persistentVolumeClaims, persistentVolumes, pods, storageClasses } from '../../../engine/client/resources.ts';
import { gatesOfPolicy, policyOfProvider } from '../../../engine/scheduler/policy/policy.ts';
import { SchedulerBench } from '../../../engine/scheduler/testing/scheduler-bench.ts';
import { diskCases, type DiskFact } from './cases.ts';
import { objectsOf } from './objects.ts';

const facts = JSON.parse(readFileSync(new URL('facts.json', import.meta.url), 'utf8')) as readonly DiskFact[];
const standard = new Set(['TaintNodesByCondition', 'AttachVolumeLimit']);

test('every case is recorded', () => {
  expect(facts.map(({ name }) => name)).toEqual(diskCases.map(({ name }) => name));
});

test.each(diskCases)('$name', async (one) => {
  const isOn = (gate: string): boolean =>
    one.gates?.includes(`${gate}=true`) === true || (standard.has(gate) && one.gates?.includes(`${gate}=false`) !== true);
  const bench = new SchedulerBench({
    policy: policyOfProvider('DefaultProvider', gatesOfPolicy(isOn)),
    classCache: false,
    percentageOfNodesToScore: 50,
  });
  const made = objectsOf(one);
  for (const node of made.nodes) bench.putAs(nodes, node.metadata.name, undefined, node as never);
  for (const storageClass of made.classes) bench.putAs(storageClasses, storageClass.metadata.name, undefined, storageClass as never);
  for (const volume of made.volumes) bench.putAs(persistentVolumes, volume.metadata.name, undefined, volume as never);
  for (const claim of made.claims)
    bench.putAs(persistentVolumeClaims, claim.metadata.name, 'default', {
      ...claim,
      metadata: { ...claim.metadata, uid: `uid-${claim.metadata.name}` },
    } as never);
  for (const pod of [...made.placed, made.pod]) {
    const spec = { schedulerName: 'default-scheduler', ...(pod['spec'] as object) };
    bench.putAs(pods, pod.metadata.name, 'default', { ...pod, spec, status: { phase: 'Pending' } } as never);
  }
  await bench.advance(900);
  const { spec, status } = bench.get<Pod>(pods, 'default', 'p') as Pod;
  const message = status?.conditions?.find(({ type }) => type === 'PodScheduled')?.message;
  const { name: _, ...wanted } = facts.find(({ name }) => name === one.name) as DiskFact;
  expect(spec?.nodeName === undefined ? { message } : { node: spec.nodeName }).toEqual(wanted);
});
