/**
 * Delays and fails requests from outside as faults in force say. A guard: what it lets through is an input as ever, at the place where
 * it comes in at last, and what it refuses never came in, so a replay need not know of it. What the page and the library ask is not
 * delayed: they hold the handle of the cluster's time.
 */
import { newTimeout } from '../../apimachinery/errors.ts';
import { Asked } from '../../registry/attempt.ts';
import type { Cause } from '../../base/causes.ts';
import { Awaiting } from '../admission/awaited.ts';
import { Queued } from '../flowcontrol/seats.ts';
import type { Filter } from './filter.ts';
import { Uninitialized } from './uninitialized.ts';

/** Ends a request that has to wait; it is handled again from the start when that virtual time has passed. */
export class Postponed extends Error {
  readonly delayMs: number;
  readonly causes: readonly Cause[];

  constructor({ delayMs, causes }: Pick<Postponed, 'delayMs' | 'causes'>) {
    super(`postponed by ${delayMs} ms`);
    this.name = 'Postponed';
    this.delayMs = delayMs;
    this.causes = causes;
  }
}

/** No failure: the request begins again when it has its answer or its seat, or its time has come, or its object is complete, or what it needs may be there. */
export function isPostponed(error: unknown): boolean {
  return [Asked, Awaiting, Postponed, Queued, Uninitialized].some((kind) => error instanceof kind);
}

export const faultInjection: Filter = {
  name: 'fault-injection',
  isGuard: true,
  handle(exchange, next, tools) {
    if (exchange.waited === 'in vain') throw newTimeout('a fault of the simulation delays this request, and virtual time does not pass');
    if (exchange.waited === 'not yet' && exchange.request.identity === undefined) {
      const delay = tools.delayOf(exchange);
      if (delay !== undefined && delay.delayMs > 0) throw new Postponed(delay);
    }
    const error = tools.faultOn(exchange);
    if (error !== undefined) throw error;
    return next(exchange);
  },
};
