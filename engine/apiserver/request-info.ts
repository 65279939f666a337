/**
 * What a path and a method mean: which resource, subresource, namespace and name, or that it is no resource at all. Mirrors
 * apiserver pkg/endpoints/request/requestinfo.go.
 */
import { getOwn } from '../base/dictionary.ts';
import type { Verb } from '../contracts/request.ts';

export interface ResourceInfo {
  readonly isResource: true;
  readonly verb: Verb | 'proxy' | '';
  /** `api` or `apis`. */
  readonly prefix: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** Path segments behind the subresource; in a path of `/watch/`, behind the name. */
  readonly rest: readonly string[];
  /** The deprecated `/watch/` paths. */
  readonly watchPath: boolean;
}

export interface PathInfo {
  readonly isResource: false;
  readonly verb: string;
  readonly segments: readonly string[];
}

export type RequestInfo = ResourceInfo | PathInfo;

const namespaceSubresources: ReadonlySet<string> = new Set(['status', 'finalize']);

const verbs: { readonly [method: string]: Verb } = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** `watch` says whether the query asks for one; `fieldName` is the name that a field selector demands, if any. */
export function parseRequestInfo(method: string, path: string, watch: boolean, fieldName: string | undefined): RequestInfo {
  const segments = splitPath(path);
  const nonResource: PathInfo = { isResource: false, verb: method.toLowerCase(), segments };
  const prefix = segments[0];
  if (segments.length < 3 || (prefix !== 'api' && prefix !== 'apis')) return nonResource;
  if (prefix === 'apis' && segments.length < 4) return nonResource;

  const group = prefix === 'apis' ? (segments[1] as string) : '';
  let parts = segments.slice(prefix === 'apis' ? 2 : 1);
  const version = parts[0] as string;
  parts = parts.slice(1);

  const special = (parts[0] === 'watch' || parts[0] === 'proxy') && parts.length >= 2 ? parts[0] : undefined;
  if (special !== undefined) parts = parts.slice(1);
  let verb: Verb | 'proxy' | '' = special ?? getOwn(verbs, method) ?? '';

  let namespace = '';
  if (parts[0] === 'namespaces' && parts.length > 1) {
    namespace = parts[1] as string;
    if (parts.length > 2 && !namespaceSubresources.has(parts[2] as string)) parts = parts.slice(2);
  }
  const resource = parts[0] ?? '';
  let name = parts[1] ?? '';
  const subresource = special === undefined ? (parts[2] ?? '') : '';
  if (name === '' && verb === 'get') {
    verb = watch ? 'watch' : 'list';
    if (fieldName !== undefined) name = fieldName;
  }
  if (name === '' && verb === 'delete') verb = 'deletecollection';
  return {
    isResource: true,
    verb,
    prefix,
    group,
    version,
    resource,
    subresource,
    namespace,
    name,
    rest: parts.slice(special === undefined ? 3 : 2),
    watchPath: special === 'watch',
  };
}

/** A path that ends where the resource should be named: `/api/v1/watch`. */
export function isCutOff(path: string): boolean {
  return /^\/+(?:api\/[^/]+|apis\/[^/]+\/[^/]+)\/(?:watch|proxy)\/*$/.test(path);
}

function splitPath(path: string): readonly string[] {
  let start = 0;
  let end = path.length;
  while (start < end && path.charCodeAt(start) === 47) start++;
  while (end > start && path.charCodeAt(end - 1) === 47) end--;
  return start === end ? [] : path.slice(start, end).split('/');
}

const longRunningVerbs: ReadonlySet<string> = new Set(['watch', 'proxy']);
const longRunningSubresources: ReadonlySet<string> = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

/** What answers for as long as it goes on. */
export function isLongRunning(info: RequestInfo): boolean {
  return info.isResource && (longRunningVerbs.has(info.verb) || longRunningSubresources.has(info.subresource));
}
