/**
 * The queues of one priority level: fair queuing by virtual time. R is the work that each active queue could have had done; a queue's
 * `nextR` is where its next request begins; the request that would end first is served first. Mirrors apiserver
 * pkg/util/flowcontrol/fairqueuing/queueset.
 */
import { assert } from '../../base/assert.ts';
import { deal } from './shuffle-sharding.ts';
import { narrowed, seatsOf, type WorkEstimate } from './work-estimate.ts';

export interface QueueConfig {
  readonly queues: number;
  readonly handSize: number;
  readonly lengthMax: number;
}

/** What waits, and what was dispatched while others waited. */
export interface Queueable {
  readonly hash: bigint;
  estimate: WorkEstimate;
  /** R when it came. */
  arrivalR: number;
}

export interface Queue<T> {
  readonly index: number;
  readonly waiting: T[];
  executing: number;
  seatsInUse: number;
  /** Seat seconds. */
  nextR: number;
}

/** Least and most of all queues. */
export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** Virtual times of the request that was dispatched last, and of those that waited then. */
export interface Dispatched {
  readonly currentR: number;
  readonly startR: number;
  readonly next: Bounds;
  /** Less the work that is in progress. */
  readonly discounted: Bounds;
}

/** A guess at how long a request takes, until it is over. */
const guessSeconds = 0.003;

export class QueueSet<T extends Queueable> {
  readonly config: QueueConfig;
  readonly #queues: Queue<T>[];
  #currentR = 0;
  #lastMs = 0;
  #robin = 0;
  #arrived = 0;
  #waiting = 0;
  #waitingSeats = 0;
  #dispatched: Dispatched = { currentR: 0, startR: 0, next: { min: 0, max: 0 }, discounted: { min: 0, max: 0 } };

  constructor(config: QueueConfig) {
    this.config = config;
    this.#queues = Array.from({ length: config.queues }, (_, index) => ({ index, waiting: [], executing: 0, seatsInUse: 0, nextR: 0 }));
  }

  get waiting(): number {
    return this.#waiting;
  }

  get waitingSeats(): number {
    return this.#waitingSeats;
  }

  get currentR(): number {
    return this.#currentR;
  }

  get dispatched(): Dispatched {
    return this.#dispatched;
  }

  list(): readonly Queue<T>[] {
    return this.#queues;
  }

  /** Lets R go on to `nowMs`, where requests have had `limit` seats at most. */
  advance(nowMs: number, seatsInUse: number, limit: number): void {
    const passed = Math.max(0, nowMs - this.#lastMs) / 1000;
    this.#lastMs = nowMs;
    const active = this.#queues.reduce((count, queue) => count + (isActive(queue) ? 1 : 0), 0);
    if (active > 0) this.#currentR += (passed * Math.min(seatsInUse + this.#waitingSeats, limit)) / active;
  }

  /** One more has come: where in its hand the search for its queue begins. */
  arrived(): number {
    return this.#arrived++;
  }

  /** The queue of the flow's hand in which least work waits; of equals none is always the first. */
  queueFor(hash: bigint, arrival: number): Queue<T> {
    const { queues, handSize } = this.config;
    const hand = deal(hash, queues, handSize);
    let best: Queue<T> | undefined;
    let bestWork = Number.POSITIVE_INFINITY;
    for (let step = 0; step < handSize; step++) {
      const queue = this.#queues[hand[(arrival + step) % handSize] as number];
      assert(queue, 'a hand is dealt of the queues there are');
      const work = workOf(queue.waiting);
      if (work < bestWork) [best, bestWork] = [queue, work];
    }
    assert(best, 'a hand has a queue');
    return best;
  }

  /** Whether no more may wait in it while all seats are taken. */
  isFull(queue: Queue<T>): boolean {
    return queue.waiting.length >= this.config.lengthMax;
  }

  enqueue(item: T, queue: Queue<T>): void {
    item.arrivalR = this.#currentR;
    if (!isActive(queue)) queue.nextR = this.#currentR;
    queue.waiting.push(item);
    this.#waiting++;
    this.#waitingSeats += seatsOf(item.estimate);
    this.#bound(queue);
  }

  /** Gives up waiting; false when it does not wait. */
  leave(item: T, queue: Queue<T>): boolean {
    const place = queue.waiting.indexOf(item);
    if (place < 0) return false;
    queue.waiting.splice(place, 1);
    this.#left(item);
    this.#bound(queue);
    return true;
  }

  /** The one whose turn it is, and its queue. */
  next(): { readonly item: T; readonly queue: Queue<T> } | undefined {
    const queue = this.#first();
    const item = queue?.waiting[0];
    return queue === undefined || item === undefined ? undefined : { item, queue };
  }

  /** The first of a queue begins; it gets no more seats than there are. */
  begin(queue: Queue<T>, seatsMax: number): T {
    const item = queue.waiting[0];
    assert(item, 'who begins was the first of his queue');
    this.#note(
      queue,
      this.#queues.filter((one) => one.waiting.length > 0),
    );
    queue.waiting.shift();
    this.#left(item);
    item.estimate = narrowed(item.estimate, seatsMax);
    this.#robin = queue.index;
    this.#began(queue, item.estimate);
    this.#bound(queue);
    return item;
  }

