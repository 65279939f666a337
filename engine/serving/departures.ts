/**
 * What leaves in one turn of the event loop leaves together: answers wait until the requests that had come are served, and go out one
 * right behind the other. A client that has sent several then wakes once and not for each, which costs both sides half of what a small
 * request costs at all. Nothing waits longer than a moment.
 */

const holdMs = 4;

export class Departures {
  #waiting: (() => void)[] = [];
  #firstMs = 0;
  readonly #onDefect: (error: Error) => void;

  /** `onDefect` hears of what throws while it is sent; the others leave all the same. */
  constructor(onDefect: (error: Error) => void) {
    this.#onDefect = onDefect;
  }

  /** In the order of the calls. */
  add(send: () => void): void {
    const nowMs = performance.now();
    if (this.#waiting.push(send) === 1) {
      this.#firstMs = nowMs;
      setImmediate(() => this.leave());
    } else if (nowMs - this.#firstMs >= holdMs) this.leave();
  }

  /** Lets go what waits, before something that takes longer. */
  leave(): void {
    const leaving = this.#waiting;
    this.#waiting = [];
    for (const send of leaving) {
      try {
        send();
      } catch (error) {
        this.#onDefect(error instanceof Error ? error : new Error(String(error)));
      }
    }
  }
}
