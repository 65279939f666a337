/**
 * Answers that their asker lets stand for a while of virtual time, so that who is asked the same again and again is spared. They belong
 * to the process: what was answered so is written down as any other answer, and a replay reads it there.
 */
import { encodeJson } from '../apimachinery/serializer/json.ts';
import type { Answer, Question } from '../contracts/questions.ts';

interface Kept {
  readonly answer: Answer;
  readonly untilMs: number;
}

/** As upstream's caches of a webhook's answers. */
const answersMax = 8_192;
/** What is asked may be long. */
const charactersMax = 16_000_000;

export class KeptAnswers {
  readonly #nowMs: () => number;
  /** Oldest use first. */
  readonly #kept = new Map<string, Kept>();
  #characters = 0;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** The answer that the same question had, where it still counts. */
  find(question: Question): Answer | undefined {
    if (question.keptMs === undefined) return undefined;
    const key = keyOf(question);
    const found = this.#kept.get(key);
    if (found === undefined) return undefined;
    this.#forget(key);
    if (found.untilMs <= this.#nowMs()) return undefined;
    this.#put(key, found);
    return found.answer;
  }

  keep(question: Question, answer: Answer): void {
    const keptMs = question.keptMs?.(answer) ?? 0;
    if (keptMs <= 0) return;
    const key = keyOf(question);
    this.#forget(key);
    this.#put(key, { answer, untilMs: this.#nowMs() + keptMs });
    while (this.#kept.size > answersMax || this.#characters > charactersMax) this.#forget(this.#kept.keys().next().value ?? '');
  }

  /** What such askers were told counts no more. */
  forget(prefix: string): void {
    for (const key of [...this.#kept.keys()]) if (key.startsWith(prefix)) this.#forget(key);
  }

  #put(key: string, kept: Kept): void {
    this.#kept.set(key, kept);
    this.#characters += key.length;
  }

  #forget(key: string): void {
    if (this.#kept.delete(key)) this.#characters -= key.length;
  }
}

/** What tells a question from others. */
export function keyOf({ to, body }: Question): string {
  return `${to}\n${encodeJson(body)}`;
}
