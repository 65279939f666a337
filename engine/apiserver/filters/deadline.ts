/**
 * How long a client wants to wait: `timeout` in the query, which must be a duration. A request that answers once is answered at
 * once, so there is nothing to end. Mirrors WithRequestDeadline of apiserver pkg/endpoints/filters.
 */
import { newBadRequest } from '../../apimachinery/errors.ts';
import { goQuote } from '../../apimachinery/quote.ts';
import { parseDuration } from '../../apimachinery/time.ts';
import { isLongRunning } from '../request-info.ts';
import type { Filter } from './filter.ts';

export const deadline: Filter = {
  name: 'deadline',
  handle(exchange, next, { judgesTimeouts }) {
    const timeout = exchange.query.get('timeout') ?? '';
    if (judgesTimeouts && timeout !== '' && !isLongRunning(exchange.info) && parseDuration(timeout) === undefined) {
      throw newBadRequest(`invalid timeout specified in the request URL - time: ${durationFault(timeout)}`);
    }
    return next(exchange);
  },
};

/** What Go finds wrong with it first. */
function durationFault(text: string): string {
  const good = /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))*/.exec(text)?.[0] ?? '';
  const rest = text.slice(good.length);
  const number = /^(?:\d+\.?\d*|\.\d+)/.exec(rest)?.[0];
  if (number === undefined) return `invalid duration ${goQuote(text)}`;
  const unit = /^[^.\d]*/.exec(rest.slice(number.length))?.[0] ?? '';
  return unit === '' ? `missing unit in duration ${goQuote(text)}` : `unknown unit ${goQuote(unit)} in duration ${goQuote(text)}`;
}
