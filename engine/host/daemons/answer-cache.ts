/** Answers that are kept for a time, at most so many of them. Times are wall time, as those of the flags. */
export class AnswerCache<A> {
  readonly #entries = new Map<string, { readonly answer: A; readonly untilMs: number }>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  get(key: string): A | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.untilMs > this.#nowMs()) return entry?.answer;
    this.#entries.delete(key);
    return undefined;
  }

  /** Keeps nothing when the time is none. */
  set(key: string, answer: A, ttlMs: number): void {
    if (ttlMs <= 0) return;
    this.#entries.set(key, { answer, untilMs: this.#nowMs() + ttlMs });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > entriesMax && oldest !== undefined) this.#entries.delete(oldest);
  }
}

const entriesMax = 8192;
