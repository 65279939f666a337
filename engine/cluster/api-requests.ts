/** `apirequests` and `apiclients` over the API: what clients asked for, as this process remembers it (`apiserver/requests`). */
import type { APIClient, APIClientStatus, APIRequest, APIRequestStatus } from '../api/sim/v1alpha1/api-request.ts';
import { newBadRequest } from '../apimachinery/errors.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { formatMicroTime } from '../apimachinery/time.ts';
import type { ClientCount } from '../apiserver/requests/client-counts.ts';
import type { LoggedRequest } from '../apiserver/requests/logged-request.ts';
import type { RequestLog } from '../apiserver/requests/request-log.ts';
import type { ComputedQuery, ComputedResource } from '../contracts/computed-resource.ts';
import { numberIn } from '../history/query-numbers.ts';
import { simGroup, virtualKind } from '../history/virtual-kind.ts';
import { messageField, scalarField } from '../kinds/sim/v1alpha1/schema-fields.ts';

const limitDefault = 500;
const limitMax = 5_000;
const apiVersion = `${simGroup}/v1alpha1`;

/**
 * A list is of clients outside, with `component` of what that component asked last, or with `webhook` of what that one was asked. It takes parameters that select (`client`, `username`, `verb`, `resource`, `namespace`, `code`, `failed=true`; `without`, clients
 * that are left out, with commas), `sort` (`newest`, `slowest`, `failed`: what it says comes first; `worst`: what failed, then what was slow, the
 * newest of both first) and `limit`, the first so many of these.
 */
export function requestResources(log: RequestLog): readonly ComputedResource[] {
  return [
    {
      kind: apiRequestKind,
      limitsItself: true,
      get: (name) => {
        const found = /^\d{1,15}$/.test(name) ? log.find(Number(name)) : undefined;
        return found === undefined ? undefined : showRequest(found);
      },
      list: (query) => sorted(log, query).map((one) => showRequest(one)),
    },
    {
      kind: apiClientKind,
      get: (name) => clients(log).find(({ metadata }) => metadata.name === name),
      list: () => clients(log),
    },
  ];
}

type Order = (a: LoggedRequest, b: LoggedRequest) => number;

function sorted(log: RequestLog, query: ComputedQuery): readonly LoggedRequest[] {
  const limit = Math.min(numberIn(query, 'limit') ?? limitDefault, limitMax);
  const sort = query['sort'] ?? 'newest';
  const orders: ReadonlyMap<string, Order> = new Map<string, Order>([
    ['newest', (a, b) => b.number - a.number],
    ['slowest', (a, b) => tookMs(b, log.wallMs()) - tookMs(a, log.wallMs()) || b.number - a.number],
    ['worst', (a, b) => badness(b, log.wallMs()) - badness(a, log.wallMs()) || b.number - a.number],
    ['failed', (a, b) => Number(isFailed(b)) - Number(isFailed(a)) || b.number - a.number],
  ]);
  const order = orders.get(sort);
  if (order === undefined) throw newBadRequest(`sort=${sort} is none of ${[...orders.keys()].join(', ')}`);
  const { component, webhook } = query;
  const recent = component ? log.clients.recentOf(component) : webhook ? log.clients.recentOf(webhook, 'Webhook') : log.newest();
  const selected = [...recent].filter(matching(query));
  return (sort === 'newest' ? selected : selected.sort(order)).slice(0, limit || limitMax);
}

function matching(query: ComputedQuery): (one: LoggedRequest) => boolean {
  const { client, username, verb, resource, code, failed, namespace, without } = query;
  const leftOut = (without ?? '').split(',').filter((one) => one !== '');
  return (one) =>
    !leftOut.some((prefix) => one.userAgent.startsWith(prefix)) &&
    (!client || one.userAgent.startsWith(client)) &&
    (!username || one.username === username) &&
    (!verb || one.verb === verb) &&
    (!resource || one.resource === resource) &&
    (!namespace || one.namespace === namespace) &&
    (!code || String(one.code) === code) &&
    (failed !== 'true' || isFailed(one));
}

/** Slower than anybody waits without noticing. */
const slowMs = 500;

