/** Discovery and the other paths that are no resources. Mirrors apiserver pkg/endpoints/discovery and pkg/server/routes. */
import { newGenericServerResponse } from '../apimachinery/errors.ts';
import type { GroupVersion } from '../apimachinery/object.ts';
import type { JsonObject } from '../base/json.ts';
import type { APIService } from '../api/apiregistration/v1/types.gen.ts';
import type { Ask } from '../contracts/questions.ts';
import { groupOf, withAggregated, withGroups } from './aggregation/discovery.ts';
import type { Aggregation } from './aggregation/proxy.ts';
import { issuerPaths } from './auth/issuer-documents.ts';
import { Discovery } from './discovery.ts';
import type { RequestLimiter } from './flowcontrol/seats.ts';
import type { Encoder } from './encoder.ts';
import type { Exchange } from './filters/filter.ts';
import { headerOf, type HttpPlainResponse, type HttpRequest, type HttpResponse } from './http-types.ts';
import { metricPage } from '../base/prometheus-text.ts';
import { binaryVersion, identityMetrics, objectMetrics } from './metering/server-metrics.ts';
import {
  type MediaType,
  mediaTypes,
  negotiateError,
  negotiateOutput,
  checkRouteBody,
  negotiateRoute,
  parseAccept,
  type NegotiationInput,
  type OutputForm,
} from './negotiation.ts';
import { checksNamed, health, type HealthCheck, pathsOfChecks } from './health.ts';
import { HealthTally } from './health-tally.ts';
import { pageFormOf, pageHead, pageObject } from './page-forms.ts';
import { flagz, flagzMembers, statusz, statuszMembers } from './zpages.ts';
import { olderPage } from './metering/older-page.ts';
import { defaultAddress, describeVersion, json, noRelease, type ServedRelease, text } from './non-resource.ts';
import type { DocumentHandler } from './openapi/openapi.ts';
import type { ApiServer } from './pipeline.ts';

export interface NonResourceOptions {
  /** `127.0.0.1:6443`, for `/api`. */
  address?(): string | undefined;
  readonly healthChecks?: readonly HealthCheck[];
  readonly release?: ServedRelease;
  /** SHA-256 in hexadecimal digits. */
  readonly hash?: (text: string) => string;
  /** Metrics in text form. */
  metrics?(): string;
  readonly limiter?: RequestLimiter | undefined;
  /** Metrics of the parts that a request passes. */
  filterMetrics?(): string;
  /** What the process counts of itself, in the same form. */
  processMetrics?(): string;
  /** Options in force, for `/flagz`. */
  flags?(): readonly (readonly [name: string, value: string])[];
  /** Servers of other APIs, whose groups discovery lists too. */
  readonly aggregation?: Aggregation | undefined;
  /** Further documents by path, e.g. OpenAPI; undefined when the path is none of them. */
  documents?: DocumentHandler;
}

/** The group of the server that stands before all others, which leads to it as to its versions. */
const aggregatorGroup = 'apiregistration.k8s.io';

export class NonResourceHandler {
  readonly #server: ApiServer;
  readonly #encoder: Encoder;
  readonly #options: NonResourceOptions;
  readonly #discovery: Discovery;
  readonly #health = new HealthTally();
  readonly #startedMs: number;

  constructor(server: ApiServer, encoder: Encoder, options: NonResourceOptions) {
    this.#server = server;
    this.#encoder = encoder;
    this.#options = options;
    this.#startedMs = server.registry.core.nowMs();
    const hash = server.registry.core.featureEnabled('StorageVersionHash') ? options.hash : undefined;
    this.#discovery = new Discovery(server.storages, () => options.address?.() ?? defaultAddress, options.release, hash);
  }

