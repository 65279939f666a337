/**
 * The API over HTTP, without sockets: a request in, a response or a stream out. Every request passes the list of filters
 * (`filters/index.ts`), then the handler of resources or that of other paths.
 */
import type { SchemaRegistry } from '../apimachinery/schema.ts';
import type { Status, StatusError } from '../apimachinery/status.ts';
import type { RefusedRequest, Wording } from '../contracts/release.ts';
import { reworded } from './wording.ts';
import type { Cause } from '../base/causes.ts';
import type { Attempt, Finish } from '../contracts/attempt.ts';
import type { TokenRemarks } from '../contracts/tokens.ts';
import type { Ask, Question, AskLater } from '../contracts/questions.ts';
import type { ApiResult } from '../contracts/request.ts';
import { type AuditOptions, Auditor } from './audit/auditor.ts';
import type { AuditSinks } from './audit/sinks.ts';
import { anonymousEverywhere } from './auth/authentication.ts';
import { anonymous, type Authentication } from './auth/authenticator.ts';
import { LastModes } from './auth/constrained-impersonation.ts';
import { allowAll, type Authorizer } from './authorizer.ts';
import type { Codec } from './codec.ts';
import type { Aggregation } from './aggregation/proxy.ts';
import { type DescribeColumn, Encoder } from './encoder.ts';
import type { ReachPod } from './proxy/proxied.ts';
import type { RequestLimiter } from './flowcontrol/seats.ts';
import type { FieldView } from './field-view.ts';
import { ClientSeries } from './metering/client-series.ts';
import { RequestMeter } from './metering/request-meter.ts';
import { chain, type Exchange, type FilterTools, type Handler, type Waited } from './filters/filter.ts';
import { filters } from './filters/index.ts';
import { Passage } from './filters/passage.ts';
import { type AdmittedRequest, headerOf, type HttpPlainResponse, type HttpRequest, type HttpResponse } from './http-types.ts';
import { negotiateError } from './negotiation.ts';
import type { RequestLog } from './requests/request-log.ts';
import { NonResourceHandler, type NonResourceOptions } from './non-resource-handler.ts';
import { noRelease, type ServedRelease, text } from './non-resource.ts';
import type { ApiServer } from './pipeline.ts';
import type { ResourceInfo } from './request-info.ts';
import { ResourceHandler } from './resource-handler.ts';
import { respond } from './respond.ts';

export interface HttpApiOptions extends NonResourceOptions {
  readonly server: ApiServer;
  readonly codec: Codec;
  readonly schemas: SchemaRegistry;
  /** What of the fields clients meet; all of them when absent. `codec` and `schemas` are its own. */
  readonly view?: FieldView | undefined;
  readonly authorizer?: Authorizer;
  readonly connectsCreate?: boolean;
  readonly constrainsImpersonation?: boolean;
  /** Without it nobody is known, and everybody is anonymous. */
  readonly authentication?: Authentication;
  readonly audit?: AuditOptions | undefined;
  /** Where clients have events sent to. */
  readonly auditSinks?: AuditSinks | undefined;
  /** Asks for open streams; without it nobody is asked for them. */
  readonly later?: AskLater | undefined;
  /** Hands requests on to servers in pods. */
  readonly reach?: ReachPod | undefined;
  /** Servers of other APIs that requests are handed on to. */
  readonly aggregation?: Aggregation | undefined;
  /** Gates that words of refusals depend on; none is on when absent. */
  featureEnabled?(gate: string): boolean;
  /** Who may come in at the same time; everybody when absent. */
  readonly limiter?: RequestLimiter | undefined;
  /** What columns of tables are for; nothing is said of them when absent. */
  describeColumn?: DescribeColumn | undefined;
  /** Counts requests in the wall time that this tells; nothing is counted when absent. */
  wallMs?: (() => number) | undefined;
  /** Remembers requests; nobody does when absent. */
  readonly requests?: RequestLog | undefined;
  /** What admission counts, in Prometheus' text form. */
  admissionMetrics?(): string;
  /** Is told of the use of a token of which there is something to say; absent where nobody follows it. */
  tokenUsed?: ((remarks: TokenRemarks) => void) | undefined;
  /** Draws the id of a request, outside of history; counted when absent. */
  newId?: (() => string) | undefined;
  /** Origins whose pages may read answers. */
  readonly corsOrigins?: readonly RegExp[];
  readonly hstsDirectives?: readonly string[];
  /** Why a fault in force fails such a request, and by how much others delay it. */
  faultOn?(asked: AskedFor): StatusError | undefined;
  delayOf?(asked: AskedFor): { readonly delayMs: number; readonly causes: readonly Cause[] };
  /** A request hit a defect; it is answered with 500. */
  onPanic?(error: unknown, what: string): void;
}

