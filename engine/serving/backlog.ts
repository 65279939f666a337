/**
 * Bytes that were handed to a client's connection and have not left yet. While they are many, whoever makes more of them is held, as a
 * full pipe holds the process that writes to it; a client who lets far more pile up is dropped.
 */
import { assert } from '../base/assert.ts';

export interface BacklogOptions {
  /** Told when it has become long, and when it is short again. */
  readonly onHeld: (isHeld: boolean) => void;
  /** There is more than any holding explains: nobody reads. */
  readonly onTooLong: () => void;
}

/** About what sockets and pipes hold on both sides of a connection. */
const heldFromBytes = 256 * 1024;
const heldToBytes = 64 * 1024;
/** Who is held may have answered a lot at once before. */
const tooLongBytes = 64 * 1024 * 1024;

export class Backlog {
  readonly #options: BacklogOptions;
  #bytes = 0;
  #isHeld = false;
  #whenEmpty: (() => void) | undefined;

  constructor(options: BacklogOptions) {
    this.#options = options;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > tooLongBytes) this.#options.onTooLong();
    else if (this.#bytes > heldFromBytes) this.#hold(true);
  }

  /** So many have left. */
  remove(bytes: number): void {
    assert(bytes <= this.#bytes, 'what leaves was there');
    this.#bytes -= bytes;
    if (this.#bytes <= heldToBytes) this.#hold(false);
    if (this.#bytes > 0) return;
    const act = this.#whenEmpty;
    this.#whenEmpty = undefined;
    act?.();
  }

  /** Once all has left, at once where nothing waits. */
  whenEmpty(act: () => void): void {
    assert(this.#whenEmpty === undefined, 'a connection ends once');
    if (this.#bytes === 0) act();
    else this.#whenEmpty = act;
  }

  #hold(isHeld: boolean): void {
    if (this.#isHeld === isHeld) return;
    this.#isHeld = isHeld;
    this.#options.onHeld(isHeld);
  }
}
