/** The instant that the page looks at, where that is none that follows now: the end of a range that somebody chose. */
import { useClock } from '../../state/clock.ts';
import { useRange } from '../../timeline/range.ts';

export function usePast(): number | undefined {
  const { range, follow } = useRange();
  const nowMs = useClock((state) => state.nowMs);
  return !follow && range !== undefined && nowMs > 0 && range.toMs < nowMs ? Math.max(0, range.toMs) : undefined;
}
