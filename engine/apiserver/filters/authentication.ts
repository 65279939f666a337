/** Says who asks. Mirrors WithAuthentication of apiserver pkg/endpoints/filters. */
import { authenticate, isSpacedToken } from '../auth/authenticator.ts';
import { headerOf, type HttpResponse } from '../http-types.ts';
import { StatusError } from '../../apimachinery/status.ts';
import type { Identity } from '../../contracts/request.ts';
import type { TokenRemarks } from '../../contracts/tokens.ts';
import type { Exchange, Filter, FilterTools } from './filter.ts';

export const authentication: Filter = {
  name: 'authentication',
  isGuard: true,
  handle(exchange, next, tools) {
    const { request } = exchange;
    if (request.identity !== undefined) {
      exchange.passage.logged?.by(request.identity.name);
      return next({ ...exchange, identity: request.identity });
    }
    const authorization = headerOf(request, 'authorization');
    const { peer, headers } = request;
    const credentials = { peer, headers, path: exchange.path, authorization: authorization === '' ? undefined : authorization };
    const remark = (remarks: TokenRemarks, isGood: boolean): void => {
      if (tools.tokenUsed === undefined || exchange.passage.isAuthenticated) return;
      if (isGood) exchange.passage.remarks = remarks;
      tools.tokenUsed(remarks);
    };
    const find = (): Identity => counted(exchange, tools, () => authenticate(credentials, tools.authentication, exchange.ask, remark));
    const remarked = peer === undefined && isSpacedToken(authorization) ? [spaceText] : [];
    const identity = warned(find, remarked);
    exchange.passage.logged?.by(identity.name);
    return warned(() => next({ ...exchange, identity }), [...remarked, ...(exchange.passage.remarks?.warnings ?? [])]);
  },
};

const spaceText = 'the provided Authorization header contains extra space before the bearer token, and is ignored';

/** What is refused is warned of too. */
function warned<T extends HttpResponse | Identity>(serve: () => T, texts: readonly string[]): T {
  if (texts.length === 0) return serve();
  try {
    const response = serve();
    return 'name' in response || 'upgrade' in response ? response : { ...response, warnings: [...texts, ...(response.warnings ?? [])] };
  } catch (error) {
    if (error instanceof StatusError) error.warnings = [...texts, ...error.warnings];
    throw error;
  }
}

/** A request that begins again has been counted. */
function counted({ passage, request }: Exchange, { meter }: FilterTools, find: () => Identity): Identity {
  if (passage.isAuthenticated) return find();
  const beganMs = meter?.filters.nowMs() ?? 0;
  try {
    const identity = find();
    passage.isAuthenticated = true;
    meter?.authenticated('success', identity.name);
    meter?.filters.authenticated('success', beganMs);
    return identity;
  } catch (error) {
    if (error instanceof StatusError) {
      // Who shows nothing fails; what is shown and not believed is an error.
      const result = headerOf(request, 'authorization') === '' && request.peer === undefined ? 'failure' : 'error';
      meter?.authenticated(result);
      meter?.filters.authenticated(result, beganMs);
    }
    throw error;
  }
}
