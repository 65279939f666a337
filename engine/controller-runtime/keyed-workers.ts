/**
 * One coroutine per key: keys wait in a rate-limited queue, at most so many are worked on at once, one key never twice. What the work
 * throws is retried with back-off; what is no refusal of the API is a crash besides. Controllers, faults, scenario runs and kubelets
 * stand on it.
 */
import { type Cause, timerCause } from '../base/causes.ts';
import { nullable, number } from '../base/codecs.ts';
import type { Slots } from '../base/slots.ts';
import type { TaskLoop } from '../base/task-loop.ts';
import type { RateLimiter } from '../client/rate-limiter.ts';
import { StatusError } from '../apimachinery/status.ts';
import { CloudError } from '../contracts/cloud.ts';
import { RetryError } from './retry-error.ts';
import { defaultBackoff, type QueueBackoff, WorkQueue } from './work-queue.ts';

export interface KeyedWorkersOptions {
  readonly loop: Pick<TaskLoop, 'nowMs' | 'setTimer' | 'cancelTimer' | 'soon' | 'track' | 'crashed'>;
  /** Whose timers and coroutines these are. */
  readonly component: string;
  /** Name of the timer that the component hands to `onTimer`. */
  readonly timer: string;
  /** Where the queue is remembered. */
  readonly slots: Slots;
  readonly workersMax?: number;
  /** How long a worker takes to notice that there is work; without it the work begins in the same task. */
  readonly wakeUpMs?: number;
  readonly backoff?: QueueBackoff;
  /**
   * The limiter of the client that the work calls through. A key waits for it in the queue, as data, instead of in a call: so work is
   * short, and the cluster is quiet between.
   */
  readonly limiter?: RateLimiter | undefined;
  /** Until `open` is called keys are kept, and nothing is worked on. */
  readonly closed?: boolean;
  work(key: string, causes: readonly Cause[]): Promise<void>;
  /** What a key stands for, where a crash is told; without it the key itself. */
  describe?(key: string): string;
  /** Hears of what the API or a cloud refused, and of work that asked to be done again (`RetryError`). */
  onRefused?(key: string, error: Error): void;
}

export class KeyedWorkers {
  readonly queue: WorkQueue;
  readonly #options: KeyedWorkersOptions;
  readonly #workersMax: number;
  #workers = 0;
  #closed: boolean;
  /** Fires when the limiter has a token. */
  #tokenTimer: number | null = null;

  constructor(options: KeyedWorkersOptions) {
    this.#options = options;
    this.#closed = options.closed === true;
    const { loop, component, timer } = options;
    this.#workersMax = options.workersMax ?? Number.POSITIVE_INFINITY;
    options.slots.field(
      'tokenTimer',
      nullable(number),
      () => this.#tokenTimer,
      (timer) => {
        this.#tokenTimer = timer;
      },
    );
    this.queue = new WorkQueue(
      {
        nowMs: () => loop.nowMs(),
        delay: (delayMs, key) => loop.setTimer(component, loop.nowMs() + delayMs, timer, key),
        cancelDelay: (id) => loop.cancelTimer(id),
        wake: () => this.#wake(),
      },
      options.slots,
      options.backoff ?? defaultBackoff,
    );
  }

  /** A key's delay is over; without a key, the limiter has a token. */
  onTimer(key: string | null): void {
    if (key === null) {
      this.#tokenTimer = null;
      this.#wakeAll();
      return;
    }
    this.queue.ready(key, [timerCause(this.#options.component, 'requeue')]);
  }

  /** What came so far is worked on now. */
  open(): void {
    if (!this.#closed) return;
    this.#closed = false;
    this.#wakeAll();
  }

  #wakeAll(): void {
    for (let waiting = this.queue.length; waiting > 0; waiting--) this.#wake();
  }

  /** One wake-up per free worker and waiting key at most. */
  #wake(): void {
    if (this.#closed || this.#workers >= this.#workersMax || !this.#mayCall()) return;
    const { loop, component, wakeUpMs } = this.#options;
    this.#workers++;
    if (wakeUpMs === undefined) loop.track(this.#work(), component, 'a worker');
    else loop.soon(wakeUpMs, component, () => this.#work());
  }

  /** A worker: takes keys until none waits. */
  async #work(): Promise<void> {
    while (this.queue.length > 0 && this.#mayCall()) {
      const taken = this.queue.take();
      if (taken !== undefined) await this.#workOn(taken.key, taken.causes);
    }
    this.#workers--;
  }

  /** False while the limiter has no token; then a timer is set. */
  #mayCall(): boolean {
    if (this.#tokenTimer !== null) return false;
    const { limiter, loop, component, timer } = this.#options;
    const waitMs = limiter?.waitMs(loop.nowMs()) ?? 0;
    if (waitMs === 0) return true;
    this.#tokenTimer = loop.setTimer(component, loop.nowMs() + waitMs, timer, null);
    return false;
  }

  async #workOn(key: string, causes: readonly Cause[]): Promise<void> {
    const { loop, component } = this.#options;
    try {
      await this.#options.work(key, causes);
      this.queue.forget(key);
    } catch (error) {
      if (isRefusal(error)) this.#options.onRefused?.(key, error);
      else loop.crashed(component, this.#options.describe?.(key) ?? key, error);
      this.queue.addRateLimited(key, causes);
    }
    this.queue.done(key);
  }
}

/** What the API server or a cloud refused, or what asks to be done again; anything else is a crash. */
function isRefusal(error: unknown): error is Error {
  return error instanceof StatusError || error instanceof RetryError || error instanceof CloudError;
}
