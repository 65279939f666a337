/**
 * Which rows some questions of a kind (a text that is searched, a selector of labels) are true of, kept for the questions that were asked last: who
 * looks on asks the same again and again, and of all rows only those that changed are judged anew.
 */

import { keepNewest } from '../../base/keep-newest.ts';

const questionsMax = 4;
const [unjudged, isNot, is] = [0, 1, 2] as const;

export class Verdicts<Question> {
  readonly #judge: (question: Question, slot: number) => boolean;
  /** True of no more rows than `general` is. */
  readonly #narrows: (narrow: string, general: string) => boolean;
  /** By the question's name; asked for last comes last. */
  readonly #known = new Map<string, Uint8Array>();

  constructor(judge: (question: Question, slot: number) => boolean, narrows: (narrow: string, general: string) => boolean = () => false) {
    this.#judge = judge;
    this.#narrows = narrows;
  }

  /** Of slots below `end`. What it gives may be asked until rows change. */
  of(name: string, question: Question, end: number): (slot: number) => boolean {
    let verdicts = this.#known.get(name);
    if (verdicts === undefined || verdicts.length < end) {
      const longer = new Uint8Array(Math.ceil(end * 1.25));
      if (verdicts === undefined) this.#startFrom(name, longer);
      else longer.set(verdicts);
      verdicts = longer;
    }
    keepNewest(this.#known, name, verdicts, questionsMax);
    const judged = verdicts;
    return (slot) => {
      if (judged[slot] === unjudged) judged[slot] = this.#judge(question, slot) ? is : isNot;
      return judged[slot] === is;
    };
  }

  /** What a question of less was not true of is not judged again. */
  #startFrom(name: string, verdicts: Uint8Array): void {
    for (const [general, judged] of this.#known) {
      if (!this.#narrows(name, general)) continue;
      for (let slot = 0; slot < judged.length && slot < verdicts.length; slot++) if (judged[slot] === isNot) verdicts[slot] = isNot;
      return;
    }
  }

  /** The row in a slot is another, or changed in what is judged. */
  forget(slot: number): void {
    for (const verdicts of this.#known.values()) if (slot < verdicts.length) verdicts[slot] = unjudged;
  }
}