function badness(one: LoggedRequest, wallMs: number): number {
  return (isFailed(one) ? 2 : 0) + (tookMs(one, wallMs) >= slowMs ? 1 : 0);
}

function isFailed({ code }: LoggedRequest): boolean {
  return code >= 400;
}

/** What is answered for as long as somebody listens is not slow. */
function tookMs(one: LoggedRequest, wallMs: number): number {
  if (one.isInside || one.verb === 'watch' || one.subresource === 'log') return 0;
  return one.isOver ? one.latencyMs : wallMs - one.begunMs;
}

function showRequest(one: LoggedRequest): APIRequest {
  const { username, userAgent, verb, uri, group, resource, subresource, namespace, name, code, reason, message } = one;
  const status: APIRequestStatus = {
    ...{ username, userAgent, verb, requestURI: uri || pathOf(one) },
    ...said({ apiGroup: group, resource, subresource, namespace, name }),
    code,
    ...said({ reason, message }),
    requestReceivedTimestamp: formatMicroTime(one.arrivedMs),
    ...(one.isOver ? { latencyMs: tenths(one.latencyMs) } : {}),
    requestBytes: one.receivedBytes,
    responseBytes: one.sentBytes,
    ...changeOf(one),
  };
  return { kind: 'APIRequest', apiVersion, metadata: { name: String(one.number) }, status };
}

function changeOf({ input, firstRevision, lastRevision }: LoggedRequest): Pick<APIRequestStatus, 'change'> {
  if (input === 0 && lastRevision === 0) return {};
  return { change: { ...(input === 0 ? {} : { input }), firstRevision, lastRevision } };
}

/** A component's request has no path; it is what a client outside would have asked for. */
function pathOf({ group, version, resource, subresource, namespace, name }: LoggedRequest): string {
  const parts = [
    group === '' ? '/api' : `/apis/${group}`,
    version,
    ...(namespace === '' ? [] : ['namespaces', namespace]),
    resource,
    name,
    subresource,
  ];
  return parts.filter((part) => part !== '').join('/');
}

/** Without what is empty. */
function said<K extends string>(texts: { readonly [key in K]: string }): { readonly [key in K]?: string } {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')) as { [key in K]?: string };
}

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}

