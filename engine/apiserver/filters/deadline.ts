/**
 * How long a client wants to wait: `timeout` in the query, which must be a duration. A request that answers once is answered at
 * once but for webhooks of admission, which share that time (contracts/request-time.ts). Mirrors WithRequestDeadline of apiserver pkg/endpoints/filters.
 */
import { durationFault } from '../../apimachinery/duration-fault.ts';
import { newBadRequest } from '../../apimachinery/errors.ts';
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
