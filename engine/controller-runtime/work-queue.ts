/**
 * A controller's queue of keys, as client-go's rate-limited work queue: a key waits once however often it is added, is never
 * worked on twice at the same time, and carries the causes of all the changes that put it there. All it remembers is plain data;
 * delays are timers of its owner.
 */
import { type Cause, mergeCauses } from '../base/causes.ts';
import { number, record } from '../base/codecs.ts';
import { causesCodec, type Slots } from '../base/slots.ts';
import { RateLimiter } from '../client/rate-limiter.ts';

export interface WorkQueueHost {
  nowMs(): number;
  /** Sets a timer after which the owner calls `ready(key)`. */
  delay(delayMs: number, key: string): number;
  cancelDelay(timer: number): void;
  /** A key is waiting and a worker may start. */
  wake(): void;
}

export interface QueueBackoff {
  readonly baseMs: number;
  readonly maxMs: number;
  /** No limit for the retries of all keys together: where each key is a process of its own. */
  readonly isEachAlone?: boolean;
}

/** client-go's default controller rate limiter. */
export const defaultBackoff: QueueBackoff = { baseMs: 5, maxMs: 1_000_000 };
const bucketQps = 10;
const bucketBurst = 100;

interface Delayed {
  readonly dueMs: number;
  readonly timer: number;
  readonly causes: readonly Cause[];
}

const delayedCodec = record<Delayed>({ dueMs: number, timer: number, causes: causesCodec });

export class WorkQueue {
  readonly #host: WorkQueueHost;
  readonly #backoff: QueueBackoff;
  /** Insertion order is queue order. */
  readonly #waiting: Map<string, readonly Cause[]>;
  readonly #processing = new Set<string>();
  /** Added again while being processed. */
  readonly #dirty = new Map<string, readonly Cause[]>();
  readonly #delayed: Map<string, Delayed>;
  readonly #failures: Map<string, number>;
  readonly #bucket: RateLimiter | undefined;

  constructor(host: WorkQueueHost, slots: Slots, backoff: QueueBackoff = defaultBackoff) {
    this.#host = host;
    this.#backoff = backoff;
    this.#waiting = slots.map('waiting', causesCodec);
    this.#delayed = slots.map('delayed', delayedCodec);
    this.#failures = slots.map('failures', number);
    if (backoff.isEachAlone !== true) {
      this.#bucket = new RateLimiter(bucketQps, bucketBurst);
      this.#bucket.keepIn(slots.part('bucket'));
    }
    slots.onRestored(() => {
      if (this.#waiting.size > 0) this.#host.wake();
    });
  }

  get length(): number {
    return this.#waiting.size;
  }

  get processing(): number {
    return this.#processing.size;
  }

  /** Whether a key is being worked on. */
  isProcessing(key: string): boolean {
    return this.#processing.has(key);
  }

  add(key: string, causes: readonly Cause[]): void {
    const target = this.#processing.has(key) ? this.#dirty : this.#waiting;
    target.set(key, mergeCauses(target.get(key) ?? [], causes));
    if (target === this.#waiting) this.#host.wake();
  }

  /** Adds after a delay. A pending earlier add stays; a later one moves forward. */
  addAfter(key: string, delayMs: number, causes: readonly Cause[]): void {
    if (delayMs <= 0) {
      this.add(key, causes);
      return;
    }
    const dueMs = this.#host.nowMs() + delayMs;
    const pending = this.#delayed.get(key);
    if (pending !== undefined && pending.dueMs <= dueMs) {
      this.#delayed.set(key, { ...pending, causes: mergeCauses(pending.causes, causes) });
      return;
    }
    if (pending !== undefined) this.#host.cancelDelay(pending.timer);
    const timer = this.#host.delay(delayMs, key);
    this.#delayed.set(key, { dueMs, timer, causes: mergeCauses(pending?.causes ?? [], causes) });
  }

  addRateLimited(key: string, causes: readonly Cause[]): void {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    const backoff = Math.min(this.#backoff.maxMs, this.#backoff.baseMs * 2 ** Math.min(failures, 40));
    this.addAfter(key, Math.max(backoff, this.#bucket?.reserve(this.#host.nowMs()) ?? 0), causes);
  }

  /** The delay of a key is over; `extra` are the causes of that timer. */
  ready(key: string, extra: readonly Cause[]): void {
    const pending = this.#delayed.get(key);
    if (pending === undefined) return;
    this.#delayed.delete(key);
    this.add(key, mergeCauses(pending.causes, extra));
  }

  /** The next key and its causes; the caller says `done` when it has been worked on. */
  take(): { readonly key: string; readonly causes: readonly Cause[] } | undefined {
    for (const [key, causes] of this.#waiting) {
      this.#waiting.delete(key);
      this.#processing.add(key);
      return { key, causes };
    }
    return undefined;
  }

  done(key: string): void {
    this.#processing.delete(key);
    const causes = this.#dirty.get(key);
    if (causes === undefined) return;
    this.#dirty.delete(key);
    this.add(key, causes);
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }

  retries(key: string): number {
    return this.#failures.get(key) ?? 0;
  }
}