function clients(log: RequestLog): readonly APIClient[] {
  const counted = log.clients.list().map((count) => showClient(count, log.wallMs()));
  return counted.sort((a, b) => b.status.requests - a.status.requests || ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
}

function showClient(count: ClientCount, wallMs: number): APIClient {
  const { client, type, username, requests, failed, latencyMs, slowestMs, timed, lastMs, verbs, rate } = count;
  const status: APIClientStatus = {
    ...{ client, type, ...(username === '' ? {} : { username }), requests, failed },
    requestsPerSecond: rate.perSecond(wallMs),
    ...(timed === 0 ? {} : { meanLatencyMs: tenths(latencyMs / timed), slowestMs: tenths(slowestMs) }),
    lastRequestTime: formatMicroTime(lastMs),
    verbs: Object.fromEntries([...verbs].sort()),
  };
  return { kind: 'APIClient', apiVersion, metadata: { name: `${type.toLowerCase()}-${client}` }, status };
}

const prefix = 'dev.wavetank.sim.v1alpha1';

function ofRequest(field: (status: APIRequestStatus) => string): (object: KubeObject) => string {
  return (object) => field((object as APIRequest).status);
}

const apiRequestKind = {
  ...virtualKind('APIRequest', 'apirequests', false, [messageField('status', 2, `${prefix}.APIRequestStatus`)], {
    schemas: [
      {
        name: `${prefix}.APIRequestStatus`,
        fields: [
          scalarField('username', 1, 'string', { required: true, description: 'Who asked.' }),
          scalarField('userAgent', 2, 'string', { required: true, description: 'The client, as it names itself; cut at 256 characters.' }),
          scalarField('verb', 3, 'string', { required: true, description: 'What it asked for; of a path that is no resource, the method.' }),
          scalarField('requestURI', 4, 'string', { required: true, description: 'Path and query; cut at 512 characters, and then ends in "…".' }),
          scalarField('apiGroup', 5, 'string'),
          scalarField('resource', 6, 'string'),
          scalarField('subresource', 7, 'string'),
          scalarField('namespace', 8, 'string'),
          scalarField('name', 9, 'string'),
          scalarField('code', 10, 'int64', { required: true, description: 'The HTTP status; 0 while nobody has answered.' }),
          scalarField('reason', 11, 'string', { description: 'Why it was refused, in a word.' }),
          scalarField('message', 12, 'string', { description: 'Why it was refused.' }),
          scalarField('requestReceivedTimestamp', 13, 'microTime', { required: true, description: 'When it came, in virtual time.' }),
          scalarField('latencyMs', 14, 'double', { description: 'How long it took to the last byte, in wall time; absent while it goes on.' }),
          scalarField('requestBytes', 15, 'int64', { required: true }),
          scalarField('responseBytes', 16, 'int64', { required: true }),
          scalarField('change', 17, 'json', { description: 'What it changed: input, firstRevision, lastRevision.' }),
        ],
      },
    ],
    columns: ['Name', 'Received', 'Client', 'User', 'Verb', 'Request', 'Code', 'Latency', 'Changed'].map((name) => ({ name, type: 'string' })),
    row: (object) => {
      const { metadata, status } = object as APIRequest;
      const { requestReceivedTimestamp: received, userAgent, username, verb, requestURI, code, latencyMs, change } = status;
      const took = latencyMs === undefined ? '<open>' : `${latencyMs}ms`;
      const changed = change === undefined ? '<none>' : change.input === undefined ? `rev:${change.lastRevision}` : `input:${change.input}`;
      return [metadata.name ?? '', received, userAgent.split('/')[0] ?? '', username, verb, requestURI, String(code), took, changed];
    },
  }),
  selectableFields: {
    'status.username': ofRequest(({ username }) => username),
    'status.verb': ofRequest(({ verb }) => verb),
    'status.resource': ofRequest(({ resource = '' }) => resource),
    'status.code': ofRequest(({ code }) => String(code)),
    'status.reason': ofRequest(({ reason = '' }) => reason),
  },
};

const apiClientKind = virtualKind('APIClient', 'apiclients', false, [messageField('status', 2, `${prefix}.APIClientStatus`)], {
  schemas: [
    {
      name: `${prefix}.APIClientStatus`,
      fields: [
        scalarField('client', 1, 'string', { required: true, description: 'The product that its user agent names, a component, or who is asked.' }),
        scalarField('type', 2, 'string', { required: true, description: 'Outside, Component, or Webhook (which is asked, and does not ask).' }),
        scalarField('username', 3, 'string', { description: 'Of its last request.' }),
        scalarField('requests', 4, 'int64', { required: true, description: 'Since this process began.' }),
        scalarField('failed', 5, 'int64', {
          required: true,
          description: 'Answered with 400 or more; of a webhook, not answered, or with nothing usable.',
        }),
        scalarField('requestsPerSecond', 6, 'int64', { required: true, description: 'In the last full second of wall time; of components 0.' }),
        scalarField('meanLatencyMs', 7, 'double', { description: 'In wall time, without watches.' }),
        scalarField('slowestMs', 8, 'double', { description: 'In wall time, without watches.' }),
        scalarField('lastRequestTime', 9, 'microTime', { required: true, description: 'In virtual time.' }),
        scalarField('verbs', 10, 'json', { description: 'Requests by verb.' }),
      ],
    },
  ],
  columns: ['Name', 'Type', 'User', 'Requests', 'Failed', 'Per-Second', 'Mean', 'Slowest'].map((name) => ({ name, type: 'string' })),
  row: (object) => {
    const { metadata, status } = object as APIClient;
    const { type, username = '<none>', requests, failed, requestsPerSecond, meanLatencyMs, slowestMs } = status;
    const took = (ms: number | undefined): string => (ms === undefined ? '<none>' : `${ms}ms`);
    return [metadata.name ?? '', type, username, String(requests), String(failed), String(requestsPerSecond), took(meanLatencyMs), took(slowestMs)];
  },
});
