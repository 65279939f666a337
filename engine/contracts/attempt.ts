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

/** A request, however often it begins anew; what has happened in it, by name, counts once. */
export interface OngoingRequest {
  happened?: Set<string> | undefined;
}

export function isFirstIn(request: OngoingRequest, what: string): boolean {
  const happened = (request.happened ??= new Set());
  if (happened.has(what)) return false;
  happened.add(what);
  return true;
}

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
  /** Whether this happens for the first time in the request, of which this attempt may be one of several. */
  isFirst(what: string): boolean;
  /** Whatever is written is seen by this attempt and never kept (dry run). */
  discard(): void;
}
