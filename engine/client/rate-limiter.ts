import { assert } from '../base/assert.ts';
import { number } from '../base/codecs.ts';
import type { Slots } from '../base/slots.ts';

/**
 * A token bucket on virtual time, as client-go's flow control: `qps` tokens a second, at most `burst` saved up. Callers reserve
 * and wait; nobody is refused. What it remembers is two numbers.
 */
/** Time is counted in microseconds: who waited for a token finds it whole but for this. */
const nearlyOne = 0.001;
const defaultBurst = 10;
const defaultQps = 5;

/** What client-go makes of an option: none is five a second, and what is below none does not limit. */
export function qpsOfClient(qps: number): number {
  return qps === 0 ? defaultQps : qps;
}

export class RateLimiter {
  readonly #qps: number;
  readonly #burst: number;
  #tokens: number;
  #atMs = 0;

  /** A `qps` of 0 or less never limits; a `burst` of 0 is that of client-go. */
  constructor(qps: number, burst: number) {
    assert(qps <= 0 || burst >= 0, 'a limit lets one through');
    this.#qps = qps;
    this.#burst = burst === 0 ? defaultBurst : burst;
    this.#tokens = this.#burst;
  }

  /** Takes one token and says how many milliseconds to wait for it. */
  reserve(nowMs: number): number {
    if (this.#qps <= 0) return 0;
    this.#refill(nowMs);
    assert(this.#tokens <= this.#burst, 'no more than a burst is saved up');
    this.#tokens -= 1;
    return this.#tokens >= 0 ? 0 : (-this.#tokens / this.#qps) * 1000;
  }

  /** How many calls may be made now without waiting. */
  available(nowMs: number): number {
    if (this.#qps <= 0) return Number.POSITIVE_INFINITY;
    return Math.max(0, Math.floor(this.#tokensAt(nowMs) + nearlyOne));
  }

  /** How long until a call may be made without waiting. Nothing is taken. */
  waitMs(nowMs: number): number {
    if (this.available(nowMs) > 0) return 0;
    return ((1 - this.#tokensAt(nowMs)) / this.#qps) * 1000;
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
    this.#tokens = this.#tokensAt(nowMs);
    this.#atMs = nowMs;
  }

  #tokensAt(nowMs: number): number {
    return nowMs <= this.#atMs ? this.#tokens : Math.min(this.#burst, this.#tokens + ((nowMs - this.#atMs) / 1000) * this.#qps);
  }

  /** Its two numbers are remembered there. */
  keepIn(slots: Slots): void {
    slots.field(
      'tokens',
      number,
      () => this.#tokens,
      (tokens) => {
        this.#tokens = tokens;
      },
    );
    slots.field(
      'atMs',
      number,
      () => this.#atMs,
      (atMs) => {
        this.#atMs = atMs;
      },
    );
  }
}
