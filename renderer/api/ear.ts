/**
 * Decides from what is heard of the engine, and when, what the page is told of it. It has no timer and no socket of its own: the watch worker looks with it,
 * and says what came. By these limits a hung engine is told at most 1.2 s after it fell silent.
 */
import type { Hearing } from './watch-messages.ts';

/** How often the worker looks. */
export const lookMs = 100;
/**
 * How long the engine may say nothing: it says five times a second that it has nothing to tell, and one that is busy with 5,000 pods on a busy machine was
 * silent for 0.6 s at most.
 */
export const silentMs = 1000;
/** How long an engine that closed the socket may take to say why. */
export const answerMs = 400;

const okCode = 200;
const strangerCode = 401;
const goneCode = 404;

export class Ear {
  readonly #tell: (hearing: Hearing) => void;
  readonly #nowMs: () => number;
  #lastMs: number;
  #hearing: Hearing = 'heard';
  #isSuspected = false;

  constructor(tell: (hearing: Hearing) => void, nowMs: () => number) {
    this.#tell = tell;
    this.#nowMs = nowMs;
    this.#lastMs = nowMs();
  }

  get hearing(): Hearing {
    return this.#hearing;
  }

  heard(): void {
    this.#lastMs = this.#nowMs();
    this.#isSuspected = false;
    this.#say('heard');
  }

  /** Silence is told at the second look that finds it: a worker that was itself held up finds what came meanwhile between the two. */
  look(): void {
    if (this.#hearing !== 'heard' || this.#nowMs() - this.#lastMs <= silentMs) return;
    if (this.#isSuspected) this.#say('silent');
    this.#isSuspected = true;
  }

  /** The socket is closed; `code` is what the engine answers when it is asked why, 0 where nobody answers. One that answers as usual is soon heard again, or silent. */
  closed(code: number, isBranch: boolean): void {
    if (code === goneCode && isBranch) this.#say('gone');
    else if (code === strangerCode) this.#say('stranger');
    else if (code !== okCode) this.#say('lost');
  }

  /** Good news is repeated, so that the page knows since when there is none. */
  #say(next: Hearing): void {
    const isRepeated = next === this.#hearing && next !== 'heard';
    this.#hearing = next;
    if (!isRepeated) this.#tell(next);
  }
}
