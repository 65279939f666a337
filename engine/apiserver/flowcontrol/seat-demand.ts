/**
 * How many seats a priority level wanted, over time: what borrowing is decided by. Mirrors apiserver
 * pkg/util/flowcontrol/{integrator,apf_controller}.go.
 */

/** The old estimate counts so much when demand falls. */
const smoothing = 0.977;

export class SeatDemand {
  #value = 0;
  #sinceMs: number;
  #lastMs: number;
  #sum = 0;
  #squares = 0;
  #highest = 0;
  #smoothed = 0;
  /** Of the last period: average, standard deviation and highest. */
  #average = 0;
  #deviation = 0;
  #highestBefore = 0;

  constructor(nowMs: number) {
    this.#sinceMs = nowMs;
    this.#lastMs = nowMs;
  }

  get highest(): number {
    return this.#highest;
  }

  get smoothed(): number {
    return this.#smoothed;
  }

  get average(): number {
    return this.#average;
  }

  get deviation(): number {
    return this.#deviation;
  }

  get highestBefore(): number {
    return this.#highestBefore;
  }

  /** What was wanted for no time counts as the most that was wanted all the same. */
  touch(value: number): void {
    if (value > this.#highest) this.#highest = value;
  }

  set(nowMs: number, value: number): void {
    this.#integrate(nowMs);
    this.#value = value;
    this.touch(value);
  }

  /** Ends a time of so many periods. */
  settle(nowMs: number, periods: number): void {
    this.#integrate(nowMs);
    const passed = nowMs - this.#sinceMs;
    this.#highestBefore = this.#highest;
    if (passed <= 0) return;
    const average = this.#sum / passed;
    const deviation = Math.sqrt(Math.max(0, this.#squares / passed - average * average));
    const envelope = average + deviation;
    this.#average = average;
    this.#deviation = deviation;
    const kept = smoothing ** periods;
    this.#smoothed = Math.max(envelope, kept * this.#smoothed + (1 - kept) * envelope);
    this.#sinceMs = nowMs;
    this.#sum = 0;
    this.#squares = 0;
  }

  /** After `settle`, when what was highest has been looked at. */
  begin(): void {
    this.#highest = this.#value;
  }

  #integrate(nowMs: number): void {
    const passed = nowMs - this.#lastMs;
    this.#sum += this.#value * passed;
    this.#squares += this.#value * this.#value * passed;
    this.#lastMs = nowMs;
  }
}
