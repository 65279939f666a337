/** Streams whose time is over. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { endInTime } from './exchange.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const cases: readonly [what: string, timeoutMs: number | undefined, afterMs: number, want: readonly string[]][] = [
  ['nobody hears before', 5000, 2999, []],
  ['the client hears two seconds before', 5000, 3000, ['near']],
  ['and it ends', 5000, 5000, ['near', 'end']],
  ['a short one just ends', 2000, 2000, ['end']],
  ['one without a time goes on', undefined, 1e7, []],
];
it.each(cases)('%s', (_what, timeoutMs, afterMs, want) => {
  const told: string[] = [];
  endInTime({ ...(timeoutMs !== undefined && { timeoutMs }), nearEnd: () => told.push('near') }, () => told.push('end'));
  vi.advanceTimersByTime(afterMs);
  expect(told).toEqual(want);
});

it('a client that went hears no more', () => {
  const told: string[] = [];
  const callOff = endInTime({ timeoutMs: 5000, nearEnd: () => told.push('near') }, () => told.push('end'));
  vi.advanceTimersByTime(3500);
  callOff();
  vi.advanceTimersByTime(5000);
  expect(told).toEqual(['near']);
});
