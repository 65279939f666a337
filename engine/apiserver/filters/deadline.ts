/**
 * How long a client wants to wait: `timeout` in the query, which must be a duration that a server can keep. A request that answers once is answered
 * at once but for whom it asks: who says who somebody is and what she may has no longer, nor have webhooks of admission, which share that time
 * (contracts/request-time.ts). Mirrors WithRequestDeadline of apiserver pkg/endpoints/filters.
 */
import { durationFault } from '../../apimachinery/duration-fault.ts';
import { newBadRequest } from '../../apimachinery/errors.ts';
import { parseDuration } from '../../apimachinery/time.ts';
import type { Ask } from '../../contracts/questions.ts';
import { isTooShort, tooLate } from '../../contracts/request-time.ts';
import { isLongRunning } from '../request-info.ts';
import type { Filter } from './filter.ts';

/** Unless a client says less. */
const longestMs = 60_000;

export const deadline: Filter = {
  name: 'deadline',
  handle(exchange, next, { judgesTimeouts }) {
    const timeout = exchange.query.get('timeout') ?? '';
    if (!judgesTimeouts || isLongRunning(exchange.info)) return next(exchange);
    const ms = timeout === '' ? 0 : parseDuration(timeout);
    if (ms === undefined) throw newBadRequest(`invalid timeout specified in the request URL - time: ${durationFault(timeout)}`);
    if (isTooShort(ms)) throw tooLate();
    return next({ ...exchange, ask: boundAsk(exchange.ask, atMost(ms)) });
  },
};

/** How long a request may last that gives itself `timeout`, which is none when it is nothing or no duration. */
export function allottedMs(timeout: string): number {
  return atMost(timeout === '' ? 0 : (parseDuration(timeout) ?? 0));
}

function atMost(ms: number): number {
  return ms > 0 ? Math.min(ms, longestMs) : longestMs;
}

/** Who has not answered by then is waited for no longer. */
function boundAsk(ask: Ask, limitMs: number): Ask {
  return (question) => {
    if (question.timeoutMs < limitMs) return ask(question);
    const answer = ask({ ...question, timeoutMs: limitMs });
    if (answer.outcome === 'timedOut') throw tooLate();
    return answer;
  };
}
