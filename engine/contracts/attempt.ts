/**
 * One attempt at a request: what it reads, writes, draws and asks is its own until the door keeps it. Operations get it, and answer
 * with what makes the response when the writes have their revisions.
 */
import type { KubeObject } from '../apimachinery/object.ts';
import type { Draws } from '../base/random.ts';
import type { Transaction } from '../store/transaction.ts';
import type { Answer, Question } from './questions.ts';
import type { RequestTime } from './request-time.ts';

export type Finish<R> = () => R;

export interface Attempt {
  readonly store: Transaction<KubeObject>;
  readonly draws: Draws;
  /** Nobody's fields are noted: with them what it writes is larger than can be kept. */
  readonly leavesOwners: boolean;
  readonly time: RequestTime;
  /** The answer, when it is there; else the attempt ends here and is made again from the start with it. */
  ask(question: Question): Answer;
  /** Answers to all of them, which are put together. */
  askAll(questions: readonly Question[]): readonly Answer[];
  /** Calls back when what it wrote is kept; never for an attempt that is not. What is remembered so is declared data. */
  whenKept(act: () => void): void;
  /** Whatever is written is seen by this attempt and never kept (dry run). */
  discard(): void;
}
