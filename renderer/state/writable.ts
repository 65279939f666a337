/** Whether what the page looks at can be written, and if not, why. */
import { texts } from '../texts/texts.ts';
import { useRange } from '../timeline/range.ts';
import { useClock } from './clock.ts';

const { reasons } = texts.editor;

export interface Writable {
  /** '' when it can be written. */
  readonly reason: string;
  readonly isPast: boolean;
}

export function useWritable(): Writable {
  const hearing = useClock((state) => state.hearing);
  const isPast = useIsPast();
  if (isPast) return { reason: reasons.past, isPast };
  return { reason: hearing === 'lost' || hearing === 'gone' || hearing === 'silent' || hearing === 'stranger' ? reasons.lost : '', isPast };
}

function useIsPast(): boolean {
  const nowMs = useClock((state) => state.nowMs);
  return useRange(({ range, follow }) => !follow && range !== undefined && nowMs > 0 && range.toMs < nowMs);
}

export function backToNow(): void {
  const { setFollow, tick } = useRange.getState();
  setFollow(true);
  tick(useClock.getState().nowMs, 0);
}
