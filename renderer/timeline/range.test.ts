import { expect, it } from 'vitest';
import { goesAlong, useRange } from './range.ts';

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

it('whoever shows it is told of what can be seen to have moved, and not of a clock that says the same again', () => {
  const nowMs = startMs + 600_000;
  const { fit, tick, show, setFollow } = useRange.getState();
  let told = 0;
  const stop = useRange.subscribe(() => told++);
  const toldOf = (act: () => void): number => {
    told = 0;
    act();
    return told;
  };
  fit(nowMs, startMs);
  expect(toldOf(() => tick(nowMs, startMs))).toBe(0);
  // A hundredth of a pixel, again and again, until it is one.
  expect(toldOf(() => tick(nowMs + 10, startMs))).toBe(0);
  expect(toldOf(() => tick(nowMs + 500, startMs))).toBe(1);
  show({ fromMs: startMs, toMs: startMs + 100_000 });
  setFollow(true);
  expect(toldOf(() => tick(nowMs, startMs))).toBe(1);
  expect(toldOf(() => tick(nowMs, startMs))).toBe(0);
  expect(toldOf(() => tick(nowMs + 10, startMs))).toBe(0);
  expect(toldOf(() => tick(nowMs + 100, startMs))).toBe(1);
  stop();
});

it('a range that follows goes along with now by the same stretch, and one that somebody chose does not', () => {
  const { fit, tick, show } = useRange.getState();
  const nowMs = startMs + 6_000_000;
  fit(nowMs, startMs, 900_000);
  const along = goesAlong(useRange.getState());
  const range = useRange.getState().range ?? { fromMs: 0, toMs: 0 };
  expect(along?.spanMs).toBe(Math.round(range.toMs - range.fromMs));
  expect(Math.abs((along?.aheadMs ?? 0) - (range.toMs - nowMs))).toBeLessThan(2);
  tick(nowMs + 100_000, startMs);
  expect(goesAlong(useRange.getState())).toEqual(along);
  show(range);
  expect(goesAlong(useRange.getState())).toBeUndefined();
});
