/**
 * One attempt at a request: a function of what the store holds, the time, the draws and the answers it has so far. What it writes and
 * draws is its own until the door keeps it; what it cannot know it asks, and is then made again from the start with the answer.
 */
import { assert } from '../base/assert.ts';
import { Draws, type Random } from '../base/random.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { type Attempt, type Finish, isFirstIn, type OngoingRequest } from '../contracts/attempt.ts';
import type { Answer, Ask, GivenAnswer, Question } from '../contracts/questions.ts';
import { RequestTime } from '../contracts/request-time.ts';
import type { ChangeMeta, Store } from '../store/store.ts';
import { Transaction } from '../store/transaction.ts';
import { deepEqual } from '../base/equal.ts';

export interface Attempted<R> {
  readonly finish: Finish<R>;
  readonly attempt: DoorAttempt;
}

/** Ends a request from deep inside, so that it can begin again with the answers. Nobody but the door keeps it. */
export class Asked extends Error {
  /** At least one; they are put together. */
  readonly questions: readonly Question[];
  constructor(questions: readonly Question[]) {
    super(`${questions.map(({ to }) => to).join(', ')} is to be asked first`);
    this.name = 'Asked';
    this.questions = questions;
  }
}

/**
 * What filters and reads ask with: the answers that the request has so far, and those that are known already. It asks the same thing but
 * once, however often.
 */
export function askWith(answers: readonly GivenAnswer[], known?: (question: Question) => Answer | undefined): Ask {
  return (question) => {
    const answer = answers.find((given) => isAnswerTo(given, question))?.answer ?? known?.(question);
    if (answer === undefined) throw new Asked([question]);
    return answer;
  };
}

export interface AttemptOptions {
  /** See Draws. */
  readonly pinned?: string | undefined;
  readonly leavesOwners?: boolean;
  readonly request?: OngoingRequest;
}

/** As the door sees it. */
export class DoorAttempt implements Attempt {
  readonly store: Transaction<KubeObject>;
  readonly draws: Draws;
  readonly leavesOwners: boolean;
  readonly time: RequestTime = new RequestTime();
  readonly #answers: readonly GivenAnswer[];
  readonly #used: GivenAnswer[] = [];
  readonly #request: OngoingRequest;
  readonly #whenKept: (() => void)[] = [];
  #isDiscarded = false;

  constructor(
    store: Store<KubeObject>,
    random: Random,
    answers: readonly GivenAnswer[],
    { pinned, leavesOwners = false, request = {} }: AttemptOptions = {},
  ) {
    this.store = new Transaction(store);
    this.draws = new Draws(random, pinned);
    this.leavesOwners = leavesOwners;
    this.#answers = answers;
    this.#request = request;
  }

  ask(question: Question): Answer {
    return this.askAll([question])[0] as Answer;
  }

  askAll(questions: readonly Question[]): readonly Answer[] {
    const found: GivenAnswer[] = [];
    const missing: Question[] = [];
    for (const question of questions) {
      const given = this.#answers.find((one) => !this.#used.includes(one) && !found.includes(one) && isAnswerTo(one, question));
      if (given === undefined) missing.push(question);
      else found.push(given);
    }
    if (missing.length > 0) throw new Asked(missing);
    this.#used.push(...found);
    return found.map(({ answer }) => answer);
  }

  /** The answers that mattered, in the order in which they were asked for. */
  get used(): readonly GivenAnswer[] {
    return this.#used;
  }

  whenKept(act: () => void): void {
    this.#whenKept.push(act);
  }

  isFirst(what: string): boolean {
    return isFirstIn(this.#request, what);
  }

  discard(): void {
    this.#isDiscarded = true;
  }

  /** Whether there is something to keep. */
  get changes(): boolean {
    return !this.#isDiscarded && !this.store.isEmpty;
  }

  /** Another wrote what this attempt writes: it is to be made again. */
  get isOutdated(): boolean {
    return this.store.movedKey !== undefined;
  }

  /** Whether there is space for what it wrote. */
  get fits(): boolean {
    return this.store.fits;
  }

  /** What it wrote that weighs at least so much. */
  heavyWrites(weight: number): readonly { readonly key: string; readonly value: KubeObject }[] {
    return this.store.heavyWrites(weight);
  }

  commit(meta: ChangeMeta): void {
    const result = this.store.commit(meta);
    assert(result.type === 'committed', 'nobody comes between looking and committing');
    for (const act of this.#whenKept) act();
  }
}

/** Runs one attempt; what it drew is given back when there is nothing to keep, or when it throws. */
export function attempt<R>(
  store: Store<KubeObject>,
  random: Random,
  answers: readonly GivenAnswer[],
  serve: (attempt: DoorAttempt) => Finish<R>,
  options?: AttemptOptions,
): Attempted<R> {
  const made = new DoorAttempt(store, random, answers, options);
  try {
    const finish = serve(made);
    if (!made.changes) made.draws.giveBack();
    return { finish, attempt: made };
  } catch (error) {
    made.draws.giveBack();
    throw error;
  }
}

/** An answer from a log says only who gave it: there the order tells the rest. */
function isAnswerTo({ question: given }: GivenAnswer, question: Question): boolean {
  return given.to === question.to && (given.body === undefined || deepEqual(given.body, question.body));
}
