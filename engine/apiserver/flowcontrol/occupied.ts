/** One request with its seat, or on its way to one. */
import type { FlowCounts } from './flow-counts.ts';
import type { PriorityLevel } from './priority-level.ts';
import type { Queue } from './queue-set.ts';
import { Queued, type RequestDetails, type Seat, TooManyRequests } from './seats.ts';
import { flowHash } from './shuffle-sharding.ts';
import { seatsOf, type WorkEstimate } from './work-estimate.ts';

/** What asks for a seat. */
export interface Asker extends RequestDetails {
  readonly counts: FlowCounts;
  readonly distinguisher: string;
  readonly estimate: WorkEstimate;
  /** Who waits longer is sent away. */
  readonly waitMaxMs: number;
}

/** What the level needs of the outside. */
export interface LevelHost {
  /** In wall time. */
  nowMs(): number;
  /** Undefined where nobody calls back: what should happen later happens at once, or not. */
  readonly after: ((delayMs: number, call: () => void) => () => void) | undefined;
  /** sha256 in hexadecimal digits. */
  hash(text: string): string;
}

/** So long may a request last upstream; a client that takes its answer byte by byte holds its seat no longer. */
const holdMaxMs = 60_000;

/** Waits for this very seat. */
export class QueuedSeat extends Queued {
  readonly seat: Occupied;

  constructor(ready: Promise<void>, seat: Occupied, leave: () => void) {
    super(ready, leave);
    this.seat = seat;
  }
}

/** A request with its seat, or on its way to one. */
export class Occupied implements Seat {
  readonly level: PriorityLevel;
  readonly #asker: Asker;
  readonly #host: LevelHost;
  estimate: WorkEstimate;
  arrivalR = 0;
  /** How many had come to the level before. */
  arrival = 0;
  #hash: bigint | undefined;
  #isReleased = false;
  #stopHolding: (() => void) | undefined;
  queue: Queue<Occupied> | undefined;
  arrivedMs = 0;
  startedMs = 0;
  isKept = false;
  /** All that is left is an answer on its way, piece by piece. */
  isSending = false;
  /** It has waited in vain. */
  isRefused = false;
  resolve: (() => void) | undefined;
  stopWaiting: (() => void) | undefined;

  constructor(level: PriorityLevel, asker: Asker, host: LevelHost) {
    this.level = level;
    this.#asker = asker;
    this.#host = host;
    this.estimate = asker.estimate;
  }

  get refusal(): TooManyRequests | undefined {
    return this.isRefused ? new TooManyRequests('waited in vain', this.level.retryAfterSeconds) : undefined;
  }

  get width(): number {
    return seatsOf(this.estimate);
  }

  get waitMaxMs(): number {
    return this.#asker.waitMaxMs;
  }

  get counts(): FlowCounts {
    return this.#asker.counts;
  }

  get distinguisher(): string {
    return this.#asker.distinguisher;
  }

  get details(): RequestDetails {
    return this.#asker;
  }

  get hash(): bigint {
    this.#hash ??= flowHash((text) => this.#host.hash(text), this.counts.schema, this.distinguisher);
    return this.#hash;
  }

  /** A list, or a watch: what goes on for long. */
  get isLong(): boolean {
    const { verb } = this.#asker.exchange.info;
    return verb === 'list' || verb === 'watch';
  }

  keep(isSending = false): void {
    if (isSending && !this.#isReleased) this.level.sends(this);
    if (this.isKept) return;
    this.isKept = true;
    const nowMs = this.#host.nowMs();
    if (this.arrivedMs === 0) this.arrivedMs = nowMs;
    this.#stopHolding = this.#host.after?.(holdMaxMs, () => this.release());
    this.level.kept(this, nowMs);
  }

  release(): void {
    if (this.#isReleased || this.isRefused) return;
    this.#isReleased = true;
    this.#stopHolding?.();
    this.level.left(this);
  }
}
