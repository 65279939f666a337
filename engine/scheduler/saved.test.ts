import { expect, test } from 'vitest';
import type { Pod } from '../api/core/v1/types.gen.ts';
import type { JsonValue } from '../base/json.ts';
import type { Profile } from './profile.ts';
import { SchedulingQueue } from './queue.ts';
import { mapOf } from '../base/codecs.ts';
import { restorePods, savedPod, savePods } from './saved.ts';

const profile = { schedulerName: 'default-scheduler', entries: [], at: { queueSort: [], preEnqueue: [] } } as unknown as Profile;
const profiles = new Map([[profile.schedulerName, profile]]);
const pods = ['a', 'b', 'c'].map(
  (name): Pod => ({ apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'x', name, uid: name }, spec: { containers: [] } }) as unknown as Pod,
);

function newQueue(): SchedulingQueue {
  return new SchedulingQueue({ profiles, initialBackoffMs: 0, maxBackoffMs: 0, stayMs: 300_000, nowMs: () => 1_000 });
}

function restored(queue: SchedulingQueue): SchedulingQueue {
  const codec = mapOf(savedPod);
  const data = JSON.parse(JSON.stringify(codec.encode(savePods(queue, profiles, () => false)))) as JsonValue;
  const made = newQueue();
  restorePods(codec.decode(data, 'scheduler.queue'), made, profiles, (_namespace, name) => pods.find(({ metadata }) => metadata.name === name));
  return made;
}

function namesInTurn(queue: SchedulingQueue): readonly string[] {
  queue.move({ resource: '*', action: 0 } as never, []);
  const names: string[] = [];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) names.push(next.info.pod.metadata.name ?? '');
  return names;
}

test('pods that wait for a change are looked at in the same order after a restore', () => {
  const queue = newQueue();
  for (const pod of pods) queue.add(pod, profile, ['rev:1']);
  const popped = pods.map(() => queue.pop());
  // The first to come is the last to be turned away.
  for (const index of [2, 1, 0]) {
    const queued = popped[index];
    if (queued !== undefined) queue.putBack(queued, queued.info.pod, ['Plugin']);
  }
  const copy = restored(queue);
  const names = namesInTurn(queue);
  expect(names).toEqual(['c', 'b', 'a']);
  expect(namesInTurn(copy)).toEqual(names);
});

test('a pod is restored with all that is known of it', () => {
  const queue = newQueue();
  for (const pod of pods) queue.add(pod, profile, ['rev:1', 'rev:2']);
  const first = queue.pop();
  if (first !== undefined) queue.putBack(first, first.info.pod, []);
  const plain = (of: SchedulingQueue) => [...of.values()].map(({ info, ...rest }) => ({ name: info.pod.metadata.name, ...rest }));
  expect(plain(restored(queue))).toEqual(plain(queue));
});
