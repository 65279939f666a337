/** Whether what the page looks at can be written, and if not, why. */
import { texts } from '../texts/texts.ts';
import { useClock } from './clock.ts';
import { usePast } from './past.ts';

const { reasons } = texts.editor;

export interface Writable {
  /** '' when it can be written. */
  readonly reason: string;
  readonly isPast: boolean;
}

export function useWritable(): Writable {
  const hearing = useClock((state) => state.hearing);
  const isPast = usePast() !== undefined;
  if (isPast) return { reason: reasons.past, isPast };
  return { reason: hearing === 'lost' || hearing === 'gone' || hearing === 'silent' || hearing === 'stranger' ? reasons.lost : '', isPast };
}
