import { expect, test } from 'vitest';
import { createAsk } from './asking.ts';

const question = { to: 'webhook/policy', body: { name: 'x' }, timeoutMs: 10_000 };

/** A wall clock whose one timer fires when told. */
function aWall() {
  const wall = {
    fire: (): void => undefined,
    delayMs: 0,
    isCancelled: false,
    after: (delayMs: number, call: () => void) => {
      wall.delayMs = delayMs;
      wall.fire = call;
      return () => {
        wall.isCancelled = true;
      };
    },
  };
  return wall;
}

test('an answer is handed on, and nobody waits for the time-out any more', async () => {
  const wall = aWall();
  expect(await createAsk((asked) => Promise.resolve([asked.to]), wall)(question)).toEqual({ outcome: 'answered', body: ['webhook/policy'] });
  expect([wall.delayMs, wall.isCancelled]).toEqual([10_000, true]);
});

test('who cannot be reached is a failure in words', async () => {
  expect(await createAsk(() => Promise.reject(new Error('connect ECONNREFUSED')), aWall())(question)).toEqual({
    outcome: 'failed',
    message: 'connect ECONNREFUSED',
  });
});

test('silence ends with the time-out, and who was asked is told that nobody waits; a late answer changes nothing', async () => {
  const wall = aWall();
  let isAborted = false;
  let late: (body: string) => void = () => undefined;
  const answer = createAsk((_question, signal) => {
    signal.addEventListener('abort', () => (isAborted = true));
    return new Promise((resolve) => (late = resolve));
  }, wall)(question);
  wall.fire();
  late('too late');
  expect(await answer).toEqual({ outcome: 'timedOut' });
  expect(isAborted).toBe(true);
});
