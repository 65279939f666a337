import { expect, test } from 'vitest';
import { Slots } from '../base/slots.ts';
import { qpsOfClient, RateLimiter } from './rate-limiter.ts';

test('a burst goes through at once, then one waits for the next token, and tokens return with time', () => {
  const limiter = new RateLimiter(10, 2);
  expect([0, 0, 0, 0].map((nowMs) => limiter.reserve(nowMs))).toEqual([0, 0, 100, 200]);
  expect(limiter.tryTake(200)).toBe(false);
  expect(limiter.tryTake(300)).toBe(true);
  expect(new RateLimiter(0, 0).reserve(5)).toBe(0);
  expect(new RateLimiter(-1, 0).reserve(5)).toBe(0);
});

test('a restored limiter has the tokens of the saved one', () => {
  const limiter = new RateLimiter(10, 1);
  limiter.reserve(0);
  const restored = new RateLimiter(10, 1);
  const [from, to] = [new Slots(), new Slots()];
  limiter.keepIn(from);
  restored.keepIn(to);
  to.restore(from.save(), 'limiter');
  expect(restored.reserve(0)).toBe(100);
});

test('a client outside that names no rate has the one of client-go', () => {
  expect([0, -1, 20].map(qpsOfClient)).toEqual([5, -1, 20]);
});
