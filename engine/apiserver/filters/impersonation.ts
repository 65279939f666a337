/** Lets a caller be somebody else, who may. Mirrors apiserver pkg/endpoints/filters/impersonation. */
import { impersonated } from '../auth/impersonation.ts';
import { attributesOf } from './authorization.ts';
import type { Filter } from './filter.ts';

export const impersonation: Filter = {
  name: 'impersonation',
  isGuard: true,
  handle(exchange, next, tools) {
    const { identity, request } = exchange;
    const asked = tools.constrainsImpersonation ? attributesOf(exchange) : undefined;
    const wanted = impersonated({ headers: request.headers, identity }, tools.authorizer, exchange.ask, asked);
    if (wanted === undefined) return next(exchange);
    exchange.passage.audit?.impersonated(wanted);
    exchange.passage.logged?.by(wanted.identity.name);
    return next({ ...exchange, identity: wanted.identity });
  },
};
