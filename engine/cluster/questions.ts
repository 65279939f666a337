/**
 * Questions on their way to the outside. Virtual time is held while one is open that has to do with what the cluster holds: no task runs,
 * and other requests from outside are served, because who is asked may ask back. Questions about who somebody is and what she may hold
 * nothing, for strangers make them too. Each answer is taken in a macrotask of its own, so that all that it wakes is parked again
 * before the next one (law I3 of the task loop).
 */
import type { TaskLoop } from '../base/task-loop.ts';
import type { RequestLog } from '../apiserver/requests/request-log.ts';
import type { Answer, GivenAnswer, Question } from '../contracts/questions.ts';
import { KeptAnswers, keyOf } from './kept-answers.ts';

export interface Outside {
  hop(): Promise<void>;
  wallMs(): number;
  /** Puts a question to whom it names and waits at most its time-out, in wall time. Absent: nobody is there to answer. */
  ask?(question: Question): Promise<Answer>;
  /** Resolves when virtual time has come so far, or with false when a client has waited long enough, in wall time; without it the loop is looked at hop by hop. */
  until?(virtualMs: number, wallMostMs?: number): Promise<boolean>;
  /** Calls back after so much wall time, unless it is cancelled. */
  after?(delayMs: number, call: () => void): () => void;
}

const nobody: Answer = { outcome: 'failed', message: 'nobody is there to answer' };
const closing: Answer = { outcome: 'failed', message: 'the server is shutting down' };

export class Questions {
  readonly #loop: Pick<TaskLoop, 'hold' | 'held'>;
  readonly #kept: KeptAnswers;
  /** Who asks the same meanwhile waits for the same answer. */
  readonly #shared = new Map<string, Promise<Answer>>();
  readonly #outside: Outside;
  readonly #onReleased: () => void;
  readonly #meter: Pick<RequestLog, 'asked'> | undefined;
  readonly #open = new Set<(answer: Answer) => void>();
  #turn: Promise<void> = Promise.resolve();
  #isClosed = false;

  /** `meter` hears how each question ended, and how long that took in wall time. */
  constructor(loop: Pick<TaskLoop, 'hold' | 'held' | 'nowMs'>, outside: Outside, onReleased: () => void, meter?: Pick<RequestLog, 'asked'>) {
    this.#meter = meter;
    this.#loop = loop;
    this.#kept = new KeptAnswers(() => loop.nowMs());
    this.#outside = outside;
    this.#onReleased = onReleased;
  }

  /**
   * Asks all at once, and lets `take` go on with the answers while time is still held, where it is. What asks again holds time anew before
   * this hold ends. `before`, of a request from outside: what it asked already; from the first question on that holds time, all do.
   */
  async put<T>(questions: readonly Question[], take: (given: readonly GivenAnswer[]) => T | Promise<T>, before?: readonly GivenAnswer[]): Promise<T> {
    const isTimeless = before !== undefined && [...before.map(({ question }) => question), ...questions].every(({ letsTimePass }) => letsTimePass);
    if (isTimeless) return take(await this.#answersTo(questions));
    const release = this.#loop.hold();
    try {
      return take(await this.#answersTo(questions));
    } finally {
      release();
      if (!this.#loop.held) this.#onReleased();
    }
  }

  /** Answers all that is open, so that nobody waits for an engine that ends. Resolves when these answers are taken. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const settle of [...this.#open]) settle(closing);
    while (this.#open.size > 0) await this.#outside.hop();
    await this.#turn;
    await this.#outside.hop();
  }

  /** What was answered to the same question a while ago, where its asker lets that count. */
  known = (question: Question): Answer | undefined => this.#kept.find(question);

  /** Who answers to names that begin so is asked anew. */
  forget(prefix: string): void {
    this.#kept.forget(prefix);
    for (const key of [...this.#shared.keys()]) if (key.startsWith(prefix)) this.#shared.delete(key);
  }

  async #answersTo(questions: readonly Question[]): Promise<readonly GivenAnswer[]> {
    const given = await Promise.all(questions.map(async (question) => ({ question, answer: await this.#answerTo(question) })));
    await this.#nextTurn();
    return given;
  }

  #answerTo(question: Question): Promise<Answer> {
    if (question.keptMs === undefined) return this.#asked(question);
    const known = this.#kept.find(question);
    if (known !== undefined) return Promise.resolve(known);
    const key = keyOf(question);
    const asked = this.#shared.get(key);
    if (asked !== undefined) return asked;
    const answer: Promise<Answer> = this.#asked(question).then((given) => {
      // Unless it was forgotten while it was asked.
      if (this.#shared.get(key) === answer) {
        this.#shared.delete(key);
        this.#kept.keep(question, given);
      }
      return given;
    });
    this.#shared.set(key, answer);
    return answer;
  }

  #asked(question: Question): Promise<Answer> {
    if (this.#isClosed) return Promise.resolve(closing);
    return new Promise((resolve) => {
      const beganMs = this.#outside.wallMs();
      const settle = (answer: Answer): void => {
        if (this.#open.delete(settle) && answer !== closing) {
          const tookMs = this.#outside.wallMs() - beganMs;
          question.heard?.(answer, tookMs);
          this.#meter?.asked(question, answer, tookMs);
        }
        resolve(answer);
      };
      this.#open.add(settle);
      const asked = Promise.resolve().then(() => this.#outside.ask?.(question) ?? nobody);
      asked.then(settle, (error: unknown) => settle({ outcome: 'failed', message: error instanceof Error ? error.message : String(error) }));
    });
  }

  #nextTurn(): Promise<void> {
    const turn = this.#turn.then(() => this.#outside.hop());
    this.#turn = turn;
    return turn;
  }
}
