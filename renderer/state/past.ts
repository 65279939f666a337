/** The instant that the page looks at, where that is none that follows now: the end of a range that somebody chose. */
import { useRange } from '../timeline/range.ts';
import { useClock } from './clock.ts';

export function usePast(): number | undefined {
  const nowMs = useClock((state) => state.nowMs);
  return useRange((state) => pastAt(state, nowMs));
}

/** For who asks once. */
export function pastNow(): number | undefined {
  return pastAt(useRange.getState(), useClock.getState().nowMs);
}

function pastAt({ range, follow }: ReturnType<typeof useRange.getState>, nowMs: number): number | undefined {
  return !follow && range !== undefined && nowMs > 0 && range.toMs < nowMs ? Math.max(0, range.toMs) : undefined;
}

export function backToNow(): void {
  const { setFollow, tick } = useRange.getState();
  setFollow(true);
  tick(useClock.getState().nowMs, 0);
}