/** Of a request for a resource, what faults look at. */
export interface AskedFor {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly user: string;
}

/** What a request does, as one attempt; the causes are those that its writes will have. */
export type Serve = (attempt: Attempt, causes: readonly Cause[]) => Finish<ApiResult>;

/**
 * Makes the attempts at a request and keeps what one of them changed. It is called when the caller may do what it asks for and its
 * body has been understood. What only reads has nothing to keep.
 */
export type Enter = (request: AdmittedRequest, changesState: boolean, serve: Serve) => ApiResult;

export class HttpApi {
  /** What every request passes, and what one passes again that had come in. */
  readonly #fresh: Handler;
  readonly #passed: Handler;
  readonly #resources: ResourceHandler;
  readonly #nonResources: NonResourceHandler;
  readonly #encoder: Encoder;
  readonly #words: readonly Wording[];
  readonly #retell: ServedRelease['retell'];
  readonly #featureEnabled: (gate: string) => boolean;
  readonly #release: ServedRelease;
  readonly #aggregation: Aggregation | undefined;
  readonly #meter: RequestMeter | undefined;
  readonly #requests: RequestLog | undefined;
  /** Who is not believed is asked for a name and a password. */
  readonly #asksForPasswords: boolean;
  /** Absent where nothing is audited. */
  readonly auditor: Auditor | undefined;
  readonly newId: () => string;

