/** How full a priority level is at every moment, as a share of what it has. Mirrors the ratioed gauges of apiserver pkg/util/flowcontrol. */
import type { Histogram } from '../metrics-text.ts';
import { TimingHistogram } from './timing-histogram.ts';

export interface Fullness {
  /** Seats that the requests hold and wait for. */
  readonly demand: number;
  readonly seats: number;
  readonly executing: number;
  readonly waiting: number;
  /** Seats that the level has; of a level without any a tenth of the server's. */
  readonly limit: number;
  /** How many may wait. */
  readonly room: number;
}

const demandBounds = [0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.7, 2, 2.8, 4, 6];
const seatBounds = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1];
const requestBounds = [0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.25, 0.5, 0.75, 1];

export class LevelMeter {
  readonly #demand: TimingHistogram;
  readonly #seats: TimingHistogram;
  readonly #executing: TimingHistogram;
  readonly #waiting: TimingHistogram;

  constructor(nowMs: number) {
    this.#demand = new TimingHistogram(demandBounds, nowMs);
    this.#seats = new TimingHistogram(seatBounds, nowMs);
    this.#executing = new TimingHistogram(requestBounds, nowMs);
    this.#waiting = new TimingHistogram(requestBounds, nowMs);
  }

  note(nowMs: number, { demand, seats, executing, waiting, limit, room }: Fullness): void {
    this.#demand.set(nowMs, demand / limit);
    this.#seats.set(nowMs, seats / limit);
    this.#executing.set(nowMs, executing / limit);
    this.#waiting.set(nowMs, waiting / room);
  }

  at(nowMs: number): { readonly demand: Histogram; readonly seats: Histogram; readonly executing: Histogram; readonly waiting: Histogram } {
    return {
      demand: this.#demand.at(nowMs),
      seats: this.#seats.at(nowMs),
      executing: this.#executing.at(nowMs),
      waiting: this.#waiting.at(nowMs),
    };
  }
}
