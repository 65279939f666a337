/**
 * Long answers take turns. Each is written chunk by chunk; all of them together get a few milliseconds of a turn of the event loop,
 * in which every answer has one step after the other, and then sockets, timers and the cluster have theirs. So a light request waits
 * for one such share at most, however many lists are under way.
 */

/** Does one piece of work; says whether there is more to do at once. */
export type Step = () => boolean;

const shareMs = 2;
/** What a step should take at most. */
export const stepMs = 1;

export class Slices {
  #waiting: Step[] = [];
  #isScheduled = false;
  readonly #before: () => void;

  /** `before` is called before each share: what is short goes first. */
  constructor(before: () => void = () => undefined) {
    this.#before = before;
  }

  add(step: Step): void {
    this.#waiting.push(step);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    setImmediate(() => this.#run());
  }

  #run(): void {
    this.#isScheduled = false;
    this.#before();
    const endMs = performance.now() + shareMs;
    do {
      const step = this.#waiting.shift();
      if (step === undefined) return;
      if (step()) this.#waiting.push(step);
    } while (performance.now() < endMs);
    this.#schedule();
  }
}
