/** A value as it is at every nanosecond, in a histogram: each counts for as long as it held. Mirrors TimingHistogram of component-base/metrics. */
import { Histogram } from '../metrics-text.ts';

const nanos = 1e6;

export class TimingHistogram {
  readonly #histogram: Histogram;
  #value = 0;
  #sinceMs: number;

  constructor(bounds: readonly number[], nowMs: number) {
    this.#histogram = new Histogram(bounds);
    this.#sinceMs = nowMs;
  }

  set(nowMs: number, value: number): void {
    this.#settle(nowMs);
    this.#value = value;
  }

  /** With the value that holds now counted up to now. */
  at(nowMs: number): Histogram {
    this.#settle(nowMs);
    return this.#histogram;
  }

  #settle(nowMs: number): void {
    if (nowMs <= this.#sinceMs) return;
    this.#histogram.observe(this.#value, Math.round((nowMs - this.#sinceMs) * nanos));
    this.#sinceMs = nowMs;
  }
}
