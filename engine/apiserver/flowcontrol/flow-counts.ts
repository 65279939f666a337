/** What is counted and measured of the requests of one flow schema in one level. Buckets as upstream's pkg/util/flowcontrol/metrics. */
import { Histogram } from '../metrics-text.ts';

export type RejectReason = 'queue-full' | 'concurrency-limit' | 'time-out' | 'cancelled';

/** Seconds that requests wait or take. */
const durationBounds = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];
const seatBounds = [1, 2, 4, 8, 16, 32, 64, 100];
const lengthBounds = [0, 10, 25, 50, 100, 250, 500, 1000];
const watcherBounds = [0, 1, 10, 100, 1000, 10000];

export class FlowCounts {
  readonly schema: string;
  readonly level: string;
  dispatched = 0;
  executing = 0;
  executingSeats = 0;
  waiting = 0;
  waitingSeats = 0;
  /** How often one whose turn it was found too few seats. */
  unaccommodated = 0;
  readonly rejected = new Map<RejectReason, number>();
  /** Seconds in a queue, of those who got a seat and of those who were sent away. */
  readonly waited = { true: new Histogram(durationBounds), false: new Histogram(durationBounds) };
  /** Seconds with a seat: of watches until they have begun. */
  readonly executed = { regular: new Histogram(durationBounds), watch: new Histogram(durationBounds) };
  readonly widths = new Histogram(seatBounds);
  /** Of its queue, as each request saw it that came. */
  readonly queueLengths = new Histogram(lengthBounds);
  /** Who would be told of what each request changes. */
  readonly watchers = new Histogram(watcherBounds);

  constructor(schema: string, level: string) {
    this.schema = schema;
    this.level = level;
  }
}
