/** Under which labels a request is counted. Mirrors cleanVerb, CleanScope and InstrumentHandlerFunc of apiserver pkg/endpoints/metrics. */
import { getOwn } from '../../base/dictionary.ts';
import type { RestStorage } from '../../contracts/rest-storage.ts';
import type { Exchange } from '../filters/filter.ts';
import type { ResourceInfo } from '../request-info.ts';
import type { RestStorages } from '../storage/rest-storages.ts';
import type { RequestLabels } from './series.ts';

export const verbs: { readonly [verb: string]: string } = {
  get: 'GET',
  list: 'LIST',
  watch: 'WATCH',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETE',
};
const applyTypes: readonly string[] = ['application/apply-patch+yaml', 'application/apply-patch+cbor'];
const nowhere: RequestLabels = { component: '', group: '', resource: '', scope: '', subresource: '', verb: '', version: '' };
/** By path; a path that is none of them is not counted, as upstream counts what has a handler of its own. */
const paths: { readonly [path: string]: Partial<RequestLabels> } = {
  '/healthz': { subresource: '/healthz' },
  '/livez': { subresource: '/livez' },
  '/readyz': { subresource: '/readyz' },
  '/api': { component: 'apiserver', subresource: 'api' },
  '/apis': { component: 'apiserver', subresource: 'apis' },
  '/openapi/v3': { subresource: 'openapi/v3' },
  '/flagz': { component: 'apiserver', resource: 'flagz' },
  '/statusz': { component: 'apiserver', resource: 'statusz' },
};

/** Undefined for what is not counted: what nobody serves has no labels, so that no client can make up any. */
export function labelsOf({ info, path, request }: Exchange, storages: Pick<RestStorages, 'find'>): RequestLabels | undefined {
  if (info.isResource) return resourceLabels(info, request.headers['content-type'], storages);
  if (request.method !== 'GET') return undefined;
  const known = getOwn(paths, path) ?? (path.startsWith('/openapi/v3/') ? { subresource: 'openapi/v3/' } : undefined);
  return known === undefined ? undefined : { ...nowhere, ...known, verb: 'GET' };
}

function resourceLabels(info: ResourceInfo, contentType: unknown, storages: Pick<RestStorages, 'find'>): RequestLabels | undefined {
  const { group, version, resource, subresource } = info;
  const storage = countedStorage(info, storages);
  if (storage === undefined) return undefined;
  const named = getOwn(verbs, info.verb);
  if (named === undefined) return undefined;
  const isApply = info.verb === 'patch' && applyTypes.includes(String(contentType));
  const verb = isConnection(info, storage) ? 'CONNECT' : isApply ? 'APPLY' : named;
  return { component: 'apiserver', group, resource, scope: scopeOf(info), subresource, verb, version };
}

/** What is served to clients. */
export function countedStorage(info: ResourceInfo, storages: Pick<RestStorages, 'find'>): RestStorage | undefined {
  const storage = storages.find(info.group, info.version, info.resource, info.subresource);
  return storage?.kind.visibility === 'internal' ? undefined : storage;
}

export function isConnection({ subresource }: ResourceInfo, { connect }: RestStorage): boolean {
  return connect !== undefined && subresource !== 'log';
}

function scopeOf({ name, namespace, verb }: ResourceInfo): string {
  if (name !== '' || verb === 'create') return 'resource';
  return namespace === '' ? 'cluster' : 'namespace';
}
