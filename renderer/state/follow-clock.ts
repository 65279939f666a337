/** The shown stretch of time goes with the clock while it follows. */
import { useRange } from '../timeline/range.ts';
import { useClock } from './clock.ts';
import { rushesThrough } from './rush.ts';

/** Returns what ends it. */
export function followClock(): () => void {
  const stopClock = useClock.subscribe((state) => {
    const { range, pacers, tick } = useRange.getState();
    const isPaced = pacers > 0 && rushesThrough(state, range);
    if (state.nowMs > 0 && !isPaced) tick(state.nowMs, state.startMs);
  });
  // Who follows again is at now at once, and not when the clock is heard next.
  const stopRange = useRange.subscribe(({ follow, lead, autoSpanMs }, before) => {
    const { nowMs, startMs } = useClock.getState();
    if (follow && (!before.follow || lead !== before.lead || autoSpanMs !== before.autoSpanMs) && nowMs > 0) useRange.getState().tick(nowMs, startMs);
  });
  return () => {
    stopClock();
    stopRange();
  };
}
