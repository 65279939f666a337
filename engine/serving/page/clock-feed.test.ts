import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ClockFeeds, type LookedAt } from './clock-feed.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function feedOf(looked: LookedAt | undefined) {
  const defects: string[] = [];
  const feeds = new ClockFeeds({ look: () => looked, onDefect: ({ message }) => defects.push(message) });
  return { feeds, defects };
}

const listener = { announce: () => undefined, gone: () => undefined };

test('what has to be made ready has its turns more often until it is, and then ten times a second', () => {
  let left = 30;
  let beats = 0;
  const beat = (): boolean => {
    beats++;
    return left-- <= 0;
  };
  const { feeds } = feedOf({ clock: () => ({}), beat });
  feeds.follow(undefined, listener);
  vi.advanceTimersByTime(1_000);
  expect(left).toBeLessThan(0);
  beats = 0;
  left = 30;
  vi.advanceTimersByTime(1_000);
  expect(beats).toBe(10);
});

test('nothing has a turn once nobody looks any more, or once it threw', () => {
  let beats = 0;
  const { feeds } = feedOf({ clock: () => ({}), beat: () => ++beats < 0 });
  feeds.follow(undefined, listener)();
  beats = 0;
  vi.advanceTimersByTime(1_000);
  expect(beats).toBe(0);

  let turns = 0;
  const broken = feedOf({
    clock: () => ({}),
    beat: () => {
      if (++turns > 2) throw new Error('no more');
      return false;
    },
  });
  broken.feeds.follow(undefined, listener);
  vi.advanceTimersByTime(1_000);
  expect([turns, broken.defects]).toEqual([3, ['no more']]);
});

test('time that rushes is told five times a second, and at once to who begins to listen', () => {
  let [nowMs, isRushing] = [0, true];
  const { feeds } = feedOf({ clock: () => ({ nowMs: nowMs++ }), isRushing: () => isRushing });
  const told: string[] = [];
  feeds.follow(undefined, { announce: (type) => void told.push(type), gone: () => undefined });
  expect(told).toEqual(['CLOCK']);
  vi.advanceTimersByTime(1_000);
  expect(told).toHaveLength(6);
  isRushing = false;
  vi.advanceTimersByTime(1_000);
  expect(told).toHaveLength(16);
});

test('while time rushes what is ready has a turn once a second', () => {
  let [beats, left] = [0, 5];
  const beat = (): boolean => {
    beats++;
    return --left <= 0;
  };
  const { feeds } = feedOf({ clock: () => ({}), isRushing: () => true, beat });
  feeds.follow(undefined, listener);
  vi.advanceTimersByTime(200);
  expect(left).toBeLessThanOrEqual(0);
  vi.advanceTimersByTime(800);
  beats = 0;
  vi.advanceTimersByTime(5_000);
  expect(beats).toBe(5);
});
