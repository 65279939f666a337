/** What is counted of requests with the same labels. */
import { Histogram } from '../metrics-text.ts';

/** Labels that requests have in most metrics. */
export interface RequestLabels {
  readonly component: string;
  readonly group: string;
  readonly resource: string;
  readonly scope: string;
  readonly subresource: string;
  readonly verb: string;
  readonly version: string;
}

/** In seconds. */
const durationBounds = [...[0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60]];
export const latencyBounds = durationBounds.slice(2);
/** In bytes. */
export const responseBounds = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];
const bodyBounds = Array.from({ length: 31 }, (_, index) => 50_000 + index * 100_000);
const eventBounds = Array.from({ length: 8 }, (_, index) => 1024 * 2 ** index);

export interface Finished {
  readonly dryRun: string;
  readonly code: number;
  readonly seconds: number;
  /** Of what a reader was sent. */
  readonly sentBytes: number | undefined;
  readonly isLongRunning: boolean;
}

export class Series {
  readonly labels: RequestLabels;
  /** By dry run and code. */
  readonly totals = new Map<string, { readonly dryRun: string; readonly code: string; count: number }>();
  /** By dry run. */
  readonly durations = new Map<string, Histogram>();
  readonly latencies = new Histogram(latencyBounds);
  readonly responseSizes = new Histogram(responseBounds);
  /** Requests that go on. */
  open = 0;
  isEverOpen = false;

  constructor(labels: RequestLabels) {
    this.labels = labels;
  }

  finish({ dryRun, code, seconds, sentBytes, isLongRunning }: Finished): void {
    const key = `${dryRun} ${code}`;
    const total = this.totals.get(key);
    if (total === undefined) this.totals.set(key, { dryRun, code: String(code), count: 1 });
    else total.count++;
    let durations = this.durations.get(dryRun);
    if (durations === undefined) this.durations.set(dryRun, (durations = new Histogram(durationBounds)));
    durations.observe(seconds);
    if (!isLongRunning) this.latencies.observe(seconds);
    const { verb } = this.labels;
    if (sentBytes !== undefined && (verb === 'GET' || verb === 'LIST')) this.responseSizes.observe(sentBytes);
  }
}

/** Of one resource, whatever is asked of it. */
export class EventSeries {
  readonly labels: Pick<RequestLabels, 'group' | 'resource' | 'version'>;
  count = 0;
  readonly sizes = new Histogram(eventBounds);

  constructor(labels: EventSeries['labels']) {
    this.labels = labels;
  }

  /** The same function for all events of all watches. */
  readonly hear = ({ length }: { readonly length: number }): void => this.observe(length);

  observe(bytes: number): void {
    this.count++;
    this.sizes.observe(bytes);
  }
}

export function bodyHistogram(): Histogram {
  return new Histogram(bodyBounds);
}
