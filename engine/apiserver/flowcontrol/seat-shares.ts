/**
 * How the server's seats are divided: by shares at first, then by what each level wants within its bounds. Mirrors apiserver
 * pkg/util/flowcontrol/{apf_controller,conc_alloc}.go.
 */
import type { PriorityLevelConfiguration } from '../../api/flowcontrol/v1/types.gen.ts';

export interface SeatBounds {
  readonly nominal: number;
  /** What is left of it when all that may be lent is lent. */
  readonly lower: number;
  readonly upper: number;
}

const defaultShares = 30;

export function sharesOf({ spec }: PriorityLevelConfiguration): number {
  if (spec?.type === 'Exempt') return spec.exempt?.nominalConcurrencyShares ?? 0;
  return spec?.limited?.nominalConcurrencyShares ?? defaultShares;
}

export function boundsOf(level: PriorityLevelConfiguration, serverSeats: number, allShares: number): SeatBounds {
  const { spec } = level;
  const nominal = allShares === 0 ? 0 : Math.ceil((serverSeats * sharesOf(level)) / allShares);
  const lendable = (spec?.type === 'Exempt' ? spec.exempt?.lendablePercent : spec?.limited?.lendablePercent) ?? 0;
  const borrowing = spec?.type === 'Exempt' ? undefined : spec?.limited?.borrowingLimitPercent;
  const lower = nominal - Math.round((nominal * lendable) / 100);
  return { nominal, lower, upper: borrowing === undefined ? nominal + serverSeats : nominal + Math.round((nominal * borrowing) / 100) };
}

/** What one level may have: at least, at most, and what it would like. */
export interface Wish {
  readonly lower: number;
  readonly upper: number;
  readonly target: number;
}

/** The same fraction of each target, within bounds, so that all together are `total`. */
export function allocate(total: number, wishes: readonly Wish[]): readonly number[] {
  const lowest = wishes.reduce((sum, { lower }) => sum + lower, 0);
  if (lowest >= total) return wishes.map(({ lower }) => lower);
  const at = (fraction: number): number[] => wishes.map(({ lower, upper, target }) => Math.min(upper, Math.max(lower, fraction * target)));
  const sumAt = (fraction: number): number => at(fraction).reduce((sum, seats) => sum + seats, 0);
  const highest = wishes.reduce((most, { lower, upper, target }) => Math.max(most, Math.min(upper, total) / Math.max(target, 1e-9), lower), 1);
  let [low, high] = [0, highest];
  for (let step = 0; step < 100 && high - low > 1e-9 * high; step++) {
    const middle = (low + high) / 2;
    if (sumAt(middle) < total) low = middle;
    else high = middle;
  }
  return at(high);
}
