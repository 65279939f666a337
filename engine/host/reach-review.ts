/**
 * Webhooks that a kubeconfig leads to: who knows tokens, who decides, who looks at images. A try that came to nothing in passing is made
 * again, five in all, with more and more time between them. Mirrors apiserver pkg/util/webhook and what client-go does for it.
 */
import { type ReviewCall, type ReviewReply, reviewPrefix } from '../apiserver/auth/review-webhook.ts';
import type { JsonValue } from '../base/json.ts';
import type { Question } from '../contracts/questions.ts';
import type { Reach } from './asking.ts';
import { KubeconfigPost } from './kubeconfig-post.ts';
import { LostError } from './multiplexed.ts';
import { type WallClock, wallClock } from './pacing.ts';
import { readKubeconfig } from './remote/kubeconfig-reader.ts';

const triesMax = 5;
const factor = 1.5;
/** Who asks to be asked later is not waited for longer. */
const retryAfterMaxMs = 30_000;

export class ReviewReach {
  readonly #wall: Pick<WallClock, 'after'>;
  readonly #places = new Map<string, KubeconfigPost>();

  constructor(wall: Pick<WallClock, 'after'> = wallClock) {
    this.#wall = wall;
  }

  /** Hands on what is not for these webhooks. */
  before(others: Reach): Reach {
    return (question, signal) => (question.to.startsWith(reviewPrefix) ? this.#ask(question, signal) : others(question, signal));
  }

  /** Kubeconfigs are read anew; what is on its way comes to its end. */
  renew(): void {
    for (const place of this.#places.values()) place.retire();
    this.#places.clear();
  }

  async #ask({ body }: Question, signal: AbortSignal): Promise<JsonValue> {
    const call = body as unknown as ReviewCall;
    const place = this.#placeOf(call.kubeconfig);
    for (let tries = 1, waitMs = call.backoffMs; ; tries++, waitMs *= factor) {
      const isLast = tries >= triesMax || signal.aborted;
      const outcome: ReviewReply | Error = await place.post(call.text, call.timeoutMs, signal).catch((error: unknown) => error as Error);
      if (outcome instanceof Error) {
        if (isLast || !isPassing(outcome)) throw outcome;
        await this.#wait(waitMs, signal);
        continue;
      }
      if (isLast || !asksForMore(outcome)) return outcome as unknown as JsonValue;
      const seconds = /^\d+$/.test(outcome.retryAfter) ? Number(outcome.retryAfter) : 0;
      await this.#wait(Math.max(waitMs, Math.min(seconds * 1000, retryAfterMaxMs)), signal);
    }
  }

  /** Read once until `renew`, as upstream does; files that it names may be renewed. Throws an Error that says what is wrong with it. */
  #placeOf(kubeconfig: string): KubeconfigPost {
    const known = this.#places.get(kubeconfig);
    if (known !== undefined) return known;
    const place = new KubeconfigPost(readKubeconfig(kubeconfig), this.#wall);
    this.#places.set(kubeconfig, place);
    return place;
  }

  #wait(delayMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#wall.after(delayMs, done);
      const wall = signal;
      function done(): void {
        cancel();
        wall.removeEventListener('abort', done);
        resolve();
      }
      signal.addEventListener('abort', done);
    });
  }
}

/** What may go better at once: the network, not a name or a certificate. */
function isPassing(error: Error): boolean {
  return error.cause instanceof LostError || (error as NodeJS.ErrnoException).code === 'ECONNRESET';
}

/** A server that failed, had no time or is asked too much; or that says when to come again. */
function asksForMore({ code, retryAfter }: ReviewReply): boolean {
  return code === 500 || code === 504 || code === 429 || (code > 500 && retryAfter !== '');
}
