/**
 * When what was written to streams leaves: at the end of the turn; but what follows on others within a moment waits for that to pass,
 * and leaves with all that has come by then. One event that goes to a hundred watches is a hundred writes, each of which wakes its
 * client and costs more than to make the event: the more streams there are, the longer the moment. Once nothing more comes nothing is
 * waited for.
 */
import type { Departures } from './departures.ts';
import { type Slices, stepMs } from './slices.ts';

/** Between two times at which streams are sent to. */
const gapMsMin = 4;
const gapMsEach = 0.3;
const gapMsMax = 30;
/** Nothing more has come for so long. */
const silenceMs = 4;
/** How long sending may hold up others before it goes on in steps. */
const turnMs = 4;

/** A stream that has something to send. */
export interface Sender {
  /** How many pieces wait for the next cut. */
  readonly written: number;
  /** What has been written so far is what `flush` sends; what comes after that waits for the next time. */
  cut(): void;
  /** Does not throw. */
  flush(): void;
}

export class StreamPace {
  readonly #departures: Departures;
  readonly #slices: Slices;
  #due: Sender[] = [];
  /** Those that are being sent to; the ones before `next` have had theirs. */
  #leaving: Sender[] = [];
  #next = 0;
  #beganMs = 0;
  #nextMs = Number.NEGATIVE_INFINITY;

  constructor(departures: Departures, slices: Slices) {
    this.#departures = departures;
    this.#slices = slices;
  }

  soon(sender: Sender): void {
    if (this.#due.push(sender) > 1 || this.#leaving.length > 0) return;
    const waitMs = this.#nextMs - performance.now();
    if (waitMs <= 0) this.#departures.add(this.#sendDue);
    else this.#sendLater(waitMs);
  }

  /** When the moment has passed, or earlier where it has become silent. */
  #sendLater(waitMs: number): void {
    const before = this.#written();
    setTimeout(
      () => {
        const leftMs = this.#nextMs - performance.now();
        if (leftMs <= 0 || this.#written() === before) this.#sendDue();
        else this.#sendLater(leftMs);
      },
      Math.min(waitMs, silenceMs),
    );
  }

  /** To all streams that are due. */
  #written(): number {
    return this.#due.reduce((sum, { written }) => sum + written, 0);
  }

  readonly #sendDue = (): void => {
    this.#leaving = this.#due;
    this.#next = 0;
    this.#due = [];
    this.#beganMs = performance.now();
    // However long they take: those who were told the same are sent the same, which is made once.
    for (const sender of this.#leaving) sender.cut();
    if (this.#sendFor(turnMs)) this.#slices.add(() => this.#sendFor(stepMs));
  };

  /** True when there are more: a thousand watches leave others room in between. */
  #sendFor(ms: number): boolean {
    const endMs = performance.now() + ms;
    while (this.#next < this.#leaving.length && performance.now() < endMs) (this.#leaving[this.#next++] as Sender).flush();
    if (this.#next < this.#leaving.length) return true;
    this.#nextMs = this.#beganMs + Math.min(gapMsMax, Math.max(gapMsMin, this.#leaving.length * gapMsEach));
    this.#leaving = [];
    if (this.#due.length > 0) this.#sendLater(Math.max(0, this.#nextMs - performance.now()));
    return false;
  }
}
