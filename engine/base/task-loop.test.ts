import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { list, text } from './codecs.ts';
import type { JsonValue } from './json.ts';
import { Slots } from './slots.ts';
import { type Component, type LoopHost, TaskLoop } from './task-loop.ts';

const host: LoopHost = { hop: () => new Promise((resolve) => setImmediate(resolve)), wallMs: () => 0 };
const startMs = Date.UTC(2026, 0, 1);

/** A component that writes down its timers and sets the ones that a payload asks for. */
class Recorder implements Component {
  readonly name: string;
  readonly seen: string[] = [];
  readonly loop: TaskLoop;
  readonly slots = new Slots();
  constructor(name: string, loop: TaskLoop) {
    this.name = name;
    this.slots.field(
      'seen',
      list(text),
      () => this.seen,
      (seen) => void this.seen.splice(0, this.seen.length, ...seen),
    );
    this.loop = loop;
    loop.register(this);
  }
  onTimer(name: string, payload: JsonValue): void | Promise<void> {
    this.seen.push(`${this.loop.nowMs() - startMs}:${name}`);
    if (typeof payload === 'number') this.loop.setTimer(this.name, this.loop.nowMs() + payload, `${name}'`, null);
    if (payload === 'call') return this.loop.after(1, this.name, () => undefined).then(() => void this.seen.push(`${name} answered`));
    return undefined;
  }
}

