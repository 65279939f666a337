/** Metrics of the API server and of daemons, in Prometheus' text form. */
import { compareLabels, metricHead, type MetricLabels, metricLine } from '../base/prometheus-text.ts';

export type Sample = readonly [labels: MetricLabels, value: number];

/** How often values were observed, by bounds that rise; each counts in all buckets that it fits in. */
export class Histogram {
  readonly #bounds: readonly number[];
  /** Of each bound what fits no lower one; the last is beyond all. */
  readonly #counts: number[];
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  /** As if it came so many times. */
  observe(value: number, times = 1): void {
    // Several are observed of every request and every event: a call for each bound would cost more than all else here.
    const bounds = this.#bounds;
    let index = 0;
    while (index < bounds.length && !(value <= (bounds[index] as number))) index++;
    this.#counts[index] = (this.#counts[index] ?? 0) + times;
    this.#sum += value * times;
  }

  get count(): number {
    return this.#counts.reduce((sum, count) => sum + count, 0);
  }

  get sum(): number {
    return this.#sum;
  }

  /** What fits each bound, and in the end all. */
  buckets(): readonly (readonly [bound: number, count: number])[] {
    let below = 0;
    return this.#counts.map((count, index) => {
      below += count;
      return [this.#bounds[index] ?? Number.POSITIVE_INFINITY, below];
    });
  }
}

export type HistogramSample = readonly [labels: MetricLabels, histogram: Histogram];

/** One metric with its samples in their order. */
export function metricFamily(name: string, type: 'gauge' | 'counter', help: string, samples: readonly Sample[]): string {
  return metricHead(name, type, help) + inOrder(samples, ([labels, value]) => metricLine(name, labels, value));
}

/** One metric whose samples are histograms; nothing where nothing was observed. */
export function histogramFamily(name: string, help: string, samples: readonly HistogramSample[]): string {
  const observed = samples.filter(([, { count }]) => count > 0);
  if (observed.length === 0) return '';
  const text = ([labels, histogram]: HistogramSample): string =>
    [
      ...histogram.buckets().map(([le, count]) => metricLine(`${name}_bucket`, labels, count, { le })),
      metricLine(`${name}_sum`, labels, histogram.sum),
      metricLine(`${name}_count`, labels, histogram.count),
    ].join('');
  return metricHead(name, 'histogram', help) + inOrder(observed, text);
}

function inOrder<T extends readonly [MetricLabels, unknown]>(samples: readonly T[], text: (sample: T) => string): string {
  return samples
    .toSorted(([a], [b]) => compareLabels(a, b))
    .map(text)
    .join('');
}
