/**
 * Requests as they were counted before groups and versions were told apart: by who asks and of what type the answer is, in microseconds.
 * In wall time and outside of history. Mirrors pkg/endpoints/metrics of apiserver 1.13.
 */
import { getOwn } from '../../base/dictionary.ts';
import type { MetricLabels } from '../../base/prometheus-text.ts';
import type { Exchange } from '../filters/filter.ts';
import { headerOf, type Headers } from '../http-types.ts';
import { Histogram, histogramFamily, metricFamily, type Sample } from '../metrics-text.ts';
import { negotiateError } from '../negotiation.ts';
import type { ResourceInfo } from '../request-info.ts';
import type { RestStorages } from '../storage/rest-storages.ts';
import { countedStorage, isConnection, verbs as presentVerbs } from './request-labels.ts';
import { responseBounds } from './series.ts';

/** In microseconds. */
const latencyBounds = [125_000, 250_000, 500_000, 1e6, 2e6, 4e6, 8e6];
/** Clients choose their names: beyond so many sets of labels all others are one. */
const countsMax = 10_000;

const verbs: typeof presentVerbs = { ...presentVerbs, deletecollection: 'DELETECOLLECTION' };

export interface Ended {
  readonly code: number;
  readonly seconds: number;
  /** Of what a reader was sent. */
  readonly sentBytes: number | undefined;
  /** Undefined for who was refused: she is told in a form that she takes. */
  readonly headers: Headers | undefined;
}

/** What goes on with the same labels. */
class Course {
  readonly labels: MetricLabels;
  readonly latencies = new Histogram(latencyBounds);
  readonly sizes = new Histogram(responseBounds);
  open = 0;
  isEverOpen = false;

  constructor(labels: MetricLabels) {
    this.labels = labels;
  }
}

export class ClientSeries {
  readonly #storages: Pick<RestStorages, 'find'>;
  readonly #counts = new Map<string, { readonly labels: MetricLabels; count: number }>();
  readonly #courses = new Map<string, Course>();
  /** By kind, of all namespaces together. */
  readonly #watchers = new Map<string, { readonly labels: MetricLabels; open: number }>();

  constructor(storages: Pick<RestStorages, 'find'>) {
    this.#storages = storages;
  }

  ended(exchange: Exchange, { code, seconds, sentBytes, headers }: Ended): void {
    const course = this.#courseOf(exchange.info);
    if (course === undefined) return;
    course.latencies.observe(seconds * 1e6);
    if (sentBytes !== undefined && (exchange.info.verb === 'get' || exchange.info.verb === 'list')) course.sizes.observe(sentBytes);
    const contentType = headers === undefined ? negotiateError(exchange.negotiation).mediaType : String(headers['content-type'] ?? '');
    const client = this.#counts.size < countsMax ? clientOf(headerOf(exchange.request, 'user-agent')) : 'unknown';
    const labels = { ...course.labels, client, code: String(code), contentType };
    const key = JSON.stringify(labels);
    const known = this.#counts.get(key);
    if (known === undefined) this.#counts.set(key, { labels, count: 1 });
    else known.count++;
  }

  /** Returns what says that it goes on no more. */
  opened({ info }: Exchange): () => void {
    const course = this.#courseOf(info);
    if (course === undefined) return () => undefined;
    course.isEverOpen = true;
    const open = [course, ...(course.labels['verb'] === 'WATCH' && info.isResource ? [this.#watchersOf(info)] : [])];
    for (const one of open) one.open++;
    return () => {
      for (const one of open) one.open--;
    };
  }

  text(): string {
    const courses = [...this.#courses.values()];
    const family = (name: string, type: 'gauge' | 'counter', help: string, samples: readonly Sample[]): string =>
      samples.length === 0 ? '' : metricFamily(name, type, help, samples);
    return [
      family(
        'apiserver_request_count',
        'counter',
        'Counter of apiserver requests broken out for each verb, API resource, client, and HTTP response contentType and code.',
        [...this.#counts.values()].map(({ labels, count }): Sample => [labels, count]),
      ),
      histogramFamily(
        'apiserver_request_latencies',
        'Response latency distribution in microseconds for each verb, resource and subresource.',
        courses.map(({ labels, latencies }) => [labels, latencies] as const),
      ),
      histogramFamily(
        'apiserver_response_sizes',
        'Response size distribution in bytes for each verb, resource, subresource and scope (namespace/cluster).',
        courses.map(({ labels, sizes }) => [labels, sizes] as const),
      ),
      family(
        'apiserver_longrunning_gauge',
        'gauge',
        'Gauge of all active long-running apiserver requests broken out by verb, API resource, and scope. Not all requests are tracked this way.',
        courses.filter(({ isEverOpen }) => isEverOpen).map(({ labels, open }): Sample => [labels, open]),
      ),
      family(
        'apiserver_registered_watchers',
        'gauge',
        'Number of currently registered watchers for a given resources',
        [...this.#watchers.values()].map(({ labels, open }): Sample => [labels, open]),
      ),
    ].join('');
  }

  #watchersOf({ group, version, resource, subresource }: ResourceInfo): { open: number } {
    const kind = this.#storages.find(group, version, resource, subresource)?.kind.kind ?? '';
    const key = `${group}/${version} ${kind}`;
    let watchers = this.#watchers.get(key);
    if (watchers === undefined) this.#watchers.set(key, (watchers = { labels: { group, kind, version }, open: 0 }));
    return watchers;
  }

  #courseOf(info: Exchange['info']): Course | undefined {
    if (!info.isResource) return undefined;
    const { resource, subresource } = info;
    const storage = countedStorage(info, this.#storages);
    if (storage === undefined) return undefined;
    const verb = isConnection(info, storage) ? 'CONNECT' : getOwn(verbs, info.verb);
    if (verb === undefined) return undefined;
    const scope = scopeOf(info, storage.kind.namespaced);
    const key = `${verb} ${resource}/${subresource} ${scope}`;
    let course = this.#courses.get(key);
    if (course === undefined) this.#courses.set(key, (course = new Course({ resource, scope, subresource, verb })));
    return course;
  }
}

function scopeOf({ namespace }: ResourceInfo, isNamespaced: boolean): string {
  return isNamespaced && namespace !== '' ? 'namespace' : 'cluster';
}

/** Browsers are one client, and a program is one wherever it lies. */
function clientOf(agent: string): string {
  if (agent === '') return 'unknown';
  return agent.startsWith('Mozilla/') ? 'Browser' : agent.replace(/^.*(kubectl\.exe)/is, '$1');
}
