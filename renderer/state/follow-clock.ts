/** The shown stretch of time goes with the clock while it follows. */
import { useRange } from '../timeline/range.ts';
import { useClock } from './clock.ts';

/** Returns what ends it. */
export function followClock(): () => void {
  const stopClock = useClock.subscribe(({ nowMs, startMs }) => {
    if (nowMs > 0) useRange.getState().tick(nowMs, startMs);
  });
  // Who follows again is at now at once, and not when the clock is heard next.
  const stopRange = useRange.subscribe(({ follow, lead }, before) => {
    const { nowMs, startMs } = useClock.getState();
    if (follow && (!before.follow || lead !== before.lead) && nowMs > 0) useRange.getState().tick(nowMs, startMs);
  });
  return () => {
    stopClock();
    stopRange();
  };
}
