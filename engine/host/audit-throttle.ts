/** So many batches a second: `--audit-*-batch-throttle-*`. A batch waits for its token; none is lost for that. */
import { RateLimiter } from '../client/rate-limiter.ts';

export interface ThrottleOptions {
  /** Batches a second, on average; 0 does not limit. */
  readonly qps: number;
  /** At the same moment, when none was sent before. */
  readonly burst: number;
}

export class Throttle {
  readonly #bucket: RateLimiter;
  readonly #nowMs: () => number;

  /** `nowMs` is wall time. */
  constructor({ qps, burst }: ThrottleOptions, nowMs: () => number) {
    this.#bucket = new RateLimiter(qps, burst);
    this.#nowMs = nowMs;
  }

  /** Takes the token of a batch: how long it has to wait for it, in milliseconds. */
  take(): number {
    return this.#bucket.reserve(this.#nowMs());
  }

  /** How long until a batch may leave; nothing is taken. */
  waitMs(): number {
    return this.#bucket.waitMs(this.#nowMs());
  }
}
