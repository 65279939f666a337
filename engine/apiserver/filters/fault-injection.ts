/**
 * Fails requests from outside as faults in force say. A guard: what it lets through is an input as ever, and what it refuses never came
 * in, so a replay need not know of it.
 */
import type { Filter } from './filter.ts';

export const faultInjection: Filter = {
  name: 'fault-injection',
  isGuard: true,
  handle(exchange, next, tools) {
    const error = tools.faultOn(exchange);
    if (error !== undefined) throw error;
    return next(exchange);
  },
};
