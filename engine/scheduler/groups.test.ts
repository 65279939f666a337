/** Groups of pods. Texts, states and the order of things are those of a real kube-scheduler 1.36 with the gates GenericWorkload and GangScheduling. */
import { expect, test } from 'vitest';
import type { Pod } from '../api/core/v1/types.gen.ts';
import type { PodGroup } from '../api/scheduling/v1alpha2/types.gen.ts';
import type { JsonObject } from '../base/json.ts';
import { podGroups, pods } from '../client/resources.ts';
import { SchedulerBench } from './testing/scheduler-bench.ts';

const gates = { podGroups: true, gangs: true };
const waitText =
  'pod group is unschedulable, waiting for minCount pods from a gang to be scheduled, one or more plugins asked to wait and no plugin rejected pod';
const noRoomText =
  '0/2 nodes are available: 2 Insufficient cpu. no new claims to deallocate, preemption: 0/2 nodes are available: 2 No preemption victims found for incoming pod.';

function group(bench: SchedulerBench, name: string, policy: JsonObject): void {
  bench.putAs(podGroups, name, 'default', { metadata: { name, namespace: 'default' }, spec: { schedulingPolicy: policy } });
}

function member(bench: SchedulerBench, name: string, of: string, cpu: string, spec: JsonObject = {}): void {
  bench.pod(name, { requests: { cpu }, schedulingGroup: { podGroupName: of }, ...spec });
}

function conditionOf(bench: SchedulerBench, name: string): string | undefined {
  return bench.get<Pod>(pods, 'default', name)?.status?.conditions?.find(({ type }) => type === 'PodScheduled')?.message;
}

function groupStateOf(bench: SchedulerBench, name: string): readonly unknown[] {
  return (bench.get<PodGroup>(podGroups, 'default', name)?.status?.conditions ?? []).map(({ type, status, reason, message }) => [
    type,
    status,
    reason,
    message,
  ]);
}

function twoNodes(): SchedulerBench {
  const bench = new SchedulerBench(gates);
  for (const name of ['n1', 'n2']) bench.node(name, { allocatable: { cpu: '2' } });
  return bench;
}

test('a gang waits for its group, then for enough pods, and comes all at once', async () => {
  const bench = twoNodes();
  for (const name of ['a', 'b']) member(bench, name, 'g', '1');
  await bench.advance(1000);
  expect(bench.decisions).toEqual([]);
  group(bench, 'g', { gang: { minCount: 3 } });
  await bench.advance(1000);
  expect(bench.decisions).toEqual([]);
  member(bench, 'c', 'g', '1');
  await bench.advance(1000);
  expect(['a', 'b', 'c'].map((name) => bench.nodeOf(name) !== undefined)).toEqual([true, true, true]);
  expect(groupStateOf(bench, 'g')).toEqual([['PodGroupScheduled', 'True', 'Scheduled', '']]);
});

test('of a gang that does not fit no pod is bound, and each says why; it comes as soon as there is room', async () => {
  const bench = twoNodes();
  group(bench, 'g', { gang: { minCount: 3 } });
  for (const name of ['a', 'b', 'c']) member(bench, name, 'g', '1100m');
  await bench.advance(500);
  expect(['a', 'b', 'c'].map((name) => conditionOf(bench, name)).sort()).toEqual([noRoomText, waitText, waitText]);
  expect(['a', 'b', 'c'].map((name) => bench.nodeOf(name))).toEqual([undefined, undefined, undefined]);
  expect(groupStateOf(bench, 'g')).toEqual([['PodGroupScheduled', 'False', 'Unschedulable', 'pod group is unschedulable']]);
  bench.node('n3', { allocatable: { cpu: '2' } });
  await bench.advance(200);
  expect(['a', 'b', 'c'].map((name) => bench.nodeOf(name)).sort()).toEqual(['n1', 'n2', 'n3']);
  expect(groupStateOf(bench, 'g')).toEqual([['PodGroupScheduled', 'True', 'Scheduled', '']]);
});

test('pods beyond minCount wait for room alone, and what was scheduled stays so', async () => {
  const bench = twoNodes();
  group(bench, 'g', { gang: { minCount: 3 } });
  for (const name of ['a', 'b', 'c', 'd', 'e']) member(bench, name, 'g', '1');
  await bench.advance(500);
  const waiting = ['a', 'b', 'c', 'd', 'e'].filter((name) => bench.nodeOf(name) === undefined);
  expect(waiting.map((name) => conditionOf(bench, name))).toEqual([noRoomText]);
  expect(groupStateOf(bench, 'g')).toEqual([['PodGroupScheduled', 'True', 'Scheduled', '']]);
});

test('a gang preempts, and its pods are promised the places of those who go', async () => {
  const bench = twoNodes();
  for (const name of ['v1', 'v2']) bench.pod(name, { requests: { cpu: '1500m' }, terminationGracePeriodSeconds: 30 });
  await bench.advance(500);
  group(bench, 'g', { gang: { minCount: 2 } });
  for (const name of ['a', 'b']) member(bench, name, 'g', '1100m', { priority: 1000 });
  await bench.advance(300);
  expect(['a', 'b'].map((name) => conditionOf(bench, name))).toEqual([
    '0/2 nodes are available: 2 Insufficient cpu.',
    '0/2 nodes are available: 2 Insufficient cpu.',
  ]);
  expect(['a', 'b'].map((name) => bench.get<Pod>(pods, 'default', name)?.status?.nominatedNodeName).sort()).toEqual(['n1', 'n2']);
  expect(groupStateOf(bench, 'g')).toEqual([
    ['PodGroupScheduled', 'False', 'Unschedulable', 'pod group is unschedulable, pod group is waiting for preemption to complete'],
  ]);
});

test('pods of a basic group are tried together and bound as they fit', async () => {
  const bench = twoNodes();
  group(bench, 'g', { basic: {} });
  for (const [name, cpu] of [
    ['a', '1500m'],
    ['b', '1500m'],
    ['c', '1500m'],
  ] as const)
    member(bench, name, 'g', cpu);
  await bench.advance(500);
  expect(['a', 'b', 'c'].filter((name) => bench.nodeOf(name) !== undefined)).toHaveLength(2);
});

test('without the gates groups mean nothing', async () => {
  const bench = new SchedulerBench();
  bench.node('n1');
  member(bench, 'a', 'g', '1');
  await bench.advance(500);
  expect(bench.nodeOf('a')).toBe('n1');
});
