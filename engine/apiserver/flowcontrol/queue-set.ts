/**
 * The queues of one priority level: fair queuing by virtual time. R is the work that each active queue could have had done; a queue's
 * `nextR` is where its next request begins; the request that would end first is served first. Mirrors apiserver
 * pkg/util/flowcontrol/fairqueuing/queueset.
 */
import { assert } from '../../base/assert.ts';
import { deal } from './shuffle-sharding.ts';

export interface QueueConfig {
  readonly queues: number;
  readonly handSize: number;
  readonly lengthMax: number;
}

/** What waits, and what was dispatched while others waited. */
export interface Queueable {
  readonly hash: bigint;
  readonly width: number;
}

export interface Queue<T> {
  readonly index: number;
  readonly waiting: T[];
  executing: number;
  seatsInUse: number;
  /** Seat seconds. */
  nextR: number;
}

/** A guess at how long a request takes, until it is over. */
const guessSeconds = 0.003;

export class QueueSet<T extends Queueable> {
  readonly config: QueueConfig;
  readonly #queues: Queue<T>[];
  #currentR = 0;
  #lastMs = 0;
  #robin = 0;
  #waiting = 0;
  #waitingSeats = 0;

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

  /** The queue of the flow's hand that has the least to do. */
  queueFor(hash: bigint): Queue<T> {
    let best: Queue<T> | undefined;
    let bestWork = Number.POSITIVE_INFINITY;
    for (const index of deal(hash, this.config.queues, this.config.handSize)) {
      const queue = this.#queues[index];
      assert(queue, 'a hand is dealt of the queues there are');
      const work = queue.waiting.reduce((sum, { width }) => sum + width * guessSeconds, (queue.seatsInUse * guessSeconds) / 2);
      if (work < bestWork) [best, bestWork] = [queue, work];
    }
    assert(best, 'a hand has a queue');
    return best;
  }

  /** False when the queue is full. */
  enqueue(item: T, queue: Queue<T>): boolean {
    if (queue.waiting.length >= this.config.lengthMax) return false;
    if (!isActive(queue)) queue.nextR = this.#currentR;
    queue.waiting.push(item);
    this.#waiting++;
    this.#waitingSeats += item.width;
    return true;
  }

  /** Gives up waiting; false when it does not wait. */
  leave(item: T, queue: Queue<T>): boolean {
    const place = queue.waiting.indexOf(item);
    if (place < 0) return false;
    queue.waiting.splice(place, 1);
    this.#left(item);
    return true;
  }

  /** The one whose turn it is, if it fits. */
  next(fits: (width: number) => boolean): { readonly item: T; readonly queue: Queue<T> } | undefined {
    const found = this.#first();
    const item = found?.waiting[0];
    if (found === undefined || item === undefined || !fits(item.width)) return undefined;
    found.waiting.shift();
    this.#left(item);
    this.#robin = found.index;
    this.began(found, item.width);
    return { item, queue: found };
  }

  began(queue: Queue<T>, width: number): void {
    if (!isActive(queue)) queue.nextR = this.#currentR;
    queue.executing++;
    queue.seatsInUse += width;
    queue.nextR += width * guessSeconds;
  }

  /** The guess is replaced by what it took. */
  ended(queue: Queue<T>, width: number, tookMs: number): void {
    queue.executing--;
    queue.seatsInUse -= width;
    queue.nextR += width * (tookMs / 1000 - guessSeconds);
  }

  /** Looked for in turn, so that of equals none is always the first. */
  #first(): Queue<T> | undefined {
    let best: Queue<T> | undefined;
    let bestEnd = Number.POSITIVE_INFINITY;
    for (let step = 1; step <= this.#queues.length; step++) {
      const queue = this.#queues[(this.#robin + step) % this.#queues.length];
      const oldest = queue?.waiting[0];
      if (queue === undefined || oldest === undefined) continue;
      const end = queue.nextR + oldest.width * guessSeconds;
      if (end < bestEnd) [best, bestEnd] = [queue, end];
    }
    return best;
  }

  #left({ width }: T): void {
    this.#waiting--;
    this.#waitingSeats -= width;
  }
}

function isActive<T>({ waiting, executing }: Queue<T>): boolean {
  return waiting.length > 0 || executing > 0;
}
