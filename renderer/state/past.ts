/** The instant that the page looks at, where that is none that follows now: the end of a range that somebody chose. */
import { useRange } from '../timeline/range.ts';
import { useClock } from './clock.ts';

/** Who asks is not drawn again with each word of the clock. */
export function usePast(): number | undefined {
  const toMs = useRange(({ range, follow }) => (follow ? undefined : range?.toMs));
  return useClock(({ nowMs }) => pastAt(toMs, nowMs));
}

/** For who asks once. */
export function pastNow(): number | undefined {
  const { range, follow } = useRange.getState();
  return pastAt(follow ? undefined : range?.toMs, useClock.getState().nowMs);
}

function pastAt(toMs: number | undefined, nowMs: number): number | undefined {
  return toMs !== undefined && nowMs > 0 && toMs < nowMs ? Math.max(0, toMs) : undefined;
}

export function backToNow(): void {
  const { setFollow, tick } = useRange.getState();
  setFollow(true);
  tick(useClock.getState().nowMs, 0);
}
