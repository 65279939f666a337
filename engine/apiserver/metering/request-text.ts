/** The counts as upstream writes them: its names, types and words, as read from a real 1.36.3. */
import { metricHead, type MetricLabels, metricLine } from '../../base/prometheus-text.ts';
import { Histogram, type HistogramSample, histogramFamily, metricFamily, type Sample } from '../metrics-text.ts';
import type { BodySeries, RequestKind } from './request-meter.ts';
import { type EventSeries, latencyBounds, type Series } from './series.ts';

export interface Metered {
  readonly series: readonly Series[];
  readonly events: readonly EventSeries[];
  readonly bodies: readonly BodySeries[];
  readonly users: ReadonlyMap<string, number>;
  readonly authentications: ReadonlyMap<string, number>;
  readonly authorizations: ReadonlyMap<string, number>;
  readonly fieldValidations: ReadonlySet<string>;
  readonly own: readonly Sample[];
  readonly deprecated: readonly MetricLabels[];
  /** Undefined where another tells it. */
  readonly inFlight: { readonly [kind in RequestKind]: number } | undefined;
}

type Type = 'gauge' | 'counter';

export function meteredText(metered: Metered): string {
  const { series, events, bodies, users, authentications, authorizations, fieldValidations, own, deprecated, inFlight } = metered;
  const totals = series.flatMap(({ labels, totals: all }) =>
    [...all.values()].map(({ dryRun, code, count }): Sample => [{ ...labels, dry_run: dryRun, code }, count]),
  );
  const durations = series.flatMap(({ labels, durations: all }) =>
    [...all].map(([dryRun, histogram]): HistogramSample => [{ ...labels, dry_run: dryRun }, histogram]),
  );
  const longRunning = series.filter(({ isEverOpen }) => isEverOpen).map(({ labels, open }): Sample => [{ ...labels }, open]);
  const named = (label: string, counts: ReadonlyMap<string, number>): Sample[] => [...counts].map(([value, count]) => [{ [label]: value }, count]);
  return [
    family(
      'apiserver_request_total',
      'counter',
      '[STABLE] Counter of apiserver requests broken out for each verb, dry run value, group, version, resource, scope, component, and HTTP response code.',
      totals,
    ),
    histogramFamily(
      'apiserver_request_duration_seconds',
      '[STABLE] Response latency distribution in seconds for each verb, dry run value, group, version, resource, subresource, scope and component.',
      durations,
    ),
    histogramFamily(
      'apiserver_request_sli_duration_seconds',
      '[ALPHA] Response latency distribution (not counting webhook duration and priority & fairness queue wait times) in seconds for each verb, group, version, resource, subresource, scope and component.',
      series.map(({ labels, latencies }): HistogramSample => [{ ...labels }, latencies]),
    ),
    histogramFamily(
      'apiserver_request_slo_duration_seconds',
      '[ALPHA] Response latency distribution (not counting webhook duration and priority & fairness queue wait times) in seconds for each verb, group, version, resource, subresource, scope and component.',
      series.map(({ labels, latencies }): HistogramSample => [{ ...labels }, latencies]),
    ),
    family(
      'apiserver_selfrequest_total',
      'counter',
      '[ALPHA] Counter of apiserver self-requests broken out for each verb, API resource and subresource.',
      own,
    ),
    emptyHistograms(
      'field_validation_request_duration_seconds',
      '[ALPHA] Response latency distribution in seconds for each field validation value',
      [...fieldValidations].map((value) => ({ field_validation: value })),
    ),
    histogramFamily(
      'apiserver_response_sizes',
      '[STABLE] Response size distribution in bytes for each group, version, verb, resource, subresource, scope and component.',
      series.map(({ labels, responseSizes }): HistogramSample => [{ ...labels }, responseSizes]),
    ),
    histogramFamily(
      'apiserver_request_body_size_bytes',
      '[ALPHA] Apiserver request body size in bytes broken out by resource and verb.',
      bodies.map(({ labels, sizes }): HistogramSample => [labels, sizes]),
    ),
    family(
      'apiserver_longrunning_requests',
      'gauge',
      '[STABLE] Gauge of all active long-running apiserver requests broken out by verb, group, version, resource, scope and component. Not all requests are tracked this way.',
      longRunning,
    ),
    family(
      'apiserver_watch_events_total',
      'counter',
      '[ALPHA] Number of events sent in watch clients',
      events.map(({ labels, count }): Sample => [labels, count]),
    ),
    histogramFamily(
      'apiserver_watch_events_sizes',
      '[ALPHA] Watch event size distribution in bytes',
      events.map(({ labels, sizes }): HistogramSample => [labels, sizes]),
    ),
    family(
      'apiserver_current_inflight_requests',
      'gauge',
      '[STABLE] Maximal number of currently used inflight request limit of this apiserver per request kind in last second.',
      inFlight === undefined
        ? []
        : [
            [{ request_kind: 'mutating' }, inFlight.mutating],
            [{ request_kind: 'readOnly' }, inFlight.readOnly],
          ],
    ),
    family(
      'apiserver_requested_deprecated_apis',
      'gauge',
      '[STABLE] Gauge of deprecated APIs that have been requested, broken out by API group, version, resource, subresource, and removed_release.',
      deprecated.map((labels): Sample => [labels, 1]),
    ),
    family('authenticated_user_requests', 'counter', '[ALPHA] Counter of authenticated requests broken out by username.', named('username', users)),
    family('authentication_attempts', 'counter', '[ALPHA] Counter of authenticated attempts.', named('result', authentications)),
    family(
      'authorization_attempts_total',
      'counter',
      "[ALPHA] Counter of authorization attempts broken down by result. It can be either 'allowed', 'denied', 'no-opinion' or 'error'.",
      named('result', authorizations),
    ),
  ].join('');
}

/** Nothing where nothing was counted. */
function family(name: string, type: Type, help: string, samples: readonly Sample[]): string {
  return samples.length === 0 ? '' : metricFamily(name, type, help, samples);
}

/** Upstream declares these for each value that it meets, and observes nothing. */
function emptyHistograms(name: string, help: string, labels: readonly MetricLabels[]): string {
  if (labels.length === 0) return '';
  const none = new Histogram(latencyBounds).buckets();
  const lines = labels.map(
    (each) =>
      none.map(([le]) => metricLine(`${name}_bucket`, each, 0, { le })).join('') +
      metricLine(`${name}_sum`, each, 0) +
      metricLine(`${name}_count`, each, 0),
  );
  return metricHead(name, 'histogram', help) + lines.join('');
}
