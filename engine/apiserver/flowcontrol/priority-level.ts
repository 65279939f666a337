/**
 * One priority level: how many seats it has, who sits on them, who waits. What is served within one turn of the event loop takes a seat
 * and gives it back; only what goes on longer, and what waits, costs more than that.
 */
import type { PriorityLevelConfiguration } from '../../api/flowcontrol/v1/types.gen.ts';
import type { FlowCounts, RejectReason } from './flow-counts.ts';
import { type Queue, type QueueConfig, QueueSet } from './queue-set.ts';
import { SeatDemand } from './seat-demand.ts';
import type { SeatBounds } from './seat-shares.ts';
import { Refusals } from './refusals.ts';
import { Queued, type RequestDetails, type Seat, TooManyRequests } from './seats.ts';
import { flowHash } from './shuffle-sharding.ts';

/** What asks for a seat. */
export interface Asker extends RequestDetails {
  readonly counts: FlowCounts;
  readonly distinguisher: string;
  readonly width: number;
}

/** What the level needs of the outside: wall time. */
export interface LevelClock {
  nowMs(): number;
  after(delayMs: number, call: () => void): () => void;
}

/** A quarter of the minute that a request may take. */
const waitMaxMs = 15_000;
/** So long may a request last upstream; a client that takes its answer byte by byte holds its seat no longer. */
const holdMaxMs = 60_000;

export class PriorityLevel {
  readonly name: string;
  readonly #clock: LevelClock;
  readonly demand: SeatDemand;
  readonly #refusals = new Refusals();
  uid = '';
  isExempt = false;
  /** It is gone, and waits for its requests to end. */
  isQuiescing = false;
  bounds: SeatBounds = { nominal: 0, lower: 0, upper: 0 };
  /** Seats that it has now, with what it borrowed and without what it lent. */
  limit = 0;
  inUse = 0;
  /** Requests that are served now. */
  active = 0;
  /** Those of them that go on beyond one turn. */
  readonly executing = new Set<Occupied>();
  queues: QueueSet<Occupied> | undefined;
  dispatched = 0;
  rejected = 0;
  timedOut = 0;
  cancelled = 0;

  constructor(name: string, clock: LevelClock) {
    this.name = name;
    this.#clock = clock;
    this.demand = new SeatDemand(clock.nowMs());
  }

  configure({ metadata, spec }: PriorityLevelConfiguration, bounds: SeatBounds): void {
    this.uid = metadata.uid ?? '';
    this.isExempt = spec?.type === 'Exempt';
    this.isQuiescing = false;
    if (bounds.nominal !== this.bounds.nominal || bounds.lower !== this.bounds.lower) this.limit = bounds.nominal;
    this.limit = Math.min(Math.max(this.limit, bounds.lower), bounds.upper);
    this.bounds = bounds;
    const { queuing } = spec?.limited?.limitResponse ?? {};
    if (this.isExempt || queuing === undefined) this.#setQueues(undefined);
    else this.#setQueues({ queues: queuing.queues ?? 0, handSize: queuing.handSize ?? 0, lengthMax: queuing.queueLengthLimit ?? 0 });
    this.dispatch();
  }

  get waiting(): number {
    return this.queues?.waiting ?? 0;
  }

  get isIdle(): boolean {
    return this.active === 0 && this.waiting === 0;
  }

  /** A seat at once, or Queued, or TooManyRequests. */
  take(asker: Asker): Seat {
    const seat = new Occupied(this, asker, this.#clock);
    const { counts, width } = asker;
    counts.widths.observe(width);
    if (this.isExempt || (this.waiting === 0 && this.fits(width))) {
      if (!this.isExempt) counts.waited.true.observe(0);
      return this.#sit(seat, this.#clock.nowMs());
    }
    const { queues } = this;
    if (queues === undefined) return this.#reject(seat, 'concurrency-limit');
    const nowMs = this.#clock.nowMs();
    queues.advance(nowMs, this.inUse, this.limit);
    this.#assignQueues(queues);
    const queue = queues.queueFor(seat.hash);
    if (!queues.enqueue(seat, queue)) return this.#reject(seat, 'queue-full');
    counts.waiting++;
    seat.queue = queue;
    seat.arrivedMs = nowMs;
    this.noteDemand(nowMs);
    const ready = new Promise<void>((resolve) => (seat.resolve = resolve));
    seat.stopWaiting = this.#clock.after(waitMaxMs, () => this.#giveUp(seat, 'time-out'));
    this.dispatch();
    throw new QueuedSeat(ready, seat, () => this.#giveUp(seat, 'cancelled'));
  }

  /** Seats were given back, or there are more: whose turn it is comes in. */
  dispatch(): void {
    const { queues } = this;
    if (queues === undefined || queues.waiting === 0) return;
    const nowMs = this.#clock.nowMs();
    queues.advance(nowMs, this.inUse, this.limit);
    for (;;) {
      const found = queues.next((width) => this.fits(width));
      if (found === undefined) break;
      const { item } = found;
      item.stopWaiting?.();
      item.counts.waiting--;
      item.counts.waited.true.observe((nowMs - item.arrivedMs) / 1000);
      this.#sit(item, nowMs);
      item.keep();
      item.resolve?.();
    }
    this.noteDemand(nowMs);
  }

  noteDemand(nowMs: number): void {
    this.demand.set(nowMs, this.inUse + (this.queues?.waitingSeats ?? 0));
  }

  fits(width: number): boolean {
    return width > this.limit ? this.inUse === 0 : this.inUse + width <= this.limit;
  }

  /** Everybody who waits is sent away. */
  close(): void {
    for (const { waiting } of this.queues?.list() ?? []) for (const seat of [...waiting]) this.#giveUp(seat, 'cancelled');
  }

  left(seat: Occupied): void {
    const { counts, width, queue } = seat;
    this.active--;
    this.inUse -= width;
    counts.executing--;
    counts.executingSeats -= width;
    const nowMs = this.#clock.nowMs();
    counts.executed[seat.details.exchange.info.verb === 'watch' ? 'watch' : 'regular'].observe((nowMs - seat.startedMs) / 1000);
    if (!seat.isKept) return;
    this.executing.delete(seat);
    if (queue !== undefined) this.queues?.advance(nowMs, this.inUse + width, this.limit);
    if (queue !== undefined) this.queues?.ended(queue, width, nowMs - seat.startedMs);
    this.noteDemand(nowMs);
    this.dispatch();
  }

  #sit(seat: Occupied, nowMs: number): Seat {
    const { counts, width } = seat;
    seat.startedMs = nowMs;
    this.active++;
    this.inUse += width;
    this.dispatched++;
    counts.dispatched++;
    counts.executing++;
    counts.executingSeats += width;
    this.demand.touch(this.inUse);
    return seat;
  }

  /** Requests that came while there was room have no queue; from now on their flows answer for them. */
  #assignQueues(queues: QueueSet<Occupied>): void {
    for (const seat of this.executing) {
      if (seat.queue !== undefined) continue;
      seat.queue = queues.queueFor(seat.hash);
      queues.began(seat.queue, seat.width);
    }
  }

