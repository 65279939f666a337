/** Which requests are shown, as the address has it, and the questions to the engine that follow from it. */
import type { APIClient, APIClientStatus, APIRequest } from '../../../engine/api/sim/v1alpha1/api-request.ts';

export const requestsMost = 200;
export const sorts = ['', 'newest', 'slowest'] as const;
export type Sort = (typeof sorts)[number];

export type ClientType = APIClientStatus['type'];

export interface Choice {
  /** Product of a client outside, '' for all of these; a component; or a webhook, which is asked. */
  readonly client: string;
  readonly type: ClientType;
  readonly verb: string;
  readonly resource: string;
  readonly code: string;
  readonly failed: boolean;
  /** Also what this page itself asks for. */
  readonly page: boolean;
  readonly sort: Sort;
}

/** What browsers call themselves, and the page's watches. */
const pageClients = ['Mozilla', 'wavetank-page'];
/** By which parameter the engine is asked for what one client asked or was asked. */
const parameters: { readonly [type in ClientType]: string } = { Outside: 'client', Component: 'component', Webhook: 'webhook' };
const types = Object.keys(parameters) as readonly ClientType[];
const base = '/apis/sim.wavetank.dev/v1alpha1';
export const clientsPath = `${base}/apiclients`;

/** `kind` is the client, `filter` a query, `group` the order. */
export function readChoice(kind: string, filter: string, group: string): Choice {
  const query = new URLSearchParams(filter);
  const of = (name: string): string => query.get(name) ?? '';
  return {
    ...{ client: kind, verb: of('verb'), resource: of('resource'), code: of('code') },
    ...{ failed: of('failed') === 'true', page: of('page') === 'true' },
    type: types.find((type) => kind !== '' && of(parameters[type]) === 'true') ?? 'Outside',
    sort: sorts.find((one) => one === group) ?? '',
  };
}

export function filterOf({ verb, resource, code, failed, page, type }: Choice): string {
  const query = new URLSearchParams();
  const flags = { failed: failed ? 'true' : '', page: page ? 'true' : '', ...(type === 'Outside' ? {} : { [parameters[type]]: 'true' }) };
  for (const [name, value] of Object.entries({ verb, resource, code, ...flags })) if (value !== '') query.set(name, value);
  return query.toString();
}

export function requestsPath({ client, type, verb, resource, code, failed, page, sort }: Choice): string {
  const query = new URLSearchParams({ limit: String(requestsMost), sort: sort === '' ? 'worst' : sort });
  const isPage = page || type !== 'Outside' || pageClients.includes(client);
  for (const [name, value] of Object.entries({
    [parameters[type]]: client,
    verb,
    resource,
    code,
    failed: failed ? 'true' : '',
    without: isPage ? '' : pageClients.join(),
  }))
    if (value !== '') query.set(name, value);
  return `${base}/apirequests?${query.toString()}`;
}

export function isPageClient({ status: { client } }: APIClient): boolean {
  return pageClients.includes(client);
}

export const slowMs = 500;

/** As the engine lists them. */
export function orderOf({ sort, type }: Pick<Choice, 'sort' | 'type'>): (a: APIRequest, b: APIRequest) => number {
  const newest = (a: APIRequest, b: APIRequest): number => Number(b.metadata.name) - Number(a.metadata.name);
  if (sort === 'newest') return newest;
  // Nobody measures how long those of components take.
  if (type === 'Component') return (a, b) => (sort === '' ? badnessOf(b, 0) - badnessOf(a, 0) : 0) || newest(a, b);
  if (sort === 'slowest') return (a, b) => tookMs(b) - tookMs(a) || newest(a, b);
  return (a, b) => badnessOf(b, tookMs(b)) - badnessOf(a, tookMs(a)) || newest(a, b);
}

function badnessOf(one: APIRequest, took: number): number {
  return (one.status.code >= 400 ? 2 : 0) + (took >= slowMs ? 1 : 0);
}

export function isSlow(one: APIRequest): boolean {
  return tookMs(one) >= slowMs;
}

/** What is answered for as long as somebody listens is not slow. */
function tookMs({ status: { verb, subresource, latencyMs } }: APIRequest): number {
  if (verb === 'watch' || subresource === 'log') return 0;
  return latencyMs ?? Number.MAX_VALUE;
}
