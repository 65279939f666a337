/** Says who asks. Mirrors WithAuthentication of apiserver pkg/endpoints/filters. */
import { authenticate } from '../auth/authenticator.ts';
import { headerOf } from '../http-types.ts';
import { StatusError } from '../../apimachinery/status.ts';
import type { Identity } from '../../contracts/request.ts';
import type { Exchange, Filter, FilterTools } from './filter.ts';

export const authentication: Filter = {
  name: 'authentication',
  isGuard: true,
  handle(exchange, next, tools) {
    const { request } = exchange;
    if (request.identity !== undefined) return next({ ...exchange, identity: request.identity });
    const authorization = headerOf(request, 'authorization');
    const { peer, headers } = request;
    const credentials = { peer, headers, path: exchange.path, authorization: authorization === '' ? undefined : authorization };
    const identity = counted(exchange, tools, () => authenticate(credentials, tools.authentication, exchange.ask));
    return next({ ...exchange, identity });
  },
};

/** A request that begins again has been counted. */
function counted({ passage }: Exchange, { meter }: FilterTools, find: () => Identity): Identity {
  if (passage.isAuthenticated) return find();
  try {
    const identity = find();
    passage.isAuthenticated = true;
    meter?.authenticated('success', identity.name);
    return identity;
  } catch (error) {
    if (error instanceof StatusError) meter?.authenticated('failure');
    throw error;
  }
}
