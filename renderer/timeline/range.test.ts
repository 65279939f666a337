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
