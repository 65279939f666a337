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
import { LevelMeter } from './level-meter.ts';
import { type Asker, type LevelHost, Occupied, QueuedSeat } from './occupied.ts';
import { type Seat, TooManyRequests } from './seats.ts';
import { narrowed } from './work-estimate.ts';

/** The widest request takes no more of a level than this. */
const levelShareMax = 0.15;

export class PriorityLevel {
  readonly name: string;
  readonly #host: LevelHost;
  /** What counts as its seats where it has none. */
  readonly #seatsOfNone: number;
  readonly demand: SeatDemand;
  readonly meter: LevelMeter;
  readonly #refusals = new Refusals();
  uid = '';
  isExempt = false;
  /** It is gone, and waits for its requests to end. */
  isQuiescing = false;
  bounds: SeatBounds = { nominal: 0, lower: 0, upper: 0 };
  /** Seats that it has now, with what it borrowed and without what it lent. */
  limit = 0;
  /** With those that are kept a while for watchers. */
  inUse = 0;
  /** Of those that are in use: held by answers on their way. */
  #sendingSeats = 0;
  /** Of those who wait: what is neither list nor watch. */
  #shortWaiting = 0;
  /** What it wished for when seats were divided last. */
  target = 0;
  /** The widest request may take so many; 0: it says nothing of that. */
  widestSeats = 0;
  /** Requests that are served now. */
  active = 0;
  /** Those of them that go on beyond one turn. */
  readonly executing = new Set<Occupied>();
  queues: QueueSet<Occupied> | undefined;
  dispatched = 0;
  rejected = 0;
  timedOut = 0;
  cancelled = 0;

  constructor(name: string, serverSeats: number, host: LevelHost) {
    this.name = name;
    this.#host = host;
    this.#seatsOfNone = Math.max(1, Math.round(serverSeats / 10));
    this.demand = new SeatDemand(host.nowMs());
    this.meter = new LevelMeter(host.nowMs());
  }

  configure({ metadata, spec }: PriorityLevelConfiguration, bounds: SeatBounds): void {
    this.uid = metadata.uid ?? '';
    this.isExempt = spec?.type === 'Exempt';
    this.isQuiescing = false;
    this.bounds = bounds;
    const { queuing } = spec?.limited?.limitResponse ?? {};
    const byHand = Math.floor(bounds.nominal / (queuing?.handSize ?? 1));
    this.widestSeats = queuing === undefined ? 0 : Math.max(1, Math.min(Math.ceil(bounds.nominal * levelShareMax), byHand));
    if (this.isExempt || queuing === undefined) this.#setQueues(undefined);
    else this.#setQueues({ queues: queuing.queues ?? 0, handSize: queuing.handSize ?? 0, lengthMax: queuing.queueLengthLimit ?? 0 });
  }

