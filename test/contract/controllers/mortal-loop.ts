/** The task loop as one process sees it. When the process is killed, nothing that it had begun goes on: no timer, no call, no answer. */
import type { Component, TaskLoop } from '../../../engine/base/task-loop.ts';

/** What an answer to the dead is. One for each: what waits for it goes with it. */
function never(): Promise<never> {
  return new Promise(() => undefined);
}

export class MortalLoop {
  readonly #loop: TaskLoop;
  #isAlive = true;

  constructor(loop: TaskLoop) {
    this.#loop = loop;
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  kill(): void {
    this.#isAlive = false;
  }

  nowMs(): number {
    return this.#loop.nowMs();
  }

  register(component: Component): void {
    const { name, slots } = component;
    this.#loop.register({ name, slots, onTimer: (timer, payload) => (this.#isAlive ? component.onTimer(timer, payload) : undefined) });
  }

  setTimer(...timer: Parameters<TaskLoop['setTimer']>): number {
    return this.#loop.setTimer(...timer);
  }

  cancelTimer(id: number): void {
    this.#loop.cancelTimer(id);
  }

  after<T>(delayMs: number, component: string, call: () => T | Promise<T>): Promise<T> {
    return this.#loop.after(delayMs, component, () => {
      if (!this.#isAlive) return never();
      try {
        const result = call();
        return this.#isAlive ? result : never();
      } catch (error) {
        if (!this.#isAlive) return never();
        throw error;
      }
    });
  }

  soon(delayMs: number, component: string, deliver: () => void | Promise<void>): void {
    this.#loop.soon(delayMs, component, () => (this.#isAlive ? deliver() : undefined));
  }

  track(coroutine: Promise<void>, component: string, key: string): void {
    this.#loop.track(coroutine, component, key);
  }

  crashed(component: string, key: string, error: unknown): void {
    this.#loop.crashed(component, key, error);
  }
}
