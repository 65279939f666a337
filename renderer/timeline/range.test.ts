import { expect, it } from 'vitest';
import { useRange } from './range.ts';

const startMs = Date.UTC(2026, 0, 1);

function shownAt(nowMs: number): { readonly fromMs: number; readonly toMs: number } {
  useRange.getState().fit(nowMs, startMs);
  return useRange.getState().range ?? { fromMs: 0, toMs: 0 };
}

it('of a cluster that has just begun nothing is shown from before it', () => {
  expect(shownAt(startMs + 1_500)).toEqual({ fromMs: startMs, toMs: startMs + 20_000 });
});

it('now stays near the right edge once there is a past', () => {
  const nowMs = startMs + 600_000;
  const { fromMs, toMs } = shownAt(nowMs);
  expect(fromMs).toBe(startMs);
  expect((nowMs - fromMs) / (toMs - fromMs)).toBeCloseTo(0.92);
});

it('whoever shows it is told of what has moved, and not of a clock that says the same again', () => {
  const nowMs = startMs + 600_000;
  const { fit, tick } = useRange.getState();
  fit(nowMs, startMs);
  let told = 0;
  const stop = useRange.subscribe(() => told++);
  tick(nowMs, startMs);
  expect(told).toBe(0);
  tick(nowMs + 1_000, startMs);
  expect(told).toBe(1);
  useRange.getState().show({ fromMs: startMs, toMs: startMs + 100_000 });
  useRange.getState().setFollow(true);
  tick(nowMs, startMs);
  const { range } = useRange.getState();
  tick(nowMs, startMs);
  expect(useRange.getState().range).toBe(range);
  stop();
});
