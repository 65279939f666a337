/**
 * Requests for groups that another server serves, handed on to it with the identity of who asks. They are outside of history: nothing
 * of this cluster is read or written by them. Mirrors kube-aggregator pkg/apiserver/handler_proxy.go.
 */
import type { APIService } from '../../api/apiregistration/v1/types.gen.ts';
import type { Service } from '../../api/core/v1/types.gen.ts';
import type { Answer, Question } from '../../contracts/questions.ts';
import { decodeBase64 } from '../../base/base64.ts';
import { isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { Ask } from '../../contracts/questions.ts';
import type { ApiRequest, ApiResult, Identity } from '../../contracts/request.ts';
import type { RestStorages } from '../storage/rest-storages.ts';
import { type FindPodServer, type RouteReader, routeTo } from '../admission/webhooks/routes.ts';
import type { Exchange } from '../filters/filter.ts';
import { headerOf, type HttpRequest, type HttpResponse, type HttpStreamSink } from '../http-types.ts';
import { text } from '../non-resource.ts';
import type { ForeignText } from '../openapi/openapi.ts';
import { byPriority, versionsOf } from './discovery.ts';
import { givesWay } from './local-services.ts';
import { askInside, insideCall, refusalInside } from './inside.ts';
import {
  addressOf,
  type AggregatedHeaders,
  type AggregatedReply,
  callTo,
  identityHeaders,
  isAvailable,
  questionTo,
  serviceBehind,
} from './backend.ts';

/** As long as upstream lets a request take that is no watch. */
const timeoutMs = 60_000;
const probeMs = 5_000;
/** What was said of an API counts so long; what could not be had is asked again. */
const openApiKeptMs = ({ outcome }: Answer): number => (outcome === 'answered' ? 60_000 : 0);
/** Of a connection and not of what it carries, and whom only the front proxy may name. */
const notHandedOn =
  /^(?::|connection$|keep-alive$|proxy-|te$|trailer$|transfer-encoding$|upgrade$|host$|content-length$|authorization$|sec-websocket-protocol$|impersonate-|x-remote-|accept-encoding$|cookie$)/;
const notHandedBack = /^(?::|connection$|keep-alive$|proxy-|trailer$|transfer-encoding$|upgrade$|content-length$|date$|audit-id$|cache-control$)/;

const openApiRoot = '/openapi/v3';

export interface AggregationOptions {
  readonly storages: RestStorages;
  readonly reader: RouteReader;
  readonly podServer: FindPodServer;
  /** Whether servers of other APIs are told the uid of who asks (RemoteRequestHeaderUID). */
  readonly tellsUids: boolean;
  /** Joins a client to a stream that an answer named; returns what ends it. */
  follow(stream: string, sink: HttpStreamSink): () => void;
}

export class Aggregation {
  readonly #options: AggregationOptions;

  constructor(options: AggregationOptions) {
    this.#options = options;
  }

  /** All APIServices. */
  all(): readonly APIService[] {
    return this.#options.reader.stored('apiregistration.k8s.io/apiservices') as readonly APIService[];
  }

  /** Those that Services stand behind. */
  services(): readonly APIService[] {
    return this.all().filter((one) => this.#isBehind(one));
  }

  /** Undefined for what is served here, or by nobody. */
  handle(exchange: Exchange): HttpResponse | undefined {
    const { request, passage, identity, info } = exchange;
    // What describes a group and version in OpenAPI comes from whom it comes from itself.
    const of = exchange.path.startsWith(openApiRoot) ? exchange.path.slice(openApiRoot.length) : exchange.path;
    const [, prefix, group = '', version = ''] = of.split('/');
    if (prefix !== 'apis' || group === '' || version === '') return undefined;
    // Most of what is asked for is served here, and looked up no further.
    if (info.isResource && !givesWay.has(info.group) && this.#options.storages.find(info.group, info.version, info.resource, '') !== undefined)
      return undefined;
    const apiService = this.#options.reader.lookup('apiregistration.k8s.io', 'apiservices', undefined, `${version}.${group}`) as
      | APIService
      | undefined;
    if (apiService === undefined || !this.#isBehind(apiService)) return undefined;
    // What it said of itself is forgotten with it.
    if (!isAvailable(apiService)) return of === exchange.path ? text(503, 'service unavailable\n') : text(404, '');
    const headers = {
      ...handedOn(request),
      ...this.#whoAsks(identity),
      'audit-id': passage.auditId,
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': new URL(this.urlOf(apiService)).host,
      'x-forwarded-proto': 'https',
      'x-forwarded-uri': request.path,
    };
    const path = request.query === '' ? request.path : `${request.path}?${request.query}`;
    if (isUpgrade(request)) {
      const { reader, podServer } = this.#options;
      const asked = { method: request.method, path, headers: { ...headers, ...upgradeHeaders(request) }, isStream: true, timeoutMs };
      const call = callTo(apiService, asked, reader, podServer);
      return typeof call === 'string' ? text(503, `${call}\n`) : { upgrade: 'aggregated', call };
    }
    const isStream = isWatch(exchange);
    return this.#handOn(exchange, apiService, { method: request.method, path, headers, body: request.body, isStream, timeoutMs });
  }

  /** The same for reads of components, whose question holds time. Undefined for what is served here, or by nobody. */
  handOnInside(request: ApiRequest): ((ask: Ask) => ApiResult) | undefined {
    const { group, version, resource } = request;
    const isRead = request.verb === 'get' || request.verb === 'list';
    const { storages, reader, podServer } = this.#options;
    if (!isRead || group === '' || (!givesWay.has(group) && storages.find(group, version, resource, '') !== undefined)) return undefined;
    const apiService = reader.lookup('apiregistration.k8s.io', 'apiservices', undefined, `${version}.${group}`) as APIService | undefined;
    if (apiService === undefined || !this.#isBehind(apiService)) return undefined;
    return (ask) => {
      if (!isAvailable(apiService)) throw refusalInside(request, 503, 'text/plain', 'service unavailable\n');
      return askInside(request, questionTo(apiService, insideCall(request, this.#whoAsks(request.identity)), reader, podServer), ask);
    };
  }

  /** The versions of a group that other servers have and that answer, the preferred one first; undefined where none is registered. */
  versionsOf(group: string): readonly string[] | undefined {
    return versionsOf(group, this.services());
  }

  /** What the server behind an APIService says at its own path; undefined where it says nothing of use. */
  resourcesOf(apiService: APIService, ask: Exchange['ask']): unknown {
    return this.#documentOf(apiService, pathOf(apiService), identityHeaders('system:kube-aggregator', ['system:masters']), ask);
  }

  /** Where the servers of other APIs describe them in OpenAPI v3: what their own indexes say, by group and version. */
  openApiPaths(ask: Exchange['ask']): JsonObject {
    const paths: [string, JsonValue][] = [];
    for (const apiService of this.services()) {
      const index = this.#documentOf(apiService, openApiRoot, identityHeaders('system:aggregator', []), ask);
      const found = isObject(index) && isObject(index['paths']) ? index['paths'] : {};
      paths.push(...Object.entries(found));
    }
    return Object.fromEntries(paths);
  }

  /** How the servers of other APIs describe them in OpenAPI v2, the highest priority first; each is asked once a minute, as by upstream. */
  openApiTexts(ask: Exchange['ask']): readonly ForeignText[] {
    return byPriority(this.services()).flatMap((apiService) => {
      const text = this.#textOf(apiService, '/openapi/v2', identityHeaders('system:aggregator', []), ask, openApiKeptMs);
      return text === undefined ? [] : [{ prefix: `${pathOf(apiService)}/`, text }];
    });
  }

  /** JSON; undefined for what cannot be had. */
  #documentOf(apiService: APIService, path: string, identity: AggregatedHeaders, ask: Exchange['ask']): unknown {
    const text = this.#textOf(apiService, path, identity, ask);
    return text === undefined ? undefined : parsed(text);
  }

  #textOf(apiService: APIService, path: string, identity: AggregatedHeaders, ask: Exchange['ask'], keptMs?: Question['keptMs']): string | undefined {
    if (!isAvailable(apiService)) return undefined;
    const headers = { accept: 'application/json', ...identity };
    const { reader, podServer } = this.#options;
    const question = questionTo(apiService, { method: 'GET', path, headers, timeoutMs: probeMs }, reader, podServer);
    if (typeof question === 'string') return undefined;
    const answer = ask(keptMs === undefined ? question : { ...question, keptMs });
    if (answer.outcome !== 'answered') return undefined;
    const { code, body = '' } = answer.body as unknown as AggregatedReply;
    return code === 200 ? new TextDecoder().decode(decodeBase64(body)) : undefined;
  }

  /** What asks the server behind an APIService whether it is there; a text says why it cannot be asked. Undefined for what is served in its place. */
  probeOf(apiService: APIService): Question | string | undefined {
    const { reader, podServer } = this.#options;
    if (givesWay.has(apiService.spec?.group ?? '') && !this.#leadsOutside(apiService)) return undefined;
    const headers = identityHeaders('system:kube-aggregator', ['system:masters']);
    return questionTo(apiService, { method: 'GET', path: pathOf(apiService), headers, timeoutMs: probeMs }, reader, podServer);
  }

  /** As messages name it. */
  urlOf(apiService: APIService): string {
    const { namespace = '', name = '', port = 443 } = serviceBehind(apiService) ?? {};
    const service = this.#options.reader.lookup('', 'services', namespace, name) as Service | undefined;
    return `https://${service === undefined ? `${name}.${namespace}.svc:${port}` : addressOf(service, port)}${pathOf(apiService)}`;
  }

  #handOn({ ask }: Exchange, apiService: APIService, asked: Parameters<typeof questionTo>[1]): HttpResponse {
    const { reader, podServer, follow } = this.#options;
    const question = questionTo(apiService, asked, reader, podServer);
    if (typeof question === 'string') return unreachable(question);
    const answer = ask(question);
    if (answer.outcome === 'timedOut') return unreachable('context deadline exceeded');
    if (answer.outcome === 'failed') return unreachable(answer.message);
    const { code, headers: given, body = '', stream } = answer.body as unknown as AggregatedReply;
    const headers = Object.fromEntries(Object.entries(given).filter(([name]) => !notHandedBack.test(name)));
    if (stream === undefined) return { status: code, headers, body: decodeBase64(body) };
    return { status: code, headers, open: (sink) => follow(stream, sink) };
  }

  #whoAsks({ name, groups, uid, extra }: Identity): AggregatedHeaders {
    return identityHeaders(name, groups, this.#options.tellsUids ? uid : undefined, extra);
  }

  /** Whether a Service stands behind it, and not this server. */
  #isBehind(apiService: APIService): boolean {
    const { spec } = apiService;
    const isServedHere = (): boolean =>
      this.#options.storages.list().some(([{ kind }]) => kind.group === spec?.group && kind.version === spec?.version);
    if (serviceBehind(apiService) === undefined) return false;
    return givesWay.has(spec?.group ?? '') ? this.#leadsOutside(apiService) : !isServedHere();
  }

  #leadsOutside(apiService: APIService): boolean {
    const { namespace = '', name = '', port = 443 } = serviceBehind(apiService) ?? {};
    const { reader, podServer } = this.#options;
    return reader.lookup('', 'services', namespace, name) !== undefined && routeTo(namespace, name, port, reader, podServer).type === 'outside';
  }
}

function pathOf({ spec }: APIService): string {
  return `/apis/${spec?.group ?? ''}/${spec?.version ?? ''}`;
}

function unreachable(why: string): HttpResponse {
  return text(503, `error trying to reach service: ${why}\n`);
}

function isWatch({ info, query }: Exchange): boolean {
  if (info.isResource && (info.verb === 'watch' || info.subresource === 'log')) return true;
  return ['1', 'true'].includes(query.get('watch') ?? '') || query.get('follow') === 'true';
}

function isUpgrade(request: HttpRequest): boolean {
  return headerOf(request, 'upgrade') !== '' && /\bupgrade\b/i.test(headerOf(request, 'connection'));
}

/** A token that a websocket carries among its protocols is for this server alone. */
function upgradeHeaders(request: HttpRequest): { readonly [name: string]: string } {
  const protocols = headerOf(request, 'sec-websocket-protocol')
    .split(',')
    .map((protocol) => protocol.trim())
    .filter((protocol) => protocol !== '' && !protocol.startsWith('base64url.bearer.authorization.k8s.io.'));
  const upgrade = { connection: 'Upgrade', upgrade: headerOf(request, 'upgrade') };
  return protocols.length === 0 ? upgrade : { ...upgrade, 'sec-websocket-protocol': protocols.join(', ') };
}

function handedOn(request: HttpRequest): { readonly [name: string]: string } {
  const names = Object.keys(request.headers).filter((name) => !notHandedOn.test(name));
  return Object.fromEntries(names.map((name) => [name, headerOf(request, name)]));
}

export function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
