import { afterEach, expect, it } from 'vitest';
import { useRange } from '../timeline/range.ts';
import { useClock } from './clock.ts';
import { pastNow } from './past.ts';

const startMs = Date.UTC(2026, 0, 1);
const nowMs = startMs + 3_600_000;

afterEach(() => {
  useClock.setState(useClock.getInitialState(), true);
  useRange.setState(useRange.getInitialState(), true);
});

it('what somebody chose to look at is past once now is beyond it; a range that goes along with now is not, though a clock that rushes is ahead of it', () => {
  useClock.setState({ nowMs, startMs });
  useRange.getState().show({ fromMs: startMs, toMs: startMs + 900_000 });
  expect(pastNow()).toBe(startMs + 900_000);
  useRange.getState().fit(nowMs, startMs, 900_000);
  useClock.setState({ nowMs: nowMs + 500_000 });
  expect(pastNow()).toBeUndefined();
});
