/**
 * What upstream counts of requests: how many, how long, how large, how many are open. In wall time and outside of history: nothing in a
 * cluster reads what is counted here. Mirrors apiserver pkg/endpoints/metrics.
 */
import { StatusError } from '../../apimachinery/status.ts';
import type { Exchange, Handler } from '../filters/filter.ts';
import type { Chunk, Gathered, Headers, HttpPlainResponse, HttpResponse, HttpStreamResponse, StreamChunk } from '../http-types.ts';
import type { MetricLabels } from '../../base/prometheus-text.ts';
import { removedRelease } from '../deprecation.ts';
import type { Histogram } from '../metrics-text.ts';
import type { ClientSeries } from './client-series.ts';
import { FilterMeter } from './filter-meter.ts';
import { isLongRunning } from '../request-info.ts';
import type { RequestLog } from '../requests/request-log.ts';
import type { RestStorages } from '../storage/rest-storages.ts';
import { labelsOf } from './request-labels.ts';
import { meteredText } from './request-text.ts';
import { bodyHistogram, EventSeries, type RequestLabels, Series } from './series.ts';

export type Authenticated = 'success' | 'failure' | 'error';
export type Authorized = 'allowed' | 'denied' | 'no-opinion';
export type RequestKind = 'mutating' | 'readOnly';

/** One body size by group, resource and verb. */
export interface BodySeries {
  readonly labels: { readonly group: string; readonly resource: string; readonly verb: string };
  readonly sizes: Histogram;
}

type Finish = (code: number, sentBytes: number | undefined, headers?: Headers) => void;

const reading: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

export class RequestMeter {
  readonly filters: FilterMeter;
  readonly #storages: Pick<RestStorages, 'find'>;
  readonly #wallMs: () => number;
  readonly #log: RequestLog | undefined;
  readonly #clients: ClientSeries | undefined;
  readonly #series = new Map<string, Series>();
  readonly #events = new Map<string, EventSeries>();
  readonly #bodies = new Map<string, BodySeries>();
  readonly #users = new Map<string, number>();
  readonly #authentications = new Map<string, number>();
  readonly #authorizations = new Map<string, number>();
  /** Deprecated versions that were asked for. */
  readonly #fieldValidations = new Set<string>();
  /** By group, resource, subresource and verb: what the API server asks of itself. */
  readonly #own = new Map<string, { readonly labels: MetricLabels; count: number }>();
  readonly #deprecated = new Map<string, MetricLabels>();
  readonly #inFlight: { [kind in RequestKind]: number } = { mutating: 0, readOnly: 0 };

  /** `log` hears when a request is over. `clients`: what tells of requests instead. */
  constructor(storages: Pick<RestStorages, 'find'>, wallMs: () => number, log?: RequestLog, clients?: ClientSeries) {
    this.#log = log;
    this.#clients = clients;
    this.#storages = storages;
    this.#wallMs = wallMs;
    this.filters = new FilterMeter(wallMs);
  }

  /** Serves a request that came in. One that throws what is no Status begins again, and is counted then. */
  serve(exchange: Exchange, next: Handler): HttpResponse {
    const { passage } = exchange;
    passage.begunMs ??= this.#wallMs();
    const labels = labelsOf(exchange, this.#storages);
    if (labels === undefined) return next(exchange);
    const series = this.#seriesOf(labels);
    const { logged } = passage;
    if (logged !== undefined) logged.isMetered = true;
    const finish: Finish = (code, sentBytes, headers): void => {
      const seconds = Math.max(0, this.#wallMs() - (passage.begunMs ?? 0)) / 1000;
      const dryRun = exchange.query.getAll('dryRun').includes('All') ? 'All' : '';
      this.#noteDeprecation(labels);
      this.#fieldValidations.add(fieldValidationOf(exchange.query));
      if (exchange.identity.name === apiServerName) this.#noteOwn(labels);
      if (logged !== undefined) this.#log?.finish(logged, code, sentBytes);
      this.#clients?.ended(exchange, { code, seconds, sentBytes, headers });
      series.finish({ dryRun, code, seconds, sentBytes, isLongRunning: isLongRunning(exchange.info) });
    };
    let response: HttpResponse;
    try {
      response = next(exchange);
    } catch (error) {
      if (error instanceof StatusError) finish(error.status.code, undefined);
      throw error;
    }
    this.#bodySize(exchange);
    if ('upgrade' in response) return this.#upgraded(response, series, () => finish(101, undefined, {}));
    if ('open' in response) {
      const end = this.#clients?.opened(exchange);
      const { headers, status } = response;
      return this.#followed(response, series, labels, () => {
        end?.();
        finish(status, undefined, headers);
      });
    }
    return this.#whole(response, exchange, finish);
  }