  #giveUp(seat: Occupied, reason: RejectReason): void {
    const { queue, counts } = seat;
    if (queue === undefined || this.queues?.leave(seat, queue) !== true) return;
    counts.waiting--;
    if (reason === 'time-out') this.timedOut++;
    else this.cancelled++;
    seat.stopWaiting?.();
    seat.isRefused = true;
    this.#count(counts, reason);
    const nowMs = this.#clock.nowMs();
    counts.waited.false.observe((nowMs - seat.arrivedMs) / 1000);
    this.noteDemand(nowMs);
    seat.resolve?.();
  }

  #reject({ counts }: Occupied, reason: RejectReason): never {
    this.rejected++;
    this.#count(counts, reason);
    throw new TooManyRequests(reason, this.retryAfterSeconds);
  }

  /** What is told to those who are sent away now. */
  get retryAfterSeconds(): number {
    return this.#refusals.retryAfterSeconds;
  }

  #count({ rejected }: FlowCounts, reason: RejectReason): void {
    this.#refusals.add(this.#clock.nowMs());
    rejected.set(reason, (rejected.get(reason) ?? 0) + 1);
  }

  /** Those who wait when the queues change are dealt anew. */
  #setQueues(config: QueueConfig | undefined): void {
    const before = this.queues;
    const { config: old } = before ?? {};
    if (old?.queues === config?.queues && old?.handSize === config?.handSize && old?.lengthMax === config?.lengthMax) return;
    const waiting = before?.list().flatMap((queue) => queue.waiting) ?? [];
    this.queues = config === undefined ? undefined : new QueueSet(config);
    for (const seat of this.executing) seat.queue = undefined;
    for (const seat of waiting) this.#moveOver(seat);
  }

  #moveOver(seat: Occupied): void {
    const { queues } = this;
    const queue = queues?.queueFor(seat.hash);
    seat.queue = queue;
    if (queues !== undefined && queue !== undefined && queues.enqueue(seat, queue)) return;
    seat.counts.waiting--;
    seat.stopWaiting?.();
    if (queues === undefined && (this.isExempt || this.fits(seat.width))) {
      this.#sit(seat, this.#clock.nowMs());
      seat.keep();
    } else {
      seat.isRefused = true;
      this.#count(seat.counts, 'queue-full');
    }
    seat.resolve?.();
  }
}

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
  readonly #clock: LevelClock;
  #hash: bigint | undefined;
  #isReleased = false;
  #stopHolding: (() => void) | undefined;
  queue: Queue<Occupied> | undefined;
  arrivedMs = 0;
  startedMs = 0;
  isKept = false;
  /** It has waited in vain. */
  isRefused = false;
  resolve: (() => void) | undefined;
  stopWaiting: (() => void) | undefined;

  constructor(level: PriorityLevel, asker: Asker, clock: LevelClock) {
    this.level = level;
    this.#asker = asker;
    this.#clock = clock;
  }

  get refusal(): TooManyRequests | undefined {
    return this.isRefused ? new TooManyRequests('waited in vain', this.level.retryAfterSeconds) : undefined;
  }

  get width(): number {
    return this.#asker.width;
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
    this.#hash ??= flowHash(this.counts.schema, this.distinguisher);
    return this.#hash;
  }

  keep(): void {
    if (this.isKept) return;
    this.isKept = true;
    const nowMs = this.#clock.nowMs();
    if (this.arrivedMs === 0) this.arrivedMs = nowMs;
    this.level.executing.add(this);
    this.#stopHolding = this.#clock.after(holdMaxMs, () => this.release());
    this.level.noteDemand(nowMs);
  }

  release(): void {
    if (this.#isReleased || this.isRefused) return;
    this.#isReleased = true;
    this.#stopHolding?.();
    this.level.left(this);
  }
}
