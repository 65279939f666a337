import { expect, test } from 'vitest';
import type { Event } from '../api/core/v1/types.gen.ts';
import type { Row } from '../history/row.ts';
import { minuteMs, Tallies } from './tallies.ts';

function counted(...minutes: readonly number[]): Tallies {
  const tallies = new Tallies(() => false);
  for (const minute of minutes) tallies.onEvent({ type: 'Warning' } as Event, {} as Row, minute * minuteMs + 5);
  return tallies;
}

test('warnings are counted in each minute, also in one that has as many as the minute before', () => {
  expect(counted(1, 2, 2, 2).series('warnings').changes).toEqual([minuteMs, 1, 2 * minuteMs, 3]);
  expect(counted(1, 3).series('warnings').changes).toEqual([minuteMs, 1, 2 * minuteMs, 0, 3 * minuteMs, 1]);
});

test('their curve falls to nothing when the last minute that had any is over', () => {
  expect(
    counted(1, 1, 2)
      .warnings()
      .within(0, 5 * minuteMs, 5),
  ).toEqual([0, 2, 1, 0, 0]);
  expect(counted().warnings().within(0, minuteMs, 2)).toEqual([0, 0]);
});

test('the last minute reaches into the one before, and what was a moment ago is not forgotten when another begins', () => {
  const tallies = counted(1, 1, 1, 1, 2);
  const at = (minutes: number): number => tallies.warningsPerMinute(minutes * minuteMs);
  expect([at(1.5), at(2), at(2.5), at(3), at(3.75), at(4), at(900)]).toEqual([4, 5, 3, 1, 0, 0, 0]);
});
