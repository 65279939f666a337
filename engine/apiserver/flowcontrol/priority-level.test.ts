/** Seats of one level: who sits, who waits, and that seats come back. */
import { expect, test } from 'vitest';
import { createHash } from 'node:crypto';
import { FlowCounts } from './flow-counts.ts';
import type { Asker } from './occupied.ts';
import { PriorityLevel } from './priority-level.ts';
import { Queued, type Seat, TooManyRequests } from './seats.ts';

function aLevel(limit: number, queueLengthLimit = 10): PriorityLevel {
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  const level = new PriorityLevel('workload', 100, { nowMs: () => 0, after: () => () => undefined, hash });
  level.configure(
    {
      apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
      kind: 'PriorityLevelConfiguration',
      metadata: { name: 'workload' },
      spec: {
        type: 'Limited',
        limited: { nominalConcurrencyShares: 10, limitResponse: { type: 'Queue', queuing: { queues: 2, handSize: 1, queueLengthLimit } } },
      },
    },
    { nominal: limit, lower: limit, upper: limit },
  );
  level.grant(limit, limit);
  return level;
}

const counts = new FlowCounts('all', 'workload');

function asker(verb: 'list' | 'get'): Asker {
  return {
    counts,
    distinguisher: 'somebody',
    estimate: { initialSeats: 1, finalSeats: 0, additionalMs: 0 },
    waitMaxMs: 15_000,
    identity: { name: 'somebody', groups: [] } as unknown as Asker['identity'],
    exchange: { info: { verb } } as unknown as Asker['exchange'],
  };
}

/** The seat, or what says that it must be waited for. */
function ask(level: PriorityLevel, verb: 'list' | 'get'): Seat | Queued {
  try {
    return level.take(asker(verb));
  } catch (error) {
    if (error instanceof Queued) return error;
    throw error;
  }
}

function sit(level: PriorityLevel, verb: 'list' | 'get'): Seat {
  const found = ask(level, verb);
  if (found instanceof Queued) throw new Error('it had to wait');
  return found;
}

test('what is short does not wait for an answer that is on its way, and the seat of that answer comes back once', () => {
  const level = aLevel(1);
  const list = sit(level, 'list');
  list.keep(true);
  const short = sit(level, 'get');
  short.keep();
  expect(level.inUse).toBe(2);
  expect(ask(level, 'get')).toBeInstanceOf(Queued);
  list.release();
  list.release();
  expect(level.inUse).toBe(1);
  expect(ask(level, 'get')).toBeInstanceOf(Queued);
  expect(level.waiting).toBe(2);
});

test('after an answer has been taken nobody comes in beside the limit', () => {
  const level = aLevel(1);
  const list = sit(level, 'list');
  list.keep(true);
  list.release();
  const short = sit(level, 'get');
  short.keep();
  const second = ask(level, 'get');
  expect(second).toBeInstanceOf(Queued);
  expect(level.inUse).toBe(1);
  short.release();
  expect(level.inUse).toBe(1);
  expect(level.waiting).toBe(0);
});

test('where no more may wait, who comes is sent away', () => {
  const level = aLevel(1, 1);
  sit(level, 'get').keep();
  expect(ask(level, 'get')).toBeInstanceOf(Queued);
  expect(() => level.take(asker('get'))).toThrow(TooManyRequests);
});
