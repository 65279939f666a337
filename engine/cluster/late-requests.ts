/**
 * Requests from outside that faults delay, or that wait for what somebody is about to make. They wait for virtual time outside of history: nothing of them is in the loop or in a
 * checkpoint, and what they change enters at the place where time stands when their wait is over. While time stands still they wait as
 * long as clients do, and are then told so.
 */
import type { TaskLoop } from '../base/task-loop.ts';
import type { Outside } from './questions.ts';

export class LateRequests {
  readonly #loop: Pick<TaskLoop, 'nowMs'>;
  readonly #outside: Outside;
  #isClosed = false;

  constructor(loop: Pick<TaskLoop, 'nowMs'>, outside: Outside) {
    this.#loop = loop;
    this.#outside = outside;
  }

  /** `wallMostMs`: after so much wall time they go on, whatever virtual time it is. */
  async wait<T>(delayMs: number, goOn: (isInTime: boolean) => T | Promise<T>, wallMostMs?: number): Promise<T> {
    const dueMs = this.#loop.nowMs() + delayMs;
    const has = await (this.#outside.until?.(dueMs, wallMostMs) ??
      this.#look(dueMs, this.#outside.wallMs() + (wallMostMs ?? Number.POSITIVE_INFINITY)));
    return goOn(has && !this.#isClosed);
  }

  close(): void {
    this.#isClosed = true;
  }

  async #look(dueMs: number, giveUpMs: number): Promise<boolean> {
    while (this.#loop.nowMs() < dueMs && this.#outside.wallMs() < giveUpMs && !this.#isClosed) await this.#outside.hop();
    return this.#loop.nowMs() >= dueMs && !this.#isClosed;
  }
}
