/** Events as a real kube-scheduler 1.36 wrote them. */
import { expect, test } from 'vitest';
import type { Event } from '../api/events/v1/types.gen.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { JsonValue } from '../base/json.ts';
import type { Client } from './client.ts';
import { SeriesRecorder } from './series-recorder.ts';

const pod: KubeObject = { apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'x', name: 'p', uid: 'u', resourceVersion: '7' } };
const minute = 60_000;

function setUp() {
  const clock = { ms: 1000.25 };
  const created: Event[] = [];
  const patched: JsonValue[] = [];
  const timers: number[] = [];
  const client = {
    because: () => client,
    create: (_type: unknown, event: Event) => Promise.resolve(created.push(event)),
    patch: (_type: unknown, _namespace: string, _name: string, _how: string, patch: JsonValue) => Promise.resolve(patched.push(patch)),
  } as unknown as Client;
  const loop = { nowMs: () => clock.ms, track: () => undefined, setTimer: (_name: string, dueMs: number) => timers.push(dueMs) };
  const make = () => new SeriesRecorder({ loop, client, controller: 'default-scheduler', host: 'h' });
  return { clock, created, patched, timers, make };
}

/** Writes of one Event wait for each other. */
const written = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('an Event says when, who, what was done and what else has to do with it', async () => {
  const { created, make } = setUp();
  const related = { apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'x', name: 'q', uid: 'v' } };
  make().event(pod, 'Normal', 'Preempted', 'm', [], { action: 'Preempting', related });
  await written();
  expect(created).toEqual([
    {
      kind: 'Event',
      apiVersion: 'events.k8s.io/v1',
      metadata: { name: 'p.3b9e9a90', namespace: 'x' },
      eventTime: '1970-01-01T00:00:01.000250Z',
      reportingController: 'default-scheduler',
      reportingInstance: 'default-scheduler-h',
      type: 'Normal',
      action: 'Preempting',
      reason: 'Preempted',
      regarding: { kind: 'Pod', namespace: 'x', name: 'p', uid: 'u', apiVersion: 'v1', resourceVersion: '7' },
      related: { kind: 'Pod', namespace: 'x', name: 'q', uid: 'v', apiVersion: 'v1' },
      note: 'm',
    },
  ]);
});

test('the same of the same revision again makes a series, whatever the note, also after a restore; its count is written when it has ended', async () => {
  const { clock, created, patched, timers, make } = setUp();
  const recorder = make();
  recorder.event(pod, 'Warning', 'FailedScheduling', 'a', [], { action: 'Scheduling' });
  clock.ms = 2000;
  recorder.event(pod, 'Warning', 'FailedScheduling', 'b', [], { action: 'Scheduling' });
  await written();
  const restored = make();
  restored.slots.restore(JSON.parse(JSON.stringify(recorder.slots.save())), 'recorder');
  clock.ms = 3000;
  restored.event(pod, 'Warning', 'FailedScheduling', 'c', [], { action: 'Scheduling' });
  await written();
  expect(created.map(({ note }) => note)).toEqual(['a']);
  expect(patched).toEqual([{ series: { count: 2, lastObservedTime: '1970-01-01T00:00:02.000000Z' } }]);
  expect(timers).toEqual([6 * minute]);
  for (const at of [6, 12]) {
    clock.ms = at * minute;
    restored.onTimer();
    await written();
  }
  expect(patched.slice(1)).toEqual([{ series: { count: 3, lastObservedTime: '1970-01-01T00:00:03.000000Z' } }]);
  restored.event(pod, 'Warning', 'FailedScheduling', 'd', [], { action: 'Scheduling' });
  await written();
  expect(created.map(({ note }) => note)).toEqual(['a', 'd']);
});

test('another revision of the object is another Event', async () => {
  const { created, make } = setUp();
  const recorder = make();
  for (const resourceVersion of ['7', '8'])
    recorder.event({ ...pod, metadata: { ...pod.metadata, resourceVersion } }, 'Warning', 'FailedScheduling', 'a', [], { action: 'Scheduling' });
  await written();
  expect(created).toHaveLength(2);
});
