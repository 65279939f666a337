/**
 * Tells pages the time: the Clock object, when it changed, at most ten times a second, and only while a page listens. Virtual time
 * has no events of its own to follow, so it is looked at.
 */
export interface ClockListener {
  announce(type: string, objectJson: string): void;
}

const intervalMs = 100;

export class ClockFeed {
  readonly #clock: () => object;
  readonly #onDefect: (error: Error) => void;
  readonly #listeners = new Set<ClockListener>();
  #timer: NodeJS.Timeout | undefined;
  #last = '';

  constructor(clock: () => object, onDefect: (error: Error) => void) {
    this.#clock = clock;
    this.#onDefect = onDefect;
  }

  add(listener: ClockListener): void {
    this.#look();
    if (this.#last !== '') listener.announce('CLOCK', this.#last);
    this.#listeners.add(listener);
    this.#timer ??= setInterval(() => this.#look(), intervalMs);
  }

  remove(listener: ClockListener): void {
    this.#listeners.delete(listener);
    if (this.#listeners.size === 0) this.#stop();
  }

  close(): void {
    this.#listeners.clear();
    this.#stop();
  }

  #look(): void {
    try {
      const text = JSON.stringify(this.#clock());
      if (text === this.#last) return;
      this.#last = text;
    } catch (error) {
      this.#stop();
      this.#onDefect(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    for (const listener of this.#listeners) listener.announce('CLOCK', this.#last);
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
