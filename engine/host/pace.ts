/** How fast virtual time has passed of late: an average over the last moments, from looks at both clocks. */

interface Mark {
  readonly wallMs: number;
  readonly virtualMs: number;
}

const windowMs = 2_000;
/** Over less an average says nothing. */
const leastMs = 400;
const spacingMs = 90;

export class PaceMeter {
  #marks: readonly Mark[] = [];

  /** What was before counts no more: somebody wishes another speed. */
  reset(): void {
    this.#marks = [];
  }

  /** Virtual milliseconds per wall millisecond up to this look; undefined while there is too little to say. */
  look(wallMs: number, virtualMs: number): number | undefined {
    // The last look before the window stays: whoever looks seldom hears of the whole time between.
    const first = this.#marks.findLastIndex((mark) => wallMs - mark.wallMs >= windowMs);
    if (first > 0) this.#marks = this.#marks.slice(first);
    const last = this.#marks.at(-1);
    if (last === undefined || wallMs - last.wallMs >= spacingMs) this.#marks = [...this.#marks, { wallMs, virtualMs }];
    const [from] = this.#marks;
    if (from === undefined || wallMs - from.wallMs < leastMs) return undefined;
    return (virtualMs - from.virtualMs) / (wallMs - from.wallMs);
  }
}
