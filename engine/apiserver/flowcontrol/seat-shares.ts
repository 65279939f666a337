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

/** What one level wanted in the last time, and may have. */
export interface Wanted {
  readonly isExempt: boolean;
  readonly bounds: SeatBounds;
  /** Seats, at most and on a smoothed average. */
  readonly highest: number;
  readonly smoothed: number;
  /** What it has now. */
  readonly limit: number;
}

export interface Division {
  /** Of each level, as they were given. */
  readonly limits: readonly number[];
  readonly targets: readonly number[];
  /** Of its target each level gets so much; 0 where there is not enough for what levels must have. */
  readonly fairFraction: number;
}

/** Exempt levels take what they want; the others share by what they wanted, within their bounds. */
export function divide(levels: readonly Wanted[]): Division {
  const total = levels.reduce((sum, { bounds }) => sum + bounds.nominal, 0);
  const least = levels.map(({ isExempt, bounds: { lower, nominal }, highest }) => Math.max(lower, isExempt ? highest : Math.min(nominal, highest)));
  const targets = levels.map(({ smoothed }, index) => Math.max(least[index] as number, smoothed));
  const sumOf = (isExempt: boolean, values: readonly number[]): number =>
    values.reduce((sum, value, index) => (levels[index]?.isExempt === isExempt ? sum + value : sum), 0);
  const lower = levels.map(({ bounds }) => bounds.lower);
  const [left, lowerSum, leastSum] = [total - sumOf(true, least), sumOf(false, lower), sumOf(false, least)];
  const limitsBy = (limit: (index: number) => number): number[] =>
    levels.map(({ isExempt }, index) => (isExempt ? (least[index] as number) : Math.round(limit(index))));
  if (left <= lowerSum) return { limits: limitsBy((index) => lower[index] as number), targets, fairFraction: 0 };
  if (left <= leastSum) {
    const share = (left - lowerSum) / (leastSum - lowerSum);
    return {
      limits: limitsBy((index) => (lower[index] as number) + ((least[index] as number) - (lower[index] as number)) * share),
      targets,
      fairFraction: 0,
    };
  }
  const sharing = levels.flatMap(({ isExempt, bounds }, index) =>
    isExempt ? [] : [{ index, lower: least[index] as number, upper: bounds.upper, target: Math.max(leastTarget, targets[index] as number) }],
  );
  // Nobody may have more: what there is stays.
  if (sharing.reduce((sum, { upper }) => sum + upper, 0) < total)
    return { limits: limitsBy((index) => levels[index]?.limit ?? 0), targets, fairFraction: 0 };
  const fairFraction = fractionOf(total, sharing);
  const seats = new Map(sharing.map((wish) => [wish.index, seatsAt(fairFraction, wish)]));
  return { limits: limitsBy((index) => seats.get(index) ?? 0), targets, fairFraction };
}

const leastTarget = 0.001;

interface Wish {
  readonly lower: number;
  readonly upper: number;
  readonly target: number;
}

function seatsAt(fraction: number, { lower, upper, target }: Wish): number {
  return Math.min(upper, Math.max(lower, fraction * target));
}

/** The fraction of each target, within bounds, with which all together get `total`. */
function fractionOf(total: number, wishes: readonly Wish[]): number {
  const sumAt = (fraction: number): number => wishes.reduce((sum, wish) => sum + seatsAt(fraction, wish), 0);
  let low = 0;
  let high = wishes.reduce((most, { lower, upper, target }) => Math.max(most, Math.min(upper, total) / target, lower), 1);
  for (let step = 0; step < 100 && high - low > 1e-9 * high; step++) {
    const middle = (low + high) / 2;
    if (sumAt(middle) < total) low = middle;
    else high = middle;
  }
  return high;
}
