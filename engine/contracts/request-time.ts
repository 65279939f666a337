/**
 * How long a request may take, and how much of it webhooks have taken, in wall time: what is answered comes with how long it took, so that a
 * replay counts alike. Mirrors WithRequestDeadline of apiserver pkg/endpoints/filters and the bound of pkg/endpoints/handlers.
 */
import { newTimeout } from '../apimachinery/errors.ts';
import type { StatusError } from '../apimachinery/status.ts';
import type { Answer, Question } from './questions.ts';

/** Nobody who writes waits longer. */
const longestMs = 34_000;

/** Who gives no more is gone before a real server has found out who asks; what is beyond depends on the machine. */
const tooShortMs = 1;

export function isTooShort(ms: number): boolean {
  return ms > 0 && ms <= tooShortMs;
}

/** Who answers has not waited for the handler, which goes on. */
export function tooLate(): StatusError {
  const error = newTimeout('request did not complete within the allotted timeout');
  error.isBare = true;
  return error;
}

export class RequestTime {
  #limitMs: number = longestMs;
  #isClients: boolean = false;
  #isNone: boolean = false;
  #takenMs: number = 0;

  /** `ms`: what the client gives it; undefined for no word about it, as is nothing or less of `hasLeast`. */
  limitTo(ms: number | undefined, hasLeast = true): this {
    if (ms !== undefined && ms <= 0 && !hasLeast) this.#isNone = true;
    if (ms === undefined || ms <= 0 || ms >= longestMs) return this;
    this.#limitMs = ms;
    this.#isClients = true;
    return this;
  }

  get leftMs(): number {
    return Math.max(0, this.#limitMs - this.#takenMs);
  }

  /** Of answers that were waited for together. Throws Timeout when nothing is left. */
  spend(waits: readonly { readonly answer: Answer; readonly question: Pick<Question, 'timeoutMs'> }[]): void {
    this.#takenMs += Math.max(0, ...waits.map(({ answer, question }) => waitOf(answer, question)));
    if (this.leftMs > 0) return;
    if (this.#isClients) throw tooLate();
    throw newTimeout('request did not complete within requested timeout - context deadline exceeded');
  }

  /** Whether nothing that is done for it can be in time. */
  get isNone(): boolean {
    return this.#isNone;
  }

  /** Of a write that is ready to be kept. Throws Timeout where the client gave it no time at all. */
  mustHaveBeenGiven(): void {
    if (this.#isNone || isTooShort(this.#limitMs)) throw tooLate();
  }
}

function waitOf(answer: Answer, { timeoutMs }: Pick<Question, 'timeoutMs'>): number {
  if (answer.outcome === 'timedOut') return timeoutMs;
  if (answer.outcome === 'failed') return 0;
  const { body } = answer;
  const took = typeof body === 'object' && body !== null && 'tookMs' in body ? body.tookMs : 0;
  // Who answered in time did not use it up.
  return typeof took === 'number' ? Math.min(took, timeoutMs - 1) : 0;
}
