/** Instants of a list, by few digits: thousandths of a millisecond since the one before, where that leads back to the very same ones; else milliseconds, each for itself. */
export class Instants {
  readonly #sinceMs: number;
  readonly #inThousandths: boolean;
  #before = 0;

  constructor(sinceMs: number, inThousandths: boolean) {
    this.#sinceMs = sinceMs;
    this.#inThousandths = inThousandths;
  }

  /** What is told of the next instant of the list. */
  told(ms: number): number {
    if (!this.#inThousandths) return ms - this.#sinceMs;
    const at = thousandths(this.#sinceMs, ms);
    const told = at - this.#before;
    this.#before = at;
    return told;
  }

  /** The next instant of the list. */
  read(told: number): number {
    if (!this.#inThousandths) return this.#sinceMs + told;
    this.#before += told;
    return this.#sinceMs + this.#before / 1000;
  }
}

/** Whether so many whole thousandths since then are that instant. */
export function isThousandth(sinceMs: number, ms: number): boolean {
  const at = thousandths(sinceMs, ms);
  return Number.isSafeInteger(at) && sinceMs + at / 1000 === ms;
}

function thousandths(sinceMs: number, ms: number): number {
  return Math.round((ms - sinceMs) * 1000);
}
