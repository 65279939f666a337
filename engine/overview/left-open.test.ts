import { expect, test } from 'vitest';
import type { Node, Pod } from '../api/core/v1/types.gen.ts';
import { Slots } from '../base/slots.ts';
import { LeftOpen } from './left-open.ts';

const running = (ready: 'True' | 'False', startedAt = '2026-01-01T00:00:05Z'): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a', namespace: 'default' },
  spec: { nodeName: 'n', containers: [] },
  status: {
    phase: 'Running',
    conditions: [{ type: 'Ready', status: ready, reason: ready === 'True' ? '' : 'ContainersNotReady', lastTransitionTime: '2026-01-01T00:00:00Z' }],
    containerStatuses: [{ name: 'c', image: 'i', imageID: '', ready: ready === 'True', restartCount: 0, state: { running: { startedAt } } }],
  },
});
const pending: Pod = { ...running('False'), status: { phase: 'Pending' } };
const node = (status: 'True' | 'False' | 'Unknown'): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n' },
  status: { conditions: [{ type: 'Ready', status }] },
});

function newCount() {
  const counts: Record<string, number> = {};
  const leftOpen = new LeftOpen((state, by) => {
    counts[state] = (counts[state] ?? 0) + by;
    if (counts[state] === 0) delete counts[state];
  });
  return { counts, leftOpen };
}

test('pods that are on their way are counted as troubled or stuck while their node is silent, and as they are once it speaks', () => {
  const { counts, leftOpen } = newCount();
  leftOpen.onNode('n', node('True'), 0);
  for (const pod of [running('False'), running('True'), pending]) leftOpen.onPod(undefined, pod, 0);
  expect(counts).toEqual({ Starting: 1, Running: 1, Pending: 1 });
  leftOpen.onNode('n', node('Unknown'), 1);
  expect(counts).toEqual({ Troubled: 2, Stuck: 1 });
  // What a pod becomes meanwhile is counted as its node lets it be.
  leftOpen.onPod(pending, running('False'), 2);
  expect(counts).toEqual({ Troubled: 3 });
  leftOpen.onNode('n', node('True'), 3);
  expect(counts).toEqual({ Starting: 2, Running: 1 });
});

test('one that says itself that it is not ready leaves those that are ready as they are; one that is gone none', () => {
  const { counts, leftOpen } = newCount();
  leftOpen.onNode('n', node('False'), 0);
  for (const pod of [running('False'), running('True')]) leftOpen.onPod(undefined, pod, 0);
  expect(counts).toEqual({ Troubled: 1, Running: 1 });
  leftOpen.onNode('n', undefined, 1);
  expect(counts).toEqual({ Troubled: 2 });
  for (const pod of [running('False'), running('True')]) leftOpen.onPod(pod, undefined, 2);
  expect(counts).toEqual({});
});

test('a pod without a node is as it is itself; one that is bound counts with its node from then on', () => {
  const { counts, leftOpen } = newCount();
  const waiting: Pod = { ...pending, spec: { containers: [] } };
  leftOpen.onPod(undefined, waiting, 0);
  expect(counts).toEqual({ Pending: 1 });
  leftOpen.onPod(waiting, pending, 1);
  expect(counts).toEqual({ Stuck: 1 });
});

test('it is saved as it is', () => {
  const { leftOpen } = newCount();
  leftOpen.onNode('n', node('Unknown'), 0);
  leftOpen.onPod(undefined, running('False'), 0);
  const before = new Slots();
  leftOpen.keepIn(before);
  const saved = JSON.parse(JSON.stringify(before.save()));
  const { counts, leftOpen: restored } = newCount();
  const after = new Slots();
  restored.keepIn(after);
  after.restore(saved, 'overview');
  restored.onNode('n', node('True'), 1);
  expect(counts).toEqual({ Troubled: -1, Starting: 1 });
});
