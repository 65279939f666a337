/**
 * Questions of components' requests. Such a request is made in a task, and again in a replay: so its answer is an input of its own, in
 * which the request goes on. In a replay it waits until the log gives that input.
 */
import { assert } from '../base/assert.ts';
import type { TaskLoop } from '../base/task-loop.ts';
import type { GivenAnswer, Question } from '../contracts/questions.ts';
import type { Questions } from './questions.ts';

/** A request whose answer the log still has to give. */
interface Awaited {
  /** Goes on with the answers, or asks for them. */
  goOn(given: readonly GivenAnswer[] | undefined): void;
}

export class InsideQuestions {
  readonly #loop: TaskLoop;
  readonly #questions: Questions;
  readonly #record: (given: readonly GivenAnswer[]) => void;
  #isReplaying = false;
  #awaited: Awaited | undefined;

  /** `record` writes answers that were asked for together down as one input. */
  constructor(loop: TaskLoop, questions: Questions, record: (given: readonly GivenAnswer[]) => void) {
    this.#loop = loop;
    this.#questions = questions;
    this.#record = record;
  }

  get isReplaying(): boolean {
    return this.#isReplaying;
  }

  /** From here on answers come from a log, until `endReplay`. */
  beginReplay(): void {
    this.#isReplaying = true;
  }

  /** Who still waits for an answer that the log does not have asks now. */
  endReplay(): void {
    this.#isReplaying = false;
    const awaited = this.#awaited;
    this.#awaited = undefined;
    awaited?.goOn(undefined);
  }

  /** The log's answers to the questions that are open. */
  take(given: readonly GivenAnswer[], input: number): void {
    const awaited = this.#awaited;
    assert(awaited, `input ${input} answers a question that was asked`);
    this.#awaited = undefined;
    awaited.goOn(given);
  }

  /** The component's task is over; the answer enters as an input, and the request goes on in it. */
  ask<T>(questions: readonly Question[], goOn: (given: readonly GivenAnswer[]) => T | Promise<T>): Promise<T> {
    const loop = this.#loop;
    if (!this.#isReplaying) {
      return this.#questions.put(questions, (given) => {
        this.#record(given);
        return loop.enter(() => goOn(given));
      });
    }
    assert(this.#awaited === undefined, 'one question of a component is open: the loop is held by it');
    const release = loop.hold();
    return new Promise((resolve, reject) => {
      const settleWith = (make: () => T | Promise<T>): void => {
        try {
          resolve(make());
        } catch (error) {
          reject(error as Error);
        } finally {
          release();
        }
      };
      this.#awaited = {
        goOn: (given) => settleWith(() => (given === undefined ? this.ask(questions, goOn) : loop.enter(() => goOn(inFull(questions, given))))),
      };
    });
  }
}

/** A log says only who gave an answer; what was asked stands in the same order. */
function inFull(questions: readonly Question[], given: readonly GivenAnswer[]): readonly GivenAnswer[] {
  assert(questions.length === given.length, 'the log answers all that was asked');
  return given.map((one, i) => ({ ...one, question: questions[i] as Question }));
}
