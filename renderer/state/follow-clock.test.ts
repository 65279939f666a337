import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useRange } from '../timeline/range.ts';
import { useClock } from './clock.ts';
import { followClock } from './follow-clock.ts';

const startMs = Date.UTC(2026, 0, 1);
const nowMs = startMs + 3_600_000;
/** Ten minutes of the first half hour. */
const past = { fromMs: startMs + 600_000, toMs: startMs + 1_200_000 };

/** Where now stands in what is shown, from its left edge to its right one. */
function placeOf(ms: number): number {
  const { fromMs, toMs } = useRange.getState().range ?? { fromMs: 0, toMs: 0 };
  return (ms - fromMs) / (toMs - fromMs);
}

describe('the shown stretch of time', () => {
  let stop = (): void => undefined;
  beforeEach(() => {
    // Whatever other tests of the same process have left.
    useClock.setState(useClock.getInitialState(), true);
    useRange.setState(useRange.getInitialState(), true);
    useClock.setState({ nowMs, startMs });
    stop = followClock();
  });
  afterEach(() => {
    stop();
    useClock.setState(useClock.getInitialState(), true);
    useRange.setState(useRange.getInitialState(), true);
  });

  it('is at now at once when it follows again, with no word of the clock, and is as long as it was', () => {
    useRange.getState().show(past);
    useRange.getState().setFollow(true);
    expect(placeOf(nowMs)).toBeCloseTo(0.92);
    const { fromMs = 0, toMs = 0 } = useRange.getState().range ?? {};
    expect(toMs - fromMs).toBeCloseTo(600_000);
  });

  it('is another one once, and not again when the clock says the same', () => {
    useRange.getState().show(past);
    const shown: unknown[] = [];
    const stopListening = useRange.subscribe(({ range }, { range: old }) => {
      if (range !== old) shown.push(range);
    });
    useRange.getState().setFollow(true);
    useClock.setState({ nowMs });
    stopListening();
    expect(new Set(shown).size).toBe(1);
  });

  it('goes with the clock while it follows, and stays where somebody looks else', () => {
    useRange.getState().fit(nowMs, startMs, 60_000);
    useClock.setState({ nowMs: nowMs + 30_000 });
    expect(placeOf(nowMs + 30_000)).toBeCloseTo(0.92);
    useRange.getState().show(past);
    useClock.setState({ nowMs: nowMs + 60_000 });
    expect(useRange.getState().range).toEqual(past);
  });

  it('leans towards what a view is about while nobody has chosen, and is as before when the view is left', () => {
    useClock.setState({ nowMs });
    const first = useRange.getState().range;
    useRange.getState().lean({ pastMs: 1_800_000, aheadMs: 900_000 });
    expect(useRange.getState().range).toEqual({ fromMs: nowMs - 1_800_000, toMs: nowMs + 900_000 });
    useClock.setState({ nowMs: nowMs + 60_000 });
    expect(useRange.getState().range).toEqual({ fromMs: nowMs - 1_740_000, toMs: nowMs + 960_000 });
    useClock.setState({ nowMs });
    useRange.getState().lean(undefined);
    expect(useRange.getState().range).toEqual(first);
    useRange.getState().show(past);
    useRange.getState().lean({ pastMs: 1_800_000, aheadMs: 900_000 });
    expect(useRange.getState().range).toEqual(past);
  });

  it('of a clock that rushes through it, it goes along with what a view reads, and with the clock where no view does or time slows down', () => {
    useRange.getState().fit(nowMs, startMs, 900_000);
    const tell = (seconds: number, achievedSpeed: number): void =>
      useClock.setState({ nowMs: nowMs + seconds * 1000, clock: { status: { achievedSpeed } } as never });
    const end = useRange.getState().pace();
    tell(600, 1500);
    expect(placeOf(nowMs)).toBeCloseTo(0.92);
    useRange.getState().tick(nowMs + 500_000, startMs);
    expect(placeOf(nowMs + 500_000)).toBeCloseTo(0.92);
    tell(700, 60);
    expect(placeOf(nowMs + 700_000)).toBeCloseTo(0.92);
    tell(1200, 1500);
    expect(placeOf(nowMs + 700_000)).toBeCloseTo(0.92);
    // What is not known of now is seen.
    useClock.getState().setHearing('silent');
    expect(placeOf(nowMs + 1_200_000)).toBeCloseTo(0.92);
    useClock.getState().setHearing('heard');
    end();
    tell(1600, 1500);
    expect(placeOf(nowMs + 1_600_000)).toBeCloseTo(0.92);
  });

  it('stays while nothing is known of now', () => {
    useClock.setState({ nowMs: 0, startMs: 0 });
    useRange.getState().show(past);
    useRange.getState().setFollow(true);
    expect(useRange.getState().range).toEqual(past);
  });
});