describe('task loop', () => {
  it('runs nothing and stands still while it is held; inputs enter, and who was waited for runs before the next task (I8)', async () => {
    const loop = new TaskLoop(startMs, host);
    const recorder = new Recorder('a', loop);
    loop.setTimer('a', startMs + 5, 'tick');
    const release = loop.hold();
    const second = loop.hold();
    const running = loop.run(startMs + 10);
    for (let turn = 0; turn < 5; turn++) await host.hop();
    loop.advanceIdleTo(startMs + 4);
    expect([loop.nowMs() - startMs, loop.tasksRun, loop.quiet, recorder.seen]).toEqual([0, 0, false, []]);
    loop.enter(() => recorder.seen.push('input'));
    release();
    release();
    await host.hop();
    expect([loop.held, recorder.seen]).toEqual([true, ['input']]);
    second();
    void Promise.resolve().then(() => recorder.seen.push('answered'));
    expect(await running).toBe(true);
    expect(recorder.seen).toEqual(['input', 'answered', '5:tick']);
  });

  it('lets coroutines run dry after a task that wakes them, and sockets have a turn each millisecond or soon after an input', async () => {
    let wallMs = 0;
    let turns = 0;
    const loop = new TaskLoop(startMs, {
      hop: () => host.hop().then(() => void turns++),
      dry: () => new Promise((resolve) => process.nextTick(resolve)),
      wallMs: () => wallMs,
    });
    const seen: string[] = [];
    const wakeAt = async (ms: number): Promise<void> => {
      await loop.after(ms, 'a', () => void seen.push(`task ${ms}`));
      for (let awaits = 0; awaits < 20; awaits++) await Promise.resolve();
      seen.push(`woken ${ms}`);
    };
    const wake = (count: number): void => {
      for (let ms = 1; ms <= count; ms++) void wakeAt(ms);
    };
    wake(3);
    await loop.run(startMs + 3);
    expect([seen, turns]).toEqual([['task 1', 'woken 1', 'task 2', 'woken 2', 'task 3', 'woken 3'], 0]);
    wake(10);
    loop.soon(4.5, 'a', () => void (wallMs += 1.5));
    await loop.run(startMs + 13);
    expect(turns).toBe(1);
    loop.enter(() => wake(10));
    await loop.run(startMs + 23);
    expect(turns).toBe(11);
    wallMs += 10;
    wake(10);
    await loop.run(startMs + 33);
    expect(turns).toBe(11);
  });

  it('gives back a run that is held when it is stopped, or when it was to count tasks (I8)', async () => {
    const loop = new TaskLoop(startMs, host);
    loop.setTimer(new Recorder('a', loop).name, startMs, 'tick');
    loop.hold();
    expect(await loop.run(startMs, 1)).toBe(false);
    const running = loop.run(startMs);
    await host.hop();
    loop.stop();
    expect([await running, loop.tasksRun]).toEqual([false, 0]);
    expect(() => loop.save()).toThrow('quiet');
  });

  it('runs tasks by due time, then component rank, then sequence (I2)', async () => {
    const loop = new TaskLoop(startMs, host);
    const order: string[] = [];
    const make = (name: string): Component => ({
      name,
      onTimer: (timer) => void order.push(`${name}/${timer}`),
      slots: new Slots(),
    });
    loop.register(make('first'));
    loop.register(make('second'));
    loop.setTimer('second', startMs + 5, 'a');
    loop.setTimer('first', startMs + 5, 'b');
    loop.setTimer('first', startMs + 5, 'c');
    loop.setTimer('second', startMs + 1, 'd');
    await loop.run(startMs + 10);
    expect(order).toEqual(['second/d', 'first/b', 'first/c', 'second/a']);
    expect(loop.nowMs()).toBe(startMs + 10);
  });

  it('lets coroutines run dry between two tasks, however many microtasks they take (I3)', async () => {
    const loop = new TaskLoop(startMs, host);
    const order: string[] = [];
    const worker = async (name: string, microtasks: number): Promise<void> => {
      await loop.after(1, name, () => undefined);
      for (let i = 0; i < microtasks; i++) await null;
      order.push(name);
    };
    loop.track(worker('slow', 200), 'r', 'slow');
    loop.track(worker('fast', 0), 'r', 'fast');
    await loop.run(startMs + 2);
    expect(order).toEqual(['slow', 'fast']);
  });

  it('is quiet only without calls and coroutines, and refuses to be saved else (I5)', async () => {
    const loop = new TaskLoop(startMs, host);
    loop.soon(1, 'x', () => undefined);
    expect(loop.quiet).toBe(false);
    expect(() => loop.save()).toThrow('quiet instant');
    await loop.run(startMs + 1);
    expect(loop.quiet).toBe(true);
    expect(loop.save().timers).toEqual(new Map());
  });

  it('stops for good when a task throws and nobody hears of crashes, and names it (I6)', async () => {
    const loop = new TaskLoop(startMs, host);
    loop.register({
      name: 'bad',
      onTimer: () => {
        throw new Error('broken');
      },
      slots: new Slots(),
    });
    loop.setTimer('bad', startMs + 1, 'tick');
    await expect(loop.run(startMs + 2)).rejects.toThrow('bad at tick failed at 2026-01-01T00:00:00.001Z: broken');
    await expect(loop.run(startMs + 3)).rejects.toThrow('broken');
  });

  it('does not run a cancelled timer and does not jump over one that is due', async () => {
    const loop = new TaskLoop(startMs, host);
    const recorder = new Recorder('r', loop);
    loop.cancelTimer(loop.setTimer('r', startMs + 1, 'gone'));
    loop.setTimer('r', startMs + 5, 'kept');
    expect(() => loop.advanceIdleTo(startMs + 6)).toThrow('jump over');
    loop.advanceIdleTo(startMs + 3);
    await loop.run(startMs + 9);
    expect(recorder.seen).toEqual(['5:kept']);
  });

  it('puts an input at the same place when run again (tasksRun, nowMs)', async () => {
    const build = (): { loop: TaskLoop; recorder: Recorder } => {
      const loop = new TaskLoop(startMs, host);
      const recorder = new Recorder('r', loop);
      for (let i = 1; i <= 20; i++) loop.setTimer('r', startMs + i, `t${i}`, i % 3 === 0 ? 'call' : 2);
      return { loop, recorder };
    };
    const input = ({ loop, recorder }: { loop: TaskLoop; recorder: Recorder }): void =>
      loop.enter(() => {
        recorder.seen.push('input');
        loop.setTimer('r', loop.nowMs() + 1, 'after input', null);
      });
    const original = build();
    await original.loop.run(Number.POSITIVE_INFINITY, 13);
    const place = { tasksRun: original.loop.tasksRun, nowMs: original.loop.nowMs() };
    input(original);
    await original.loop.run(startMs + 50);
    const again = build();
    await again.loop.run(Number.POSITIVE_INFINITY, place.tasksRun);
    again.loop.advanceIdleTo(place.nowMs);
    input(again);
    await again.loop.run(startMs + 50);
    expect(again.recorder.seen).toEqual(original.recorder.seen);
  });

  it('goes on after save and restore as if nothing had happened', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ due: fc.integer({ min: 0, max: 50 }), payload: fc.constantFrom(null, 1, 7, 'call') }), { maxLength: 40 }),
        fc.integer({ min: 0, max: 60 }),
        async (timers, cut) => {
          const build = (): { loop: TaskLoop; recorder: Recorder } => {
            const loop = new TaskLoop(startMs, host);
            return { loop, recorder: new Recorder('r', loop) };
          };
          const one = build();
          timers.forEach(({ due, payload }, i) => one.loop.setTimer('r', startMs + due, `t${i}`, payload));
          await one.loop.run(startMs + cut + 0.5);
          while (!one.loop.quiet) await one.loop.run(one.loop.nowMs() + 0.25);
          const saved = structuredClone({ loop: one.loop.save(), recorder: one.recorder.slots.save() });
          const two = build();
          two.recorder.slots.restore(saved.recorder, 'recorder');
          two.loop.restore(saved.loop);
          await one.loop.run(startMs + 200);
          await two.loop.run(startMs + 200);
          expect(two.recorder.seen).toEqual(one.recorder.seen);
          expect(two.loop.tasksRun).toBe(one.loop.tasksRun);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('crashes (I6, I7)', () => {
  const make = (): { loop: TaskLoop; told: string[]; ran: string[]; sick: Map<string, number> } => {
    const loop = new TaskLoop(startMs, host);
    const [told, ran, sick]: [string[], string[], Map<string, number>] = [[], [], new Map()];
    loop.onCrash(({ component, key, error }) => told.push(`${loop.nowMs() - startMs}:${component} ${key}: ${(error as Error).message}`));
    loop.register({
      name: 'c',
      onTimer: (name, payload) => {
        const left = sick.get(name) ?? 0;
        sick.set(name, left - 1);
        if (payload === 'again') loop.setTimer('c', loop.nowMs() + 100, name, payload);
        if (left > 0) {
          if (payload === 'later') return loop.after(5, 'c', () => undefined).then(() => Promise.reject(new Error('late')));
          throw new Error('oh');
        }
        ran.push(`${loop.nowMs() - startMs}:${name}`);
        return undefined;
      },
      slots: new Slots(),
    });
    return { loop, told, ran, sick };
  };

  it('a timer that throws comes again with a doubling back-off; others run as ever', async () => {
    const { loop, told, ran, sick } = make();
    sick.set('bad', 3);
    loop.setTimer('c', startMs + 10, 'bad', { a: 1 });
    loop.setTimer('c', startMs + 10, 'good');
    await loop.run(startMs + 60_000);
    expect(told).toEqual(['10:c bad {"a":1}: oh', '1010:c bad {"a":1}: oh', '3010:c bad {"a":1}: oh']);
    expect(ran).toEqual(['10:good', '7010:bad']);
    expect(loop.failure).toBeUndefined();
  });

  it('a timer that its handler had set again before it threw is not doubled', async () => {
    const { loop, told, ran, sick } = make();
    sick.set('tick', 1);
    loop.setTimer('c', startMs + 100, 'tick', 'again');
    await loop.run(startMs + 450);
    expect(told).toHaveLength(1);
    expect(ran).toEqual(['200:tick', '300:tick', '400:tick']);
  });

  it('a coroutine of a timer that rejects counts as its crash', async () => {
    const { loop, told, ran, sick } = make();
    sick.set('slow', 1);
    loop.setTimer('c', startMs, 'slow', 'later');
    await loop.run(startMs + 5_000);
    expect(told).toEqual(['5:c slow later: late']);
    expect(ran).toEqual(['1005:slow']);
    expect(loop.quiet).toBe(true);
  });

  it('a pending retry survives save and restore with its back-off', async () => {
    const { loop, sick } = make();
    sick.set('bad', 9);
    loop.setTimer('c', startMs, 'bad');
    await loop.run(startMs + 3_500);
    const saved = structuredClone(loop.save());
    const two = make();
    two.sick.set('bad', 1);
    two.loop.restore(saved);
    await two.loop.run(startMs + 60_000);
    expect(two.told).toEqual(['7000:c bad: oh']);
    expect(two.ran).toEqual(['15000:bad']);
  });

  it('a broken invariant of the loop stops it, whoever catches the error', async () => {
    const { loop } = make();
    loop.soon(1, 'c', () => {
      try {
        loop.enter(() => undefined);
      } catch {
        // A component that recovers from everything.
      }
    });
    await expect(loop.run(startMs + 10)).rejects.toThrow('an input enters between two tasks');
    expect(loop.failure).toBeDefined();
  });

  it('a component that makes up a time that is none crashes alone', async () => {
    const { loop, told } = make();
    loop.soon(1, 'c', () => void loop.setTimer('c', Number.NaN, 'never'));
    loop.setTimer('c', 1e300, 'at the end of time');
    await loop.run(startMs + 10);
    expect(told).toEqual(['1:c call: assertion failed: timer c/never is due at a time']);
  });

  it('without a crash handler the first crash stops the loop', async () => {
    const loop = new TaskLoop(startMs, host);
    loop.track(Promise.reject(new Error('oh')), 'c', 'work');
    await expect(loop.run(startMs + 10)).rejects.toThrow('c at work failed at 2026-01-01T00:00:00.000Z: oh');
  });
});
