/**
 * Requests from outside that faults delay. They wait for virtual time outside of history: nothing of them is in the loop or in a
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

  async wait<T>(delayMs: number, goOn: (isInTime: boolean) => T | Promise<T>): Promise<T> {
    const dueMs = this.#loop.nowMs() + delayMs;
    const has = await (this.#outside.until?.(dueMs) ?? this.#look(dueMs));
    return goOn(has && !this.#isClosed);
  }

  close(): void {
    this.#isClosed = true;
  }

  async #look(dueMs: number): Promise<boolean> {
    while (this.#loop.nowMs() < dueMs && !this.#isClosed) await this.#outside.hop();
    return !this.#isClosed;
  }
}
