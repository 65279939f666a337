import { expect, test } from 'vitest';
import type { Event } from '../api/core/v1/types.gen.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { JsonValue } from '../base/json.ts';
import type { Client } from './client.ts';
import { CorrelatingRecorder } from './correlating-recorder.ts';

const pod: KubeObject = { apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'x', name: 'p', uid: 'u' } };

function setUp() {
  const clock = { ms: 1000 };
  const created: Event[] = [];
  const patched: JsonValue[] = [];
  const client = {
    because: () => client,
    create: (_type: unknown, event: Event) => Promise.resolve(created.push(event)),
    patch: (_type: unknown, _namespace: string, _name: string, _how: string, patch: JsonValue) => Promise.resolve(patched.push(patch)),
  } as unknown as Client;
  const make = () => new CorrelatingRecorder({ loop: { nowMs: () => clock.ms, track: () => undefined }, client, component: 'test' });
  return { clock, created, patched, make };
}

/** Writes of one Event wait for each other. */
const written = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('the same event again raises the count, also after a restore', async () => {
  const { created, patched, make } = setUp();
  const recorder = make();
  recorder.event(pod, 'Normal', 'Made', 'm', []);
  recorder.event(pod, 'Normal', 'Made', 'm', []);
  await written();
  const restored = make();
  restored.slots.restore(JSON.parse(JSON.stringify(recorder.slots.save())), 'recorder');
  restored.event(pod, 'Normal', 'Made', 'm', []);
  await written();
  expect(created.length).toBe(1);
  expect(patched).toMatchObject([{ count: 2 }, { count: 3 }]);
});

test('the tenth similar event and those after it are one', async () => {
  const { created, patched, make } = setUp();
  const recorder = make();
  for (let i = 1; i <= 12; i++) recorder.event(pod, 'Normal', 'Made', `m${i}`, []);
  await written();
  expect(created.map((event) => event.message).slice(8)).toEqual(['m9', '(combined from similar events): m10']);
  expect(patched).toMatchObject([{ count: 2 }, { count: 3, message: '(combined from similar events): m12' }]);
  expect(new Set(created.map((event) => event.metadata.name)).size).toBe(created.length);
});

test('an object has 25 events at once and no more', async () => {
  const { created, patched, make } = setUp();
  const recorder = make();
  for (let i = 0; i < 40; i++) recorder.event(pod, 'Normal', `Reason${i}`, 'm', []);
  await written();
  expect([created.length, patched.length]).toEqual([25, 0]);
});

test('similar events of ten minutes ago do not count, and what was told two hours ago is told anew', async () => {
  const { clock, created, patched, make } = setUp();
  const recorder = make();
  for (let i = 1; i <= 9; i++) recorder.event(pod, 'Normal', 'Made', `m${i}`, []);
  clock.ms += 601_000;
  recorder.event(pod, 'Normal', 'Made', 'm10', []);
  recorder.event(pod, 'Normal', 'Made', 'm3', []);
  await written();
  expect(created.map((event) => event.message).at(-1)).toBe('m10');
  expect(patched).toMatchObject([{ count: 2, message: 'm3' }]);
  clock.ms += 7_201_000;
  recorder.event(pod, 'Normal', 'Made', 'm3', []);
  await written();
  expect([created.length, patched.length]).toEqual([11, 1]);
});

test('different sorts and objects are told apart', async () => {
  const { created, patched, make } = setUp();
  const recorder = make();
  recorder.event(pod, 'Normal', 'Made', 'm', []);
  recorder.event(pod, 'Warning', 'Made', 'm', []);
  recorder.event(pod, 'Normal', 'Made', 'm', [], { fieldPath: 'spec.containers{c}' });
  recorder.event({ ...pod, metadata: { ...pod.metadata, uid: 'v' } }, 'Normal', 'Made', 'm', []);
  await written();
  expect([created.length, patched.length]).toEqual([4, 0]);
});

test('an Event is counted up only when it is there, and one for many has no reporting component', async () => {
  const order: string[] = [];
  let arrive = (): void => {};
  const client = {
    because: () => client,
    create: (_type: unknown, { reportingComponent }: Event) => {
      order.push(`create ${reportingComponent}`);
      return new Promise<void>((resolve) => (arrive = resolve));
    },
    patch: () => Promise.resolve(order.push('patch')),
  } as unknown as Client;
  const recorder = new CorrelatingRecorder({ loop: { nowMs: () => 1000, track: () => undefined }, client, component: 'test' });
  for (let i = 1; i <= 11; i++) recorder.event(pod, 'Normal', 'Made', `m${i}`, []);
  await written();
  expect(order.slice(8)).toEqual(['create test', 'create ']);
  arrive();
  await written();
  expect(order.slice(10)).toEqual(['patch']);
});
