/** How long filters take, and those that say who asks and whether she may. In wall time. Mirrors apiserver pkg/endpoints/filters/metrics.go. */
import { Histogram, histogramFamily, type HistogramSample } from '../metrics-text.ts';

/** In seconds. */
const filterBounds = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 5, 10, 15, 30];
const accessBounds = Array.from({ length: 15 }, (_, index) => 0.001 * 2 ** index);

/** Filters that upstream has too, by its names. */
const named: ReadonlyMap<string, string> = new Map([
  ['audit', 'audit'],
  ['authentication', 'authentication'],
  ['authorization', 'authorization'],
  ['flow-control', 'priorityandfairness'],
  ['impersonation', 'constrainedimpersonation'],
]);

export class FilterMeter {
  readonly #wallMs: () => number;
  readonly #filters = new Map<string, Histogram>();
  readonly #authentication = new Map<string, Histogram>();
  readonly #authorization = new Map<string, Histogram>();

  constructor(wallMs: () => number) {
    this.#wallMs = wallMs;
  }

  nowMs(): number {
    return this.#wallMs();
  }

  follows(filter: string): boolean {
    return named.has(filter);
  }

  /** A filter has handed the request on. One that begins again passes its filters again. */
  passed(filter: string, beganMs: number): void {
    const name = named.get(filter);
    if (name !== undefined) this.#observe(this.#filters, name, beganMs, filterBounds);
  }

  authenticated(result: string, beganMs: number): void {
    this.#observe(this.#authentication, result, beganMs, accessBounds);
  }

  authorized(result: string, beganMs: number): void {
    this.#observe(this.#authorization, result, beganMs, accessBounds);
  }

  text(): string {
    const samples = (label: string, known: ReadonlyMap<string, Histogram>): HistogramSample[] =>
      [...known].map(([value, histogram]) => [{ [label]: value }, histogram]);
    return [
      histogramFamily(
        'apiserver_request_filter_duration_seconds',
        '[ALPHA] Request filter latency distribution in seconds, for each filter type',
        samples('filter', this.#filters),
      ),
      histogramFamily(
        'authentication_duration_seconds',
        '[ALPHA] Authentication duration in seconds broken out by result.',
        samples('result', this.#authentication),
      ),
      histogramFamily(
        'authorization_duration_seconds',
        '[ALPHA] Authorization duration in seconds broken out by result.',
        samples('result', this.#authorization),
      ),
    ].join('');
  }

  #observe(known: Map<string, Histogram>, key: string, beganMs: number, bounds: readonly number[]): void {
    let histogram = known.get(key);
    if (histogram === undefined) known.set(key, (histogram = new Histogram(bounds)));
    histogram.observe(Math.max(0, this.#wallMs() - beganMs) / 1000);
  }
}
