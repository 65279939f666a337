/** Lets a caller be somebody else, who may. Mirrors apiserver pkg/endpoints/filters/impersonation. */
import { impersonated } from '../auth/impersonation.ts';
import type { Filter } from './filter.ts';

export const impersonation: Filter = {
  name: 'impersonation',
  isGuard: true,
  handle(exchange, next, tools) {
    const { identity, request } = exchange;
    const wanted = impersonated({ headers: request.headers, identity }, tools.authorizer, exchange.ask);
    if (wanted !== identity) exchange.passage.audit?.impersonated(wanted);
    return next(wanted === identity ? exchange : { ...exchange, identity: wanted });
  },
};
