/** Metrics in Prometheus' text form. */

export type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

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

  observe(value: number): void {
    const place = this.#bounds.findIndex((bound) => value <= bound);
    const index = place < 0 ? this.#bounds.length : place;
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    this.#sum += value;
  }

  get count(): number {
    return this.#counts.reduce((sum, count) => sum + count, 0);
  }

  get sum(): number {
    return this.#sum;
  }

  /** What fits each bound, and in the end all. */
  buckets(): readonly (readonly [bound: string, count: number])[] {
    let below = 0;
    return this.#counts.map((count, index) => {
      below += count;
      return [index < this.#bounds.length ? String(this.#bounds[index]) : '+Inf', below];
    });
  }
}

export type HistogramSample = readonly [labels: Readonly<Record<string, string>>, histogram: Histogram];

/** One metric with its samples in the order of their text. */
export function metricFamily(name: string, type: 'gauge' | 'counter', help: string, samples: readonly Sample[]): string {
  return `${headOf(name, type, help)}${samples
    .map((sample) => line(name, sample))
    .sort()
    .join('')}`;
}

/** One metric whose samples are histograms; nothing where nothing was observed. */
export function histogramFamily(name: string, help: string, samples: readonly HistogramSample[]): string {
  const observed = samples.filter(([, { count }]) => count > 0);
  if (observed.length === 0) return '';
  const texts = observed.map(([labels, histogram]) =>
    [
      ...histogram.buckets().map(([le, count]) => line(`${name}_bucket`, [{ ...labels, le }, count])),
      line(`${name}_sum`, [labels, histogram.sum]),
      line(`${name}_count`, [labels, histogram.count]),
    ].join(''),
  );
  return `${headOf(name, 'histogram', help)}${texts.sort().join('')}`;
}

function headOf(name: string, type: string, help: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
}

function line(name: string, [labels, value]: Sample): string {
  const texts = Object.entries(labels).map(([label, text]) => `${label}=${JSON.stringify(text)}`);
  return `${name}${texts.length === 0 ? '' : `{${texts.join(',')}}`} ${value}\n`;
}
