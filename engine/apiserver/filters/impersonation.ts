/** Lets a caller be somebody else, who may. Mirrors apiserver pkg/endpoints/filters/impersonation. */
import { goQuote } from '../../apimachinery/quote.ts';
import { StatusError } from '../../apimachinery/status.ts';
import { type Impersonated, impersonated, NobodyImpersonated } from '../auth/impersonation.ts';
import type { HttpPlainResponse } from '../http-types.ts';
import { text } from '../non-resource.ts';
import { attributesOf, unsniffed } from './authorization.ts';
import type { Exchange, Filter } from './filter.ts';

export const impersonation: Filter = {
  name: 'impersonation',
  isGuard: true,
  handle(exchange, next, tools) {
    const { identity, request } = exchange;
    const last = tools.impersonationModes;
    const constraints = last && { asked: attributesOf(exchange), last };
    const wanted = found(exchange, () =>
      impersonated({ headers: request.headers, identity }, tools.authorizer, exchange.ask, constraints, tools.impersonationRules),
    );
    if (wanted === undefined) return next(exchange);
    if ('body' in wanted) return wanted;
    exchange.passage.audit?.impersonated(wanted);
    exchange.passage.logged?.by(wanted.identity.name);
    return next({ ...exchange, identity: wanted.identity });
  },
};

/** What names nobody was an error of the server. */
function found({ request }: Exchange, find: () => Impersonated | undefined): Impersonated | HttpPlainResponse | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof StatusError) throw unsniffed(error);
    if (!(error instanceof NobodyImpersonated)) throw error;
    const { path, query } = request;
    return text(500, `Internal Server Error: ${goQuote(query === '' ? path : `${path}?${query}`)}: ${error.message}\n`);
  }
}
