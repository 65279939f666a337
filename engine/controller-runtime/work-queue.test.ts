import { expect, test } from 'vitest';
import { differences, Slots } from '../base/slots.ts';
import { WorkQueue } from './work-queue.ts';

function setUp() {
  const delays: { delayMs: number; key: string }[] = [];
  const cancelled: number[] = [];
  const host = {
    nowMs: () => 0,
    delay: (delayMs: number, key: string) => delays.push({ delayMs, key }),
    cancelDelay: (timer: number) => void cancelled.push(timer),
    wake: () => undefined,
  };
  const slots = new Slots();
  return { host, delays, cancelled, slots, queue: new WorkQueue(host, slots) };
}

test('a key waits once and carries the causes of all adds', () => {
  const { queue } = setUp();
  queue.add('a', ['rev:1']);
  queue.add('a', ['rev:2']);
  expect(queue.take()).toEqual({ key: 'a', causes: ['rev:1', 'rev:2'] });
  expect(queue.take()).toBeUndefined();
});

test('a key added while it is worked on comes again when that is done', () => {
  const { queue } = setUp();
  queue.add('a', ['rev:1']);
  queue.take();
  queue.add('a', ['rev:2']);
  expect(queue.take()).toBeUndefined();
  queue.done('a');
  expect(queue.take()).toEqual({ key: 'a', causes: ['rev:2'] });
});

test('of two delays of a key the earlier wins', () => {
  const { queue, delays, cancelled } = setUp();
  queue.addAfter('a', 100, ['rev:1']);
  queue.addAfter('a', 200, ['rev:2']);
  expect([delays.length, cancelled]).toEqual([1, []]);
  queue.addAfter('a', 50, ['rev:3']);
  expect(cancelled).toEqual([1]);
  queue.ready('a', []);
  expect(queue.take()?.causes).toEqual(['rev:1', 'rev:2', 'rev:3']);
});

test('back-off begins at 5 ms, doubles, and begins anew when forgotten', () => {
  const { queue, delays } = setUp();
  const fail = (): void => {
    queue.addRateLimited('a', []);
    queue.ready('a', []);
  };
  for (let i = 0; i < 3; i++) fail();
  queue.forget('a');
  fail();
  expect(delays.map(({ delayMs }) => delayMs)).toEqual([5, 10, 20, 5]);
});

test('keys that waited at a checkpoint wake a worker when it is restored; an empty queue wakes nobody', () => {
  const { queue, host, slots: from } = setUp();
  const wakesOf = (saved: Slots): number => {
    let wakes = 0;
    const to = new Slots();
    const restored = new WorkQueue({ ...host, wake: () => void wakes++ }, to);
    to.restore(JSON.parse(JSON.stringify(saved.save())), 'queue');
    expect(restored.processing).toBe(0);
    return wakes;
  };
  expect(wakesOf(from)).toBe(0);
  queue.add('a', ['rev:1']);
  expect(wakesOf(from)).toBe(1);
});

test('a restored queue goes on as the saved one', () => {
  const { queue, host, slots: from } = setUp();
  queue.add('a', ['rev:1']);
  queue.addAfter('b', 100, ['rev:2']);
  queue.addRateLimited('c', []);
  const to = new Slots();
  const restored = new WorkQueue(host, to);
  to.restore(JSON.parse(JSON.stringify(from.save())), 'queue');
  expect(differences(to.save(), from.save())).toEqual([]);
  expect([restored.length, restored.retries('c')]).toEqual([1, 1]);
});
