/**
 * A clock at full speed is further on than whatever was read of the cluster: between two questions more passes than a view shows. What follows such a
 * clock goes along with what is known, a step with each answer, and not with the clock.
 */
import type { Range } from '../timeline/viewport.ts';
import type { useClock } from './clock.ts';

type Clock = Pick<ReturnType<typeof useClock.getState>, 'clock'>;

/** Of what a range shows, passing within a second. */
const share = 0.2;

export function rushesThrough({ clock }: Clock, range: Range | undefined): boolean {
  return range !== undefined && (clock?.status.achievedSpeed ?? 0) * 1000 > (range.toMs - range.fromMs) * share;
}