  /** `user` counts as upstream names users: by what kind of name it is. */
  authenticated(result: Authenticated, user = ''): void {
    add(this.#authentications, result);
    if (result === 'success') add(this.#users, user.includes('@') ? 'email_id' : knownUsers.has(user) ? user : 'other');
  }

  authorized(result: Authorized): void {
    add(this.#authorizations, result);
  }

  /** `others`: what else is told; a family stands but once on a page. */
  text(others: string): string {
    const text = meteredText({
      series: this.#clients === undefined ? [...this.#series.values()] : [],
      events: [...this.#events.values()],
      bodies: [...this.#bodies.values()],
      users: this.#users,
      authentications: this.#authentications,
      authorizations: this.#authorizations,
      fieldValidations: this.#fieldValidations,
      own: [...this.#own.values()].map(({ labels, count }) => [labels, count] as const),
      deprecated: [...this.#deprecated.values()],
      inFlight: others.includes('apiserver_current_inflight_requests') ? undefined : this.#inFlight,
    });
    return text + (this.#clients?.text() ?? '') + this.filters.text();
  }

  #noteDeprecation({ group, version, resource, subresource }: RequestLabels): void {
    const deprecation = this.#storages.find(group, version, resource, subresource)?.kind.deprecation;
    if (deprecation === undefined) return;
    const key = `${group}/${version}/${resource}/${subresource}`;
    if (!this.#deprecated.has(key))
      this.#deprecated.set(key, { group, removed_release: removedRelease(deprecation), resource, subresource, version });
  }

  #noteOwn({ group, resource, subresource, verb }: RequestLabels): void {
    const key = `${group}/${resource}/${subresource} ${verb}`;
    const known = this.#own.get(key) ?? { labels: { group, resource, subresource, verb }, count: 0 };
    known.count++;
    this.#own.set(key, known);
  }

  #seriesOf(labels: RequestLabels): Series {
    const { component, group, resource, scope, subresource, verb, version } = labels;
    const key = `${verb} ${group}/${version}/${resource}/${subresource} ${scope} ${component}`;
    let series = this.#series.get(key);
    if (series === undefined) this.#series.set(key, (series = new Series(labels)));
    return series;
  }

  #bodySize({ request, info }: Exchange): void {
    if (!info.isResource || request.body.length === 0) return;
    const { group, resource, verb } = info;
    const key = `${group}/${resource} ${verb}`;
    let series = this.#bodies.get(key);
    if (series === undefined) this.#bodies.set(key, (series = { labels: { group, resource, verb }, sizes: bodyHistogram() }));
    series.sizes.observe(request.body.length);
  }

  #whole(response: HttpPlainResponse, { request, info }: Exchange, finish: Finish): HttpPlainResponse {
    const { body, headers, status } = response;
    if (typeof body === 'string' || body instanceof Uint8Array || request.method === 'HEAD') {
      finish(status, typeof body === 'string' || body instanceof Uint8Array ? body.length : 0, headers);
      return response;
    }
    const kind: RequestKind = reading.has(info.verb) ? 'readOnly' : 'mutating';
    this.#inFlight[kind]++;
    const done = (bytes: number): void => {
      this.#inFlight[kind]--;
      finish(status, bytes, headers);
    };
    return { ...response, body: countedPieces(body, done) };
  }

  #followed(response: HttpStreamResponse, series: Series, labels: RequestLabels, finish: () => void): HttpStreamResponse {
    const events = labels.verb === 'WATCH' ? this.#eventsOf(labels) : undefined;
    return {
      ...response,
      open: (sink) => {
        const end = this.#opened(series, finish);
        const close = response.open({
          write: events === undefined ? (chunk) => sink.write(chunk) : (chunk) => sink.write(countedEvent(chunk, events)),
          end: () => sink.end(),
          isBehind: () => sink.isBehind?.() === true,
          ...(sink.gather !== undefined && {
            gather: (gathered: Gathered) => {
              if (events !== undefined) gathered.onPiece(events.hear);
              sink.gather?.(gathered);
            },
          }),
        });
        return () => {
          end();
          close();
        };
      },
    };
  }

  #upgraded(response: Extract<HttpResponse, { readonly upgrade: string }>, series: Series, finish: () => void): HttpResponse {
    const end = this.#opened(series, finish);
    return {
      ...response,
      closed: () => {
        end();
        response.closed?.();
      },
    };
  }

  /** Returns what says that it goes on no more. */
  #opened(series: Series, finish: () => void): () => void {
    series.open++;
    series.isEverOpen = true;
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      series.open--;
      finish();
    };
  }

  #eventsOf({ group, resource, version }: RequestLabels): EventSeries {
    const key = `${group}/${version}/${resource}`;
    let events = this.#events.get(key);
    if (events === undefined) this.#events.set(key, (events = new EventSeries({ group, resource, version })));
    return events;
  }
}

const apiServerName = 'system:apiserver';
const fieldValidations: readonly string[] = ['Ignore', 'Warn', 'Strict'];

/** Whatever else a client says is one value. Mirrors cleanFieldValidation. */
function fieldValidationOf(query: URLSearchParams): string {
  const values = query.getAll('fieldValidation');
  const [value = ''] = values;
  return values.length === 0 || (values.length === 1 && fieldValidations.includes(value)) ? value : 'invalid';
}

/** Upstream's compressUsername. */
const knownUsers: ReadonlySet<string> = new Set(['admin', 'client', 'kube_proxy', 'kubelet', 'system:serviceaccount:kube-system:default']);

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** A frame that is made later is measured then. */
function countedEvent(chunk: StreamChunk, events: EventSeries): StreamChunk {
  if (typeof chunk !== 'function') {
    events.observe(chunk.length);
    return chunk;
  }
  return () => {
    const made = chunk();
    events.observe(made.length);
    return made;
  };
}

/** `done` is called once, with what was sent until then: also where nobody took anything, which a generator would not notice. */
function countedPieces(pieces: Iterable<Chunk>, done: (bytes: number) => void): Iterable<Chunk> {
  return {
    [Symbol.iterator]: () => {
      const inner = pieces[Symbol.iterator]();
      let bytes = 0;
      let isDone = false;
      const end = (): void => {
        if (!isDone) done(bytes);
        isDone = true;
      };
      return {
        next: () => {
          try {
            const step = inner.next();
            if (step.done === true) end();
            else bytes += step.value.length;
            return step;
          } catch (error) {
            end();
            throw error;
          }
        },
        return: () => {
          end();
          return inner.return?.() ?? { done: true, value: undefined };
        },
      };
    },
  };
}
