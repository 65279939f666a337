/** Pods that have a place and wait there until a plugin permits them to be bound. Texts are upstream's. */
import { expect, test } from 'vitest';
import type { Pod } from '../api/core/v1/types.gen.ts';
import { pods } from '../client/resources.ts';
import { definePlugin, type Handle } from './framework/plugin.ts';
import { SchedulerBench } from './testing/scheduler-bench.ts';

interface Held {
  readonly bench: SchedulerBench;
  readonly handle: Handle;
}

/** A scheduler with a plugin that lets pods that name a group wait for a minute. */
function holding(): Held {
  const handles: Handle[] = [];
  const hold = definePlugin({
    name: 'Hold',
    order: 200,
    defaultWeight: 0,
    points: ['Permit'],
    args: {},
    reasons: ['hold'],
    create: (handle) => {
      handles.push(handle);
      return {
        permit: ({ pod }) =>
          pod.spec?.schedulingGroup === undefined ? undefined : { code: 'Wait', plugin: 'Hold', reasons: ['hold'], timeoutMs: 60_000 },
      };
    },
  });
  const bench = new SchedulerBench({}, { plugins: [hold] });
  return { bench, handle: handles[0] as Handle };
}

const held = { requests: { cpu: '3' }, schedulingGroup: { podGroupName: 'g' } };

function podOf(bench: SchedulerBench, name: string): Pod | undefined {
  return bench.get<Pod>(pods, 'default', name);
}

function messageOf(bench: SchedulerBench, name: string): string | undefined {
  return podOf(bench, name)?.status?.conditions?.find(({ type }) => type === 'PodScheduled')?.message;
}

test('a pod that waits holds its place, says where it is about to go, and is turned back when its time is over', async () => {
  const { bench } = holding();
  bench.node('n');
  bench.pod('a', held);
  await bench.advance(1000);
  bench.pod('other', { requests: { cpu: '2' } });
  await bench.advance(1000);
  expect([bench.nodeOf('a'), podOf(bench, 'a')?.status?.nominatedNodeName]).toEqual([undefined, 'n']);
  expect(messageOf(bench, 'other')).toContain('1 Insufficient cpu');
  await bench.advance(59_000);
  expect(messageOf(bench, 'a')).toBe('0/1 nodes are available: 1 rejected due to timeout after waiting 1m0s at plugin Hold.');
  expect(podOf(bench, 'a')?.status?.nominatedNodeName).toBeUndefined();
  expect(bench.nodeOf('other')).toBe('n');
});

test('who goes while it waits gives its place back', async () => {
  const { bench } = holding();
  bench.node('n');
  bench.pod('a', held);
  await bench.advance(1000);
  bench.pod('other', { requests: { cpu: '2' } });
  await bench.advance(1000);
  bench.remove(pods, 'default', 'a');
  await bench.advance(3000);
  expect(bench.nodeOf('other')).toBe('n');
});

test('a more important pod takes the place of one that waits, which is not deleted for it', async () => {
  const { bench } = holding();
  bench.node('n');
  bench.pod('a', held);
  await bench.advance(1000);
  bench.pod('other', { requests: { cpu: '2' }, priority: 100 });
  await bench.advance(3000);
  expect(bench.nodeOf('other')).toBe('n');
  expect(bench.eventTexts().filter((text) => text.includes('Preempted'))).toEqual([
    `Normal Preempted Preempted by pod ${podOf(bench, 'other')?.metadata.uid ?? ''} on node n (in kube-scheduler memory).`,
  ]);
  expect(podOf(bench, 'a')?.metadata.deletionTimestamp).toBeUndefined();
});

test.each(['as it was', 'restored from data'])('a pod that was permitted goes on, %s', async (how) => {
  const first = holding();
  first.bench.node('n');
  first.bench.pod('a', held);
  await first.bench.advance(1000);
  const second = how === 'as it was' ? first : holding();
  if (second !== first) second.bench.takeOver(first.bench);
  await second.bench.advance(20_000);
  expect(second.bench.nodeOf('a')).toBeUndefined();
  second.handle.allow(podOf(second.bench, 'a')?.metadata.uid ?? '', 'Hold');
  await second.bench.advance(1000);
  expect(second.bench.nodeOf('a')).toBe('n');
  expect(second.bench.bound).toEqual([
    'default/a: Reserve VolumeBinding Success, Reserve DynamicResources Success, Permit Hold Wait, PreBind VolumeBinding Skip, PreBind DynamicResources Skip, Bind DefaultBinder Success',
  ]);
});

test('the record of a pod that was turned back says who let it pass before', async () => {
  const { bench } = holding();
  bench.node('n');
  bench.pod('a', held);
  await bench.advance(61_000);
  expect(bench.decisions.at(-1)).toMatchObject({
    result: 'unschedulable',
    placed: [
      { point: 'Reserve', plugin: 'VolumeBinding', verdict: 'Success' },
      { point: 'Reserve', plugin: 'DynamicResources', verdict: 'Success' },
      { point: 'Permit', plugin: 'Hold', verdict: 'Wait' },
    ],
  });
});
