import { expect, test } from 'vitest';
import type { ComputedResource } from '../contracts/computed-resource.ts';
import { Lookout } from './lookout.ts';

/** Wall time that the test moves. */
class Wall {
  nowMs = 0;
  readonly #calls: { readonly atMs: number; readonly call: () => void }[] = [];

  get waiting(): number {
    return this.#calls.length;
  }

  after(delayMs: number, call: () => void): () => void {
    const entry = { atMs: this.nowMs + delayMs, call };
    this.#calls.push(entry);
    return () => void this.#calls.splice(this.#calls.indexOf(entry), 1);
  }

  pass(ms: number): void {
    const endMs = this.nowMs + ms;
    for (;;) {
      const next = this.#calls.findIndex(({ atMs }) => atMs <= endMs);
      if (next < 0) break;
      const [entry] = this.#calls.splice(next, 1);
      this.nowMs = Math.max(this.nowMs, entry?.atMs ?? 0);
      entry?.call();
    }
    this.nowMs = endMs;
  }
}

function aLookout() {
  const wall = new Wall();
  const state = { place: 0, isQuiet: true, isRushing: false, isStanding: false };
  const lookout = new Lookout({
    after: (delayMs, call) => wall.after(delayMs, call),
    wallMs: () => wall.nowMs,
    isQuiet: () => state.isQuiet,
    isRushing: () => state.isRushing,
    isStanding: () => state.isStanding,
    place: () => String(state.place),
    nowMs: () => state.place,
  });
  /** `look` tells that it was not read by saying no; all else is yes. */
  const follow = (look: () => unknown): (() => void) => {
    const end = lookout.over({} as ComputedResource).follow?.(() => look() !== false);
    if (end === undefined) throw new Error('it can be followed');
    return end;
  };
  return { wall, state, lookout, follow };
}

test('it looks four times a second while things change, never while they do not, and nothing waits when nobody follows', () => {
  const { wall, state, follow } = aLookout();
  let looks = 0;
  const end = follow(() => looks++);
  wall.pass(10_000);
  expect(looks).toBe(0);
  for (let count = 0; count < 1_000; count++) {
    state.place++;
    wall.pass(10);
  }
  expect(looks).toBe(40);
  end();
  expect(wall.waiting).toBe(0);
});

test('a follower whose looks are dear rests twenty times as long', () => {
  const { wall, state, follow } = aLookout();
  let looks = 0;
  follow(() => {
    looks++;
    wall.nowMs += 100;
  });
  for (let count = 0; count < 2_100; count++) {
    state.place++;
    wall.pass(10);
  }
  expect(looks).toBeLessThanOrEqual(11);
  expect(looks).toBeGreaterThanOrEqual(8);
});

test('several whose looks are dear take no more time together than one, and one whose looks are cheap is looked at as often as ever', () => {
  const { wall, state, follow } = aLookout();
  let spentMs = 0;
  const dear = () => {
    spentMs += 100;
    wall.nowMs += 100;
  };
  follow(dear);
  follow(dear);
  let cheap = 0;
  follow(() => cheap++);
  const beganMs = wall.nowMs;
  while (wall.nowMs < beganMs + 60_000) {
    state.place++;
    wall.pass(10);
  }
  expect(spentMs).toBeLessThanOrEqual(60_000 / 20);
  expect(spentMs).toBeGreaterThan(60_000 / 60);
  expect(cheap).toBeGreaterThan(200);
});

test('a quiet instant is waited for, but not for ever', () => {
  const { wall, state, follow } = aLookout();
  let looks = 0;
  follow(() => looks++);
  Object.assign(state, { place: 1, isQuiet: false });
  wall.pass(300);
  expect(looks).toBe(0);
  state.isQuiet = true;
  wall.pass(5);
  expect(looks).toBe(1);
  Object.assign(state, { place: 2, isQuiet: false });
  wall.pass(1_000);
  expect(looks).toBe(2);
});

test('while time rushes it looks twice a second', () => {
  const { wall, state, follow } = aLookout();
  let looks = 0;
  state.isRushing = true;
  follow(() => looks++);
  for (let count = 0; count < 1_000; count++) {
    state.place++;
    wall.pass(10);
  }
  expect(looks).toBe(20);
});

test('who is behind is looked at for when it is not any more, also if nothing has changed since', () => {
  const { wall, state, follow } = aLookout();
  let isBehind = true;
  let looks = 0;
  follow(() => (isBehind ? false : looks++));
  state.place++;
  wall.pass(1_000);
  expect(looks).toBe(0);
  isBehind = false;
  wall.pass(10_000);
  expect(looks).toBe(1);
});

test('what is followed tells the instant that it is read at', () => {
  const { lookout, state } = aLookout();
  const followed = lookout.over({} as ComputedResource);
  state.place = 5;
  expect(followed.nowMs?.()).toBe(5);
});

test('nobody rests for longer than ten seconds, and where time stands for longer than one: what is shown last would be shown on', () => {
  const { wall, state, follow } = aLookout();
  let looks = 0;
  follow(() => {
    looks++;
    wall.nowMs += 3_000;
  });
  const pass = (ms: number): void => {
    for (const endMs = wall.nowMs + ms; wall.nowMs < endMs; ) {
      state.place++;
      wall.pass(10);
    }
  };
  pass(130_000);
  expect(looks).toBe(10);
  state.isStanding = true;
  pass(1_300);
  expect(looks).toBe(11);
});
