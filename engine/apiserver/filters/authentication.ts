/** Says who asks. Mirrors WithAuthentication of apiserver pkg/endpoints/filters. */
import { authenticate } from '../auth/authenticator.ts';
import { headerOf } from '../http-types.ts';
import type { Filter } from './filter.ts';

export const authentication: Filter = {
  name: 'authentication',
  isGuard: true,
  handle(exchange, next, tools) {
    const { request } = exchange;
    if (request.identity !== undefined) return next({ ...exchange, identity: request.identity });
    const authorization = headerOf(request, 'authorization');
    const { peer, headers } = request;
    const credentials = { peer, headers, path: exchange.path, authorization: authorization === '' ? undefined : authorization };
    const identity = authenticate(credentials, tools.authentication, exchange.ask);
    return next({ ...exchange, identity });
  },
};
