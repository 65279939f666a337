/**
 * A token bucket on virtual time, as client-go's flow control: `qps` tokens a second, at most `burst` saved up. Callers reserve
 * and wait; nobody is refused. What it remembers is two numbers.
 */
export interface SavedRateLimiter {
  readonly tokens: number;
  readonly atMs: number;
}

export class RateLimiter {
  readonly #qps: number;
  readonly #burst: number;
  #tokens: number;
  #atMs = 0;

  /** A `qps` of 0 or less never limits. */
  constructor(qps: number, burst: number) {
    this.#qps = qps;
    this.#burst = burst;
    this.#tokens = burst;
  }

  /** When it was last asked. */
  get lastMs(): number {
    return this.#atMs;
  }

  /** Takes one token and says how many milliseconds to wait for it. */
  reserve(nowMs: number): number {
    if (this.#qps <= 0) return 0;
    this.#refill(nowMs);
    this.#tokens -= 1;
    return this.#tokens >= 0 ? 0 : (-this.#tokens / this.#qps) * 1000;
  }

  /** Takes one token if there is one now. */
  tryTake(nowMs: number): boolean {
    if (this.#qps <= 0) return true;
    this.#refill(nowMs);
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  #refill(nowMs: number): void {
    if (nowMs <= this.#atMs) return;
    this.#tokens = Math.min(this.#burst, this.#tokens + ((nowMs - this.#atMs) / 1000) * this.#qps);
    this.#atMs = nowMs;
  }

  save(): SavedRateLimiter {
    return { tokens: this.#tokens, atMs: this.#atMs };
  }

  restore(saved: SavedRateLimiter): void {
    this.#tokens = saved.tokens;
    this.#atMs = saved.atMs;
  }
}