  /** It has so many seats from now on. */
  grant(limit: number, target: number): void {
    this.limit = limit;
    this.target = target;
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
    const seat = new Occupied(this, asker, this.#host);
    const { counts, width } = seat;
    const { queues } = this;
    counts.widths.observe(width);
    if (this.isExempt || ((seat.isLong ? this.waiting : this.#shortWaiting) === 0 && this.#hasRoomFor(seat))) {
      if (queues !== undefined) {
        counts.queueLengths.observe(1);
        seat.arrival = queues.arrived();
        seat.estimate = narrowed(seat.estimate, this.limit);
      }
      if (!this.isExempt) counts.waited.true.observe(0);
      return this.#sit(seat, this.#host.nowMs());
    }
    if (queues === undefined) return this.#reject(seat, 'concurrency-limit');
    const nowMs = this.#host.nowMs();
    queues.advance(nowMs, this.inUse, this.limit);
    seat.arrival = queues.arrived();
    const queue = queues.queueFor(seat.hash, seat.arrival);
    if (this.inUse >= this.limit && queues.isFull(queue)) return this.#reject(seat, 'queue-full');
    this.#wait(seat, queues, queue);
    counts.queueLengths.observe(queue.waiting.length);
    seat.arrivedMs = nowMs;
    this.note(nowMs);
    const ready = new Promise<void>((resolve) => (seat.resolve = resolve));
    seat.stopWaiting = this.#host.after?.(seat.waitMaxMs, () => this.#giveUp(seat, 'time-out'));
    this.dispatch();
    throw new QueuedSeat(ready, seat, () => this.#giveUp(seat, 'cancelled'));
  }

  /** Seats were given back, or there are more: whose turn it is comes in. */
  dispatch(): void {
    const { queues } = this;
    const nowMs = this.#host.nowMs();
    if (queues === undefined || queues.waiting === 0) return this.note(nowMs);
    queues.advance(nowMs, this.inUse, this.limit);
    while (this.inUse - this.#sendingSeats < this.limit) {
      const found = queues.next();
      if (found === undefined) break;
      const { item: first, queue } = found;
      if (!this.#hasRoomFor(first)) {
        first.counts.unaccommodated++;
        break;
      }
      this.#waitsNoMore(first);
      const item = queues.begin(queue, this.limit);
      item.counts.waited.true.observe((nowMs - item.arrivedMs) / 1000);
      this.#sit(item, nowMs);
      item.keep();
      item.resolve?.();
    }
    this.note(nowMs);
  }

  /** How full it is now. */
  note(nowMs: number): void {
    const { queues, inUse, active, limit, isExempt } = this;
    const demand = inUse + (queues?.waitingSeats ?? 0);
    this.demand.set(nowMs, demand);
    const { queues: many, lengthMax } = queues?.config ?? { queues: 1, lengthMax: 1 };
    const seats = limit > 0 ? limit : this.#seatsOfNone;
    // Of those that are answered in one turn an exempt level would count each.
    const executing = isExempt ? this.executing.size : active;
    this.meter.note(nowMs, { demand, seats: inUse, executing, waiting: queues?.waiting ?? 0, limit: seats, room: Math.max(1, lengthMax) * many });
  }

  /** One that is wider than the level comes in alone. */
  fits(width: number): boolean {
    if (width <= this.limit) return this.inUse + width <= this.limit;
    return this.active === 0 && (this.queues === undefined || this.inUse < this.limit);
  }

  /**
   * An answer that is sent piece by piece has the process for a millisecond at a time (serving/slices.ts), so only other such answers wait
   * for its seats: what is short would wait for nothing but slow clients of others.
   */
  #hasRoomFor({ isLong, width }: Occupied): boolean {
    if (isLong || this.#sendingSeats === 0) return this.fits(width);
    return this.inUse - this.#sendingSeats + width <= this.limit;
  }

  sends(seat: Occupied): void {
    if (seat.isSending) return;
    seat.isSending = true;
    this.#sendingSeats += seat.width;
  }

  /** Everybody who waits is sent away. */
  close(): void {
    for (const { waiting } of this.queues?.list() ?? []) for (const seat of [...waiting]) this.#giveUp(seat, 'cancelled');
  }

  left(seat: Occupied): void {
    const { counts, queue, estimate } = seat;
    this.active--;
    counts.executing--;
    const nowMs = this.#host.nowMs();
    counts.executed[seat.details.exchange.info.verb === 'watch' ? 'watch' : 'regular'].observe((nowMs - seat.startedMs) / 1000);
    if (seat.isKept) {
      this.executing.delete(seat);
      if (queue !== undefined) {
        this.queues?.advance(nowMs, this.inUse, this.limit);
        this.queues?.ended(queue, estimate, nowMs - seat.startedMs);
      }
    }
    const { after } = this.#host;
    if (estimate.additionalMs === 0 || after === undefined) return this.#giveBack(seat, seat.isKept);
    this.note(nowMs);
    after(estimate.additionalMs, () => this.#giveBack(seat, true));
  }

  /** `isNoticed`: it was held for longer than one turn. */
  #giveBack({ counts, width, queue, isSending }: Occupied, isNoticed: boolean): void {
    this.inUse -= width;
    if (isSending) this.#sendingSeats -= width;
    counts.executingSeats -= width;
    if (queue !== undefined) queue.seatsInUse -= width;
    if (isNoticed) this.dispatch();
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

  #wait(seat: Occupied, queues: QueueSet<Occupied>, queue: Queue<Occupied>): void {
    queues.enqueue(seat, queue);
    seat.queue = queue;
    seat.counts.waiting++;
    if (!seat.isLong) this.#shortWaiting++;
    seat.counts.waitingSeats += seat.width;
  }

  #waitsNoMore(seat: Occupied): void {
    seat.stopWaiting?.();
    seat.counts.waiting--;
    if (!seat.isLong) this.#shortWaiting--;
    seat.counts.waitingSeats -= seat.width;
  }

  /** It goes on beyond one turn: from now on its flow answers for it. */
  kept(seat: Occupied, nowMs: number): void {
    this.executing.add(seat);
    const { queues } = this;
    if (queues !== undefined && seat.queue === undefined) {
      queues.advance(nowMs, this.inUse - seat.width, this.limit);
      this.#assignQueue(seat, queues);
    }
    this.note(nowMs);
  }

  #assignQueue(seat: Occupied, queues: QueueSet<Occupied>): void {
    seat.queue = queues.queueFor(seat.hash, seat.arrival);
    queues.goesOn(seat.queue, seat.estimate);
  }

  #giveUp(seat: Occupied, reason: RejectReason): void {
    const { queue, counts } = seat;
    if (queue === undefined || this.queues?.leave(seat, queue) !== true) return;
    this.#waitsNoMore(seat);
    if (reason === 'time-out') this.timedOut++;
    else this.cancelled++;
    seat.isRefused = true;
    this.#count(counts, reason);
    const nowMs = this.#host.nowMs();
    counts.waited.false.observe((nowMs - seat.arrivedMs) / 1000);
    this.note(nowMs);
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
    this.#refusals.add(this.#host.nowMs());
    rejected.set(reason, (rejected.get(reason) ?? 0) + 1);
  }

  /** Those who wait when the queues change are dealt anew. */
  #setQueues(config: QueueConfig | undefined): void {
    const before = this.queues;
    const { config: old } = before ?? {};
    if (old?.queues === config?.queues && old?.handSize === config?.handSize && old?.lengthMax === config?.lengthMax) return;
    const waiting = before?.list().flatMap((queue) => queue.waiting) ?? [];
    this.queues = config === undefined ? undefined : new QueueSet(config);
    for (const seat of this.executing) {
      seat.queue = undefined;
      if (this.queues !== undefined) this.#assignQueue(seat, this.queues);
    }
    for (const seat of waiting) this.#moveOver(seat);
  }

  #moveOver(seat: Occupied): void {
    const { queues } = this;
    const queue = queues?.queueFor(seat.hash, queues.arrived());
    seat.queue = queue;
    if (queues !== undefined && queue !== undefined && !queues.isFull(queue)) return queues.enqueue(seat, queue);
    this.#waitsNoMore(seat);
    if (queues === undefined && (this.isExempt || this.fits(seat.width))) {
      this.#sit(seat, this.#host.nowMs());
      seat.keep();
    } else {
      seat.isRefused = true;
      this.#count(seat.counts, 'queue-full');
    }
    seat.resolve?.();
  }
}
