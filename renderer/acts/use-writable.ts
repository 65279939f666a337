/** Whether what the page shows can be acted on, and if not, why: an act changes the cluster as it is now, whatever instant is looked at. */
import { formatInstant } from '../lib/format.ts';
import { engineIsHeard, useClock } from '../state/clock.ts';
import { usePast } from '../state/past.ts';
import { texts } from '../texts/texts.ts';

const { reasons } = texts.acts;

export interface Writable {
  /** '' when it can be acted on. */
  readonly reason: string;
  readonly isPast: boolean;
}

export function useWritable(): Writable {
  const isHeard = useClock(engineIsHeard);
  const pastMs = usePast();
  if (pastMs !== undefined) return { reason: reasons.past(formatInstant(pastMs)), isPast: true };
  return { reason: isHeard ? '' : reasons.lost, isPast: false };
}
