/** Pacing in wall time that a test gives. */
import { expect, it, vi } from 'vitest';
import { TaskLoop } from '../base/task-loop.ts';
import { Pacer } from './pacing.ts';

it('runs what is asked while the driver is between two looks, without waiting for its sleep to end', async () => {
  const loop = new TaskLoop(0, { hop: () => new Promise((resolve) => setImmediate(resolve)), wallMs: () => 0 });
  const pacer = new Pacer({
    loop,
    wall: { nowMs: () => 0, after: () => () => undefined },
    speed: 'paused',
    onFailure: (error) => expect.unreachable(error.message),
  });
  pacer.start();
  for (let ms = 1000; ms <= 20_000; ms += 1000) await pacer.runUntil(ms);
  expect(loop.nowMs()).toBe(20_000);
  await pacer.close();
});

it('lets nobody wait for an instant that will not come: the loop has failed', async () => {
  const loop = new TaskLoop(0, { hop: () => new Promise((resolve) => setImmediate(resolve)), wallMs: () => 0 });
  const failures: string[] = [];
  const pacer = new Pacer({
    loop,
    wall: { nowMs: () => 0, after: () => () => undefined },
    speed: 'paused',
    onFailure: (error) => failures.push(error.message),
  });
  pacer.start();
  await pacer.runUntil(1000);
  vi.spyOn(loop, 'run').mockRejectedValue(new Error('an instant that never ends'));
  await pacer.runUntil(2000);
  await pacer.runUntil(3000);
  expect([failures, loop.nowMs(), pacer.rushUntilMs]).toEqual([['an instant that never ends'], 1000, undefined]);
  await pacer.close();
});
