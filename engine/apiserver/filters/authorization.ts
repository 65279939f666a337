/**
 * Whether the caller may, by path and method alone: before anything of the body is looked at, so that strangers cost no work.
 * Mirrors WithAuthorization of apiserver pkg/endpoints/filters.
 */
import { newForbidden } from '../../apimachinery/errors.ts';
import { escapeMarkup, forbiddenText, type AuthorizationAttributes } from '../authorizer.ts';
import { goQuote } from '../../apimachinery/quote.ts';
import type { StatusError } from '../../apimachinery/status.ts';
import { text } from '../non-resource.ts';
import type { Exchange, Filter, FilterTools } from './filter.ts';

export const authorization: Filter = {
  name: 'authorization',
  isGuard: true,
  handle(exchange, next, tools) {
    const attributes = attributesOf(exchange);
    const beganMs = tools.meter?.filters.nowMs() ?? 0;
    const { allowed, reason, error } = tools.authorizer.authorize(exchange.identity, attributes, exchange.ask);
    if (!allowed && error !== undefined) {
      exchange.passage.audit?.annotate('authorization.k8s.io/reason', 'internal error');
      return text(500, internalErrorText(exchange, error));
    }
    const { passage } = exchange;
    passage.audit?.authorized(allowed, reason);
    if (!passage.isAuthorized) {
      tools.meter?.authorized(allowed ? 'allowed' : 'no-opinion');
      tools.meter?.filters.authorized(allowed ? 'allowed' : 'no-opinion', beganMs);
    }
    passage.isAuthorized = true;
    const { group, resource, name } = attributes;
    if (allowed) {
      const refused = tools.connectsCreate ? refusedToConnect(exchange, attributes, tools) : undefined;
      if (refused !== undefined) throw newForbidden({ group, resource }, name, refused);
      return next(exchange);
    }
    throw unsniffed(newForbidden({ group, resource }, name, forbiddenText(exchange.identity, attributes, reason)));
  },
};

/** Mirrors RespondWithError of pkg/endpoints/handlers/responsewriters. */
export function unsniffed(error: StatusError): StatusError {
  error.isUnsniffed = true;
  return error;
}

/** Mirrors InternalError of pkg/endpoints/handlers/responsewriters. */
function internalErrorText({ request: { path, query } }: Exchange, error: string): string {
  return `${escapeMarkup(`Internal Server Error: ${goQuote(query === '' ? path : `${path}?${query}`)}: ${error}`)}\n`;
}

const connections: readonly string[] = ['attach', 'exec', 'portforward'];

/** A WebSocket begins with GET, and yet it does what POST does. Mirrors ensureAuthorizedForVerb of pkg/registry/core/pod/rest. */
function refusedToConnect(exchange: Exchange, attributes: AuthorizationAttributes, { authorizer }: FilterTools): string | undefined {
  const { group, resource, subresource, verb } = attributes;
  if (verb === 'create' || group !== '' || resource !== 'pods' || !connections.includes(subresource)) return undefined;
  const { allowed, reason } = authorizer.authorize(exchange.identity, { ...attributes, verb: 'create' }, exchange.ask);
  return allowed ? undefined : reason;
}

/** What the authorizer is asked about a request. */
export function attributesOf({ info, path, query }: Exchange): AuthorizationAttributes {
  if (!info.isResource) return { ...nothing, verb: info.verb, path };
  const { group, version, resource, subresource, namespace, name, verb } = info;
  const attributes = { verb, isResource: true, path: '', group, version, resource, subresource, namespace, name };
  if (verb !== 'list' && verb !== 'watch' && verb !== 'deletecollection') return attributes;
  const labelSelector = query.get('labelSelector') ?? '';
  const fieldSelector = query.get('fieldSelector') ?? '';
  return {
    ...attributes,
    ...(labelSelector === '' ? undefined : { labelSelector }),
    ...(fieldSelector === '' ? undefined : { fieldSelector }),
  };
}

const nothing: AuthorizationAttributes = {
  verb: '',
  isResource: false,
  path: '',
  group: '',
  version: '',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
};
