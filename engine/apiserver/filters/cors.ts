/**
 * Lets pages of the origins that `--cors-allowed-origins` names read answers, failures too, and answers a browser's question beforehand.
 * Everybody else is served as if there were no such thing. Mirrors WithCORS of apiserver pkg/server/filters.
 */
import { StatusError } from '../../apimachinery/status.ts';
import { headerOf, type HttpResponse } from '../http-types.ts';
import type { Exchange, Filter, FilterTools, Handler } from './filter.ts';

/** No browser sends a longer one; an expression with much going back and forth gets no more to chew on. */
const originMax = 1024;

export const cors: Filter = {
  name: 'cors',
  handle(exchange, next, tools) {
    if (tools.corsOrigins.length === 0) return next(exchange);
    const origin = headerOf(exchange.request, 'origin');
    if (origin === '' || origin.length > originMax || !tools.corsOrigins.some((allowed) => allowed.test(origin))) return next(exchange);
    if (exchange.request.method === 'OPTIONS') return { status: 204, headers: headersFor(origin), body: '' };
    return withHeaders(answer(exchange, next, tools), origin);
  },
};

function answer(exchange: Exchange, next: Handler, { failure }: FilterTools): HttpResponse {
  try {
    return next(exchange);
  } catch (error) {
    if (error instanceof StatusError) return failure(error, exchange);
    throw error;
  }
}

function withHeaders(response: HttpResponse, origin: string): HttpResponse {
  return 'upgrade' in response ? response : { ...response, headers: { ...response.headers, ...headersFor(origin) } };
}

function headersFor(origin: string): Readonly<Record<string, string>> {
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'POST, GET, OPTIONS, PUT, DELETE, PATCH',
    'access-control-allow-headers': 'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since',
    'access-control-expose-headers': 'Date',
    'access-control-allow-credentials': 'true',
  };
}

/** The expressions of `--cors-allowed-origins`, or what is wrong with the first that is wrong. */
export function parseCorsOrigins(texts: readonly string[]): readonly RegExp[] | string {
  const parsed: RegExp[] = [];
  for (const text of texts) {
    // An expression that pins neither end would let in every host whose name holds it.
    if (!/\^|\/\//.test(text) || !/\$|:/.test(text))
      return `expressions that pin both ends of the host, such as //example\\.com(:|$); ${text} does not`;
    try {
      parsed.push(new RegExp(text));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return `regular expressions; ${text} is none`;
    }
  }
  return parsed;
}
