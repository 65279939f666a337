/**
 * A clock at full speed is further on than whatever was read of the cluster: between two questions more passes than a view shows. What follows such a
 * clock goes along with what is known, a step with each answer, and not with the clock.
 */
import type { Range } from '../timeline/viewport.ts';
import { engineIsHeard, type useClock } from './clock.ts';

type Clock = Pick<ReturnType<typeof useClock.getState>, 'clock' | 'hearing'>;

/** Of what a range shows, passing within a second. */
const share = 0.2;

/** Of an engine that is not heard any more now is shown, with what is not known of it. */
export function rushesThrough({ clock, hearing }: Clock, range: Range | undefined): boolean {
  return range !== undefined && engineIsHeard({ hearing }) && (clock?.status.achievedSpeed ?? 0) * 1000 > (range.toMs - range.fromMs) * share;
}
