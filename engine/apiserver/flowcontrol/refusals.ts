/**
 * For how long those who are sent away are asked to stay away: longer while many are, a little shorter with each quiet spell. Mirrors
 * apiserver pkg/util/flowcontrol/dropped_requests_tracker.go.
 */
import { assert } from '../../base/assert.ts';

const secondsMax = 32;
/** So many refusals for each second of the advice raise it; fewer than one lower it. */
const raisedBy = 3;

interface Second {
  readonly at: number;
  readonly refused: number;
}

export class Refusals {
  #adviceSeconds = 1;
  #raisedAt = Number.NEGATIVE_INFINITY;
  /** The second that is now, of which nothing is concluded yet. */
  #now: { readonly at: number; refused: number } | undefined;
  #before: Second[] = [];

  /** What a client is told that is sent away now. */
  get retryAfterSeconds(): number {
    return this.#adviceSeconds;
  }

  /** One more was sent away. */
  add(nowMs: number): void {
    const at = Math.floor(nowMs / 1000);
    if (this.#now?.at === at) {
      this.#now.refused++;
      return;
    }
    if (this.#now !== undefined) this.#remember(this.#now);
    this.#now = { at, refused: 1 };
    this.#conclude(at);
  }

  #remember(second: Second): void {
    const kept = Math.min(2 * this.#adviceSeconds, secondsMax);
    this.#before = [...this.#before.filter(({ at }) => second.at - at <= kept), second];
    assert(this.#before.length <= secondsMax + 1, 'no more is remembered than can matter');
  }

  #conclude(now: number): void {
    const advice = this.#adviceSeconds;
    const recent = this.#before.filter(({ at }) => now - at <= advice);
    const refused = recent.reduce((sum, second) => sum + second.refused, 0);
    // One spike raises it once.
    if (now - this.#raisedAt >= advice && refused >= raisedBy * advice) {
      this.#adviceSeconds = Math.min(advice * 2, secondsMax);
      this.#raisedAt = now;
    } else if (refused < advice && advice > 1) this.#adviceSeconds--;
  }
}