  handle({ request, query, negotiation, path, info, ask }: Exchange): HttpResponse {
    const segments = info.isResource ? [] : info.segments;
    if (this.#options.release?.paths?.later.some((one) => path === one || path.startsWith(`${one}/`)) === true) return this.notFound();
    const document = this.#described(request, path, ask);
    if (document !== undefined) return document;
    const [first, group, groupVersion] = segments;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    switch (first) {
      case undefined:
        return json({ paths: this.#paths() });
      // The same, which the list itself does not name.
      case 'index.html':
        return segments.length > 1 ? this.notFound() : json({ paths: this.#paths() });
      case 'version':
        if (segments.length > 1) throw newGenericServerResponse({ code: 404, verb: request.method });
        if (request.method !== 'GET') throw newGenericServerResponse({ code: 405, verb: request.method });
        negotiateDocument(request, negotiation.accept, ['application/json']);
        return json(describeVersion(this.#options.release ?? noRelease));
      case 'healthz':
      case 'livez':
      case 'readyz':
        return health(path, query, this.#health, this.#checks()) ?? this.notFound();
      case 'flagz':
      case 'statusz':
        return this.#page(first, path, negotiation) ?? this.notFound();
      case 'debug': {
        const dump = this.#options.limiter?.dump(path, query.get('includeRequestDetails') === '1');
        return dump === undefined ? this.notFound() : text(200, dump);
      }
      case 'metrics':
        return this.#metrics(path) ?? this.notFound();
      case 'logs':
        return this.#logs(path, isRead ? undefined : request.method, negotiation.accept) ?? this.notFound();
      case 'api':
      case 'apis':
        return this.#listed({ request, negotiation, ask }, first, group, groupVersion);
      default:
        return this.notFound();
    }
  }

  /** What stands before the groups' own servers lists groups whatever is to be done with them; those servers let their versions be read. */
  #listed(exchange: Pick<Exchange, 'request' | 'negotiation' | 'ask'>, first: 'api' | 'apis', group?: string, groupVersion?: string): HttpResponse {
    const { method } = exchange.request;
    const isAnyMethod = method === 'GET' || (first === 'apis' && groupVersion === undefined && group !== aggregatorGroup);
    return this.#discover(exchange, first, group, groupVersion, () => {
      if (!isAnyMethod) throw newGenericServerResponse({ code: 405, verb: method });
    });
  }

  notFound(): HttpPlainResponse {
    const paths = this.#options.release?.paths?.indexOfNothing;
    return paths === undefined ? text(404, '404 page not found\n') : { ...json({ paths }), status: 404 };
  }

  /** A folder in which there is nothing: the server has no machine that could keep logs. */
  #logs(path: string, otherMethod: string | undefined, accept: string): HttpPlainResponse | undefined {
    if (this.#options.release?.paths?.logs !== true) return undefined;
    if (otherMethod !== undefined) throw newGenericServerResponse({ code: 405, verb: otherMethod });
    negotiateRoute(accept, []);
    if (path === '/logs') return { status: 301, headers: { location: 'logs/' }, body: '' };
    if (path !== '/logs/') return text(404, '404 page not found\n');
    return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: '<pre>\n</pre>\n' };
  }

  #metrics(path: string): HttpPlainResponse | undefined {
    const { metrics, filterMetrics, processMetrics, release = noRelease } = this.#options;
    if (path === '/metrics/slis') return metricsText(this.#health.page(this.#startedMs));
    if (path !== '/metrics') return undefined;
    const parts = [metrics?.() ?? objectMetrics(this.#server), filterMetrics?.() ?? '', processMetrics?.() ?? '', identityMetrics(release)];
    const told = release.paths?.metrics;
    return told === undefined ? metricsText(metricPage(parts)) : metricsText(olderPage(metricPage(parts), told), told.contentType);
  }

  #page(name: 'flagz' | 'statusz', path: string, negotiation: NegotiationInput): HttpResponse | undefined {
    const { core } = this.#server.registry;
    if (path !== `/${name}` || !core.featureEnabled(name === 'flagz' ? 'ComponentFlagz' : 'ComponentStatusz')) return undefined;
    const kind = name === 'flagz' ? 'Flagz' : 'Statusz';
    const form = pageFormOf(negotiation, kind, core.featureEnabled('CBORServingAndStorage'));
    const flags = this.#options.flags?.() ?? [];
    const state = { startedMs: this.#startedMs, nowMs: core.nowMs(), version: binaryVersion(this.#options.release ?? noRelease) };
    if (form === undefined) return page(kind === 'Flagz' ? flagz(flags) : statusz(state));
    const object = pageObject(kind, form, kind === 'Flagz' ? flagzMembers(flags) : statuszMembers(state));
    const pretty = negotiateError(negotiation).pretty;
    const { body } = this.#encoder.untyped(object, { mediaType: form.mediaType, pretty, transformVersion: 'v1' });
    return { status: 200, headers: pageHead(kind, form), body, gzipOver: this.#encoder.gzipOver };
  }

  #checks(): readonly HealthCheck[] | undefined {
    const { healthChecks, release } = this.#options;
    if (healthChecks !== undefined) return healthChecks;
    return release?.paths && checksNamed(release.paths.healthChecks);
  }

  #discover(
    { request, negotiation, ask }: Pick<Exchange, 'request' | 'negotiation' | 'ask'>,
    prefix: string,
    group: string | undefined,
    groupVersion: string | undefined,
    checkMethod: () => void,
  ): HttpResponse {
    const routed = (): void => {
      checkMethod();
      negotiateDocument(request, negotiation.accept, negotiation.served ?? mediaTypes);
    };
    if (group === undefined) {
      const { aggregated } = (this.#options.release ?? noRelease).discovers;
      const form = aggregated ? aggregatedForm(negotiation.accept) : undefined;
      if (form !== undefined) checkMethod();
      if (form !== undefined) return this.#aggregated(request, ask, prefix === 'api', form);
      return prefix === 'api'
        ? this.#document(this.#discovery.versions(), negotiation, routed)
        : this.#document(withGroups(this.#discovery.groupList(), this.#options.aggregation?.all() ?? []), negotiation, checkMethod);
    }
    if (groupVersion === undefined && prefix !== 'api')
      return this.#document(
        groupOf(group, this.#discovery.group(group), this.#options.aggregation?.all() ?? []),
        negotiation,
        group === aggregatorGroup ? routed : checkMethod,
      );
    const gv = prefix === 'api' ? { group: '', version: group } : { group, version: groupVersion ?? '' };
    this.#mustHave(gv, request.method);
    return this.#document(this.#discovery.resources(gv), negotiation, routed);
  }

  /** Groups that nobody serves, and versions of users' own that are not served, are answered by the last of upstream's servers, in a line of text. */
  #mustHave(gv: GroupVersion, verb: string): void {
    if (this.#discovery.resources(gv) === undefined && (gv.group === '' || this.#discovery.hasBuiltIn(gv.group)))
      throw newGenericServerResponse({ code: 404, verb });
  }

  /** `check` throws for requests that a route does not take, once there is one. The list of groups and what a group has stand before routes. */
  #document(document: JsonObject | undefined, negotiation: NegotiationInput, check: () => void): HttpResponse {
    if (document === undefined) return text(404, '404 page not found\n');
    check();
    const { contentType, body } = this.#encoder.plain(document, negotiateOutput(negotiation, 'nothing'));
    return { status: 200, headers: { 'content-type': contentType }, body, gzipOver: this.#encoder.gzipOver };
  }

  #others(): readonly APIService[] {
    return this.#options.aggregation?.services() ?? [];
  }

  #described(request: HttpRequest, path: string, ask: Ask): HttpPlainResponse | undefined {
    const { documents, aggregation } = this.#options;
    if (aggregation === undefined || this.#others().length === 0) return documents?.(request, path);
    return documents?.(request, path, { texts: () => aggregation.openApiTexts(ask), paths: () => aggregation.openApiPaths(ask) });
  }

  #aggregated(request: HttpRequest, ask: Ask, core: boolean, form: OutputForm): HttpResponse {
    const own = this.#discovery.aggregated(core);
    const { aggregation } = this.#options;
    const resourcesOf = (service: APIService): unknown => aggregation?.resourcesOf(service, ask);
    const document = core ? own : withAggregated(own, { services: this.#others(), all: aggregation?.all() ?? [], resourcesOf });
    const etag = `"${hash(JSON.stringify(document))}"`;
    const headers = { etag, vary: 'Accept', 'cache-control': 'public' };
    if (headerOf(request, 'if-none-match') === etag) return { status: 304, headers, body: '' };
    const { contentType, body } = this.#encoder.plain(document, form);
    return {
      status: 200,
      headers: { ...headers, 'content-type': `${contentType};g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList` },
      body,
      gzipOver: this.#encoder.gzipOver,
    };
  }

  #paths(): readonly string[] {
    const { later = [], openApi = {}, healthChecks, logs } = this.#options.release?.paths ?? {};
    const always = [
      ...Object.values(issuerPaths),
      '/api',
      '/apis',
      '/apis/',
      '/flagz',
      '/healthz',
      '/livez',
      '/metrics',
      '/metrics/slis',
      '/openapi/v2',
      '/openapi/v3',
      '/openapi/v3/',
      '/readyz',
      '/statusz',
      '/version',
    ];
    const paths = new Set([
      ...always.filter((path) => !later.some((one) => path === one || path.startsWith(`${one}/`))),
      ...Object.keys(openApi),
      ...(logs === true ? ['/logs'] : []),
      ...(this.#options.release?.swagger === undefined ? [] : ['/swaggerapi']),
      ...(healthChecks?.map((name) => `/healthz/${name}`) ?? pathsOfChecks()),
    ]);
    for (const gv of this.#discovery.groupVersions()) {
      if (gv.group === '') paths.add(`/api/${gv.version}`);
      else paths.add(`/apis/${gv.group}`).add(`/apis/${gv.group}/${gv.version}`);
    }
    return [...paths].sort();
  }
}

/** Before what is taken in an answer: what the request says of its body, which nobody reads. */
function negotiateDocument(request: HttpRequest, accept: string, types: readonly string[]): void {
  const contentType = headerOf(request, 'content-type');
  if (contentType !== '') checkRouteBody(contentType, types);
  negotiateRoute(accept, types);
}

const aggregatedTypes: readonly MediaType[] = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

/** Its beta was removed with release 1.35. */
function aggregatedForm(accept: string): OutputForm | undefined {
  for (const clause of parseAccept(accept)) {
    const { as, g, v } = clause.parameters;
    const mediaType = aggregatedTypes.find((type) => type === `${clause.type}/${clause.subtype}`);
    if (mediaType === undefined) continue;
    if (as === undefined && g === undefined) return undefined;
    if (as !== 'APIGroupDiscoveryList' || g !== 'apidiscovery.k8s.io' || v !== 'v2') continue;
    return { mediaType, pretty: false, transformVersion: 'v1' };
  }
  return undefined;
}

/** FNV-1a over two lanes: a name for a text, nothing secret. */
function hash(value: string): string {
  let high = 0x811c9dc5;
  let low = 0x01000193;
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low + code, 0x85ebca6b) ^ (low >>> 13);
  }
  return ((high >>> 0).toString(16).padStart(8, '0') + (low >>> 0).toString(16).padStart(8, '0')).toUpperCase();
}

function page(body: string): HttpPlainResponse {
  return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body };
}

function metricsText(body: string, contentType = 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores'): HttpPlainResponse {
  return { status: 200, headers: { 'content-type': contentType }, body, gzipOver: 0 };
}