  /** One that found a seat at once goes on. */
  goesOn(queue: Queue<T>, estimate: WorkEstimate): void {
    if (!isActive(queue)) queue.nextR = this.#currentR;
    this.#note(queue, [queue]);
    this.#began(queue, estimate);
  }

  #note({ nextR }: Queue<T>, waiting: readonly Queue<T>[]): void {
    const next = boundsOf(waiting.map((queue) => queue.nextR));
    const discounted = boundsOf(waiting.map((queue) => queue.nextR - queue.seatsInUse * guessSeconds));
    this.#dispatched = { currentR: this.#currentR, startR: nextR, next, discounted };
  }

  #began(queue: Queue<T>, estimate: WorkEstimate): void {
    queue.executing++;
    queue.seatsInUse += seatsOf(estimate);
    queue.nextR += totalWork(estimate);
  }

  /** The guess is replaced by what it took; its seats may be kept for longer. */
  ended(queue: Queue<T>, { initialSeats }: WorkEstimate, tookMs: number): void {
    queue.executing--;
    queue.nextR -= initialSeats * (guessSeconds - tookMs / 1000);
    this.#bound(queue);
  }

  /** No request begins before it came. */
  #bound(queue: Queue<T>): void {
    const oldest = queue.waiting[0];
    if (oldest !== undefined && queue.nextR < oldest.arrivalR) queue.nextR = oldest.arrivalR;
  }

  /** Looked for in turn, so that of equals none is always the first. */
  #first(): Queue<T> | undefined {
    let best: Queue<T> | undefined;
    let bestEnd = Number.POSITIVE_INFINITY;
    for (let step = 1; step <= this.#queues.length; step++) {
      const queue = this.#queues[(this.#robin + step) % this.#queues.length];
      const oldest = queue?.waiting[0];
      if (queue === undefined || oldest === undefined) continue;
      const end = queue.nextR + totalWork(oldest.estimate);
      if (end < bestEnd) [best, bestEnd] = [queue, end];
    }
    return best;
  }

  #left({ estimate }: T): void {
    this.#waiting--;
    this.#waitingSeats -= seatsOf(estimate);
  }
}

/** Seat seconds of a request, as far as they can be guessed. */
function totalWork({ initialSeats, finalSeats, additionalMs }: WorkEstimate): number {
  return initialSeats * guessSeconds + (finalSeats * additionalMs) / 1000;
}

/** Of all of them. */
export function workOf(items: readonly Pick<Queueable, 'estimate'>[]): number {
  return items.reduce((sum, { estimate }) => sum + totalWork(estimate), 0);
}

function boundsOf(values: readonly number[]): Bounds {
  return { min: Math.min(...values), max: Math.max(...values) };
}

function isActive({ waiting, executing }: { readonly waiting: readonly unknown[]; readonly executing: number }): boolean {
  return waiting.length > 0 || executing > 0;
}
