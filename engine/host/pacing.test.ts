/** Pacing in wall time that a test gives. */
import { expect, it, vi } from 'vitest';
import { TaskLoop } from '../base/task-loop.ts';
import { Pacer, type WallClock } from './pacing.ts';

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

it('sets its alarm once for many inputs, anew for an earlier instant, and leaves none behind', async () => {
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const loop = new TaskLoop(0, { hop: turn, wallMs: () => 0 });
  const wall = new TestWall();
  const pacer = new Pacer({ loop, wall, speed: 1, onFailure: (error) => expect.unreachable(error.message) });
  pacer.start();
  await turn();
  for (let input = 0; input < 20; input++) {
    wall.wallMs += 10;
    pacer.wake();
    await turn();
  }
  expect([wall.timersSet, wall.timers.map(({ atMs }) => atMs)]).toEqual([1, [60_000]]);
  const ran: number[] = [];
  loop.soon(300, 'a', () => void ran.push(loop.nowMs()));
  pacer.wake();
  await turn();
  expect(wall.timers.map(({ atMs }) => atMs)).toEqual([500]);
  wall.ringUntil(500);
  await turn();
  expect([ran, wall.timers.length]).toEqual([[500], 1]);
  await pacer.close();
  expect(wall.timers).toEqual([]);
});

it('tells how fast time passes, and why slower than wished', async () => {
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const wall = new TestWall();
  const loop = new TaskLoop(0, { hop: turn, wallMs: () => wall.wallMs });
  const pacer = new Pacer({ loop, wall, speed: 10, onFailure: (error) => expect.unreachable(error.message) });
  pacer.start();
  await turn();
  expect(pacer.pace()).toEqual({});
  wall.wallMs += 1_000;
  expect(pacer.pace()).toEqual({ achievedSpeed: 10 });
  // What is due is not done: virtual time cannot pass it.
  loop.soon(20_000, 'due', () => undefined);
  wall.wallMs += 5_000;
  expect(pacer.pace()).toMatchObject({ slowedBy: 'MachineBusy' });
  pacer.stood();
  wall.wallMs += 500;
  expect(pacer.pace()).toMatchObject({ slowedBy: 'WaitingForAnswer' });
  pacer.setSpeed('paused');
  expect(pacer.pace()).toEqual({});
  await pacer.close();
});

class TestWall implements WallClock {
  wallMs = 0;
  timersSet = 0;
  timers: { readonly atMs: number; readonly call: () => void }[] = [];

  nowMs(): number {
    return this.wallMs;
  }

  after(delayMs: number, call: () => void): () => void {
    const timer = { atMs: this.wallMs + delayMs, call };
    this.timersSet++;
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((one) => one !== timer);
    };
  }

  ringUntil(ms: number): void {
    this.wallMs = ms;
    const due = this.timers.filter(({ atMs }) => atMs <= ms);
    this.timers = this.timers.filter(({ atMs }) => atMs > ms);
    for (const { call } of due) call();
  }
}

it.each([
  { speed: 1, behindMs: 700, begins: 700 },
  { speed: 1, behindMs: -700, begins: 0 },
  { speed: 10, behindMs: 700, begins: 0 },
] as const)('makes up for the time that its start took: $behindMs ms at speed $speed', async ({ speed, behindMs, begins }) => {
  const loop = new TaskLoop(0, { hop: () => new Promise((resolve) => setImmediate(resolve)), wallMs: () => 0 });
  const wall = new TestWall();
  const pacer = new Pacer({ loop, wall, speed, onFailure: (error) => expect.unreachable(error.message) });
  pacer.start(behindMs);
  await new Promise((resolve) => setImmediate(resolve));
  pacer.catchUp();
  const first = loop.nowMs();
  wall.wallMs += 10;
  pacer.catchUp();
  expect([first, loop.nowMs()]).toEqual([begins, begins + 10 * speed]);
  await pacer.close();
});