  constructor(options: HttpApiOptions) {
    const { audit, server } = options;
    this.#aggregation = options.aggregation;
    this.#requests = options.requests;
    this.#asksForPasswords = options.authentication?.passwords !== undefined;
    const clients = options.release?.paths?.metrics?.tellsClients === true ? new ClientSeries(server.storages) : undefined;
    this.#meter = options.wallMs === undefined ? undefined : new RequestMeter(server.storages, options.wallMs, options.requests, clients);
    this.#words = (options.release ?? noRelease).words;
    this.#retell = options.release?.retell;
    this.#featureEnabled = options.featureEnabled ?? (() => false);
    this.#release = options.release ?? noRelease;
    const { core } = server.registry;
    this.auditor = audit && new Auditor(audit, () => core.nowMs(), options.auditSinks, !core.ratcheted('AuditedDetails'));
    this.newId = options.newId ?? countedIds();
    this.#encoder = new Encoder(options.codec, options.server.registry.core, options.schemas, options.view, options.describeColumn);
    this.#resources = new ResourceHandler({
      ...options,
      release: options.release ?? noRelease,
      encoder: this.#encoder,
      featureEnabled: (gate) => server.registry.core.featureEnabled(gate),
      kinds: server.registry.table,
    });
    this.#nonResources = new NonResourceHandler(options.server, this.#encoder, {
      ...options,
      filterMetrics: () => {
        const limits = options.limiter?.metrics() ?? '';
        return `${(this.auditor ?? new Auditor({ backends: [] }, () => 0)).metrics()}${limits}${this.#meter?.text(limits) ?? ''}${options.admissionMetrics?.() ?? ''}`;
      },
    });
    const tools: FilterTools = {
      auditor: this.auditor,
      limiter: options.limiter,
      meter: this.#meter,
      tokenUsed: options.tokenUsed,
      newId: this.newId,
      authorizer: options.authorizer ?? allowAll,
      warns: this.#release.warnsOfDeprecation,
      marksAnswers: this.#release.marksAnswers,
      judgesTimeouts: this.#release.judgesTimeouts,
      connectsCreate: options.connectsCreate === true,
      impersonationModes: options.constrainsImpersonation === true ? new LastModes() : undefined,
      impersonationRules: server.registry.core.ratcheted('CompletedImpersonation') ? 'present' : 'old',
      authentication: options.authentication ?? { tokens: [], anonymous: anonymousEverywhere, requestHeader: undefined, certificatesHaveUids: true },
      corsOrigins: options.corsOrigins ?? [],
      hstsDirectives: options.hstsDirectives ?? [],
      failure: (error, exchange) => this.#failure(error, exchange),
      faultOn: (exchange) => (exchange.info.isResource ? options.faultOn?.(askedFor(exchange, exchange.info)) : undefined),
      delayOf: (exchange) => (exchange.info.isResource ? options.delayOf?.(askedFor(exchange, exchange.info)) : undefined),
      onPanic: (error, { request }) => options.onPanic?.(error, `${request.method} ${request.path}`),
    };
    const meter = this.#meter;
    const served: Handler = (exchange) => this.#last(exchange);
    const last: Handler = meter === undefined ? served : (exchange) => meter.serve(exchange, served);
    this.#fresh = chain(filters, tools, last);
    this.#passed = chain(
      filters.filter((filter) => filter.isGuard !== true),
      tools,
      last,
    );
  }

  /**
   * May throw Asked, Postponed or Queued: then the request is handled again from the start, with an answer, or when it has `waited` or has a seat, and with the
   * same passage.
   */
  handle(request: HttpRequest, enter: Enter, ask: Ask = nobodyAsked, waited: Waited = 'not yet', passage = new Passage()): HttpResponse {
    const log = this.#requests;
    if (log === undefined) return this.#fresh({ ...open(request, enter, ask, passage, this.#release), waited });
    const logged = (passage.logged ??= log.begin(request));
    const response = this.#fresh({ ...open(request, enter, ask, passage, this.#release), waited });
    log.answered(logged, response);
    return response;
  }

  /** Makes a request again that was let in. */
  replay(request: AdmittedRequest, enter: Enter): HttpResponse {
    return this.#passed({ ...open(request, enter, nobodyAsked, new Passage(), this.#release), identity: request.identity });
  }

  #last(exchange: Exchange): HttpResponse {
    // Routes are compared as they are written, and the group without a name is at /api alone; rights were judged by what the path says else.
    if (exchange.path.startsWith('//')) return this.#nonResources.notFound();
    if (exchange.path.startsWith('/apis//')) return text(404, '404 page not found\n');
    const aggregated = this.#aggregation?.handle(exchange);
    if (aggregated !== undefined) return aggregated;
    if (!exchange.info.isResource) return this.#nonResources.handle(exchange);
    return this.#resources.handle(exchange, exchange.info, exchange.enter);
  }

  #failure(error: StatusError, exchange: Exchange): HttpPlainResponse {
    const { negotiation, request, passage } = exchange;
    if (passage.logged !== undefined) this.#requests?.failed(passage.logged, error.status);
    const retold = this.#retell?.(error.status, refusedRequest(request), this.#featureEnabled) ?? error.status;
    const status = reworded(retold, this.#words);
    if (error.isBare && this.#release.judgesTimeouts)
      return { status: status.code, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: bareText(status) };
    const retry = status.details?.retryAfterSeconds;
    const headers = {
      ...(retry === undefined || retry === 0 ? {} : { 'retry-after': String(retry) }),
      ...(error.isUnsniffed && { 'x-content-type-options': 'nosniff' }),
      ...(status.code === 401 && this.#asksForPasswords && { 'www-authenticate': 'Basic realm="kubernetes-master"' }),
    };
    return respond(
      status.code,
      this.#encoder.plain(status, negotiateError({ ...negotiation, ...(passage.served !== undefined && { served: passage.served }) })),
      error.warnings,
      headers,
    );
  }
}

/** Mirrors WithTimeout of apiserver pkg/server/filters. */
function bareText({ kind: _kind, apiVersion: _apiVersion, ...status }: Status): string {
  return `${JSON.stringify(status)}\n`;
}

function refusedRequest(request: HttpRequest): RefusedRequest {
  return {
    method: request.method,
    path: request.path,
    query: request.query,
    header: (name) => headerOf(request, name),
    body: () => new TextDecoder().decode(request.body),
  };
}

function open(request: HttpRequest, enter: Enter, ask: Ask, passage: Passage, release: ServedRelease): Exchange {
  const query = new URLSearchParams(readable(request.query));
  for (const name of release.laterQueries) query.delete(name);
  return {
    request,
    enter,
    ask,
    waited: 'not yet',
    passage,
    query,
    negotiation: {
      accept: headerOf(request, 'accept'),
      pretty: query.get('pretty') ?? undefined,
      userAgent: headerOf(request, 'user-agent'),
      ...(release.hasBetaFormsOnly === true && { hasBetaFormsOnly: true }),
    },
    path: request.path,
    info: { isResource: false, verb: request.method.toLowerCase(), segments: [] },
    identity: anonymous,
  };
}

/** Go reads over what it cannot read of a query: a part with a semicolon, or with a percent sign that begins no byte. */
function readable(query: string): string {
  if (!query.includes(';') && !query.includes('%')) return query;
  const isRead = (part: string): boolean => !part.includes(';') && !/%(?![0-9a-fA-F]{2})/.test(part);
  return query.split('&').filter(isRead).join('&');
}

/** Like uuids. */
function countedIds(): () => string {
  let count = 0;
  return () => `00000000-0000-4000-8000-${(++count).toString(16).padStart(12, '0')}`;
}

/** Of a request that came in once only the attempts are made again, and they have answers of their own. */
function nobodyAsked({ to }: Question): never {
  throw new Error(`${to} cannot be asked here`);
}

function askedFor({ identity }: Exchange, { verb, group, resource }: ResourceInfo): AskedFor {
  return { verb, group, resource, user: identity.name };
}
