/** The last few answers: who goes back to what was just looked at sees it at once. */

/** At which instant of which history something was asked. */
export interface Moment {
  readonly nowMs: number;
  readonly key: string;
}

interface Question {
  readonly path: string;
  /** The question apart from where in time it looks. */
  readonly shape: string;
}

interface Kept<T> extends Question {
  readonly moment: Moment;
  readonly answer: T;
}

const keptMost = 6;

export class KeptAnswers<T> {
  #kept: readonly Kept<T>[] = [];

  keep({ path, shape }: Question, moment: Moment, answer: T): void {
    this.#kept = [{ path, shape, moment, answer }, ...this.#kept.filter((one) => one.path !== path)].slice(0, keptMost);
  }

  /** What the engine would answer again: the same was asked, and nothing has happened since. */
  same(path: string, { key }: Moment): T | undefined {
    return this.#kept.find((one) => one.path === path && one.moment.key === key)?.answer;
  }

  /** What the same question was answered last, perhaps about another stretch of time; never what is still to come. */
  alike(shape: string, { nowMs }: Moment): T | undefined {
    return this.#kept.find((one) => one.shape === shape && one.moment.nowMs <= nowMs)?.answer;
  }
}
