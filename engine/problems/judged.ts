/**
 * What was found of suspects, kept by the very object that was looked at: one that has changed is judged anew at each reading, and of the
 * others so many at a time in turn, for time alone may change a verdict. So a cluster with few suspects is always told as it is, and one of
 * which most is wrong is told in bounded time, with verdicts that may be a few readings old.
 */
import type { KubeObject } from '../apimachinery/object.ts';
import type { Suspect } from './board.ts';
import type { Entry } from './grouping.ts';

export interface JudgedOptions {
  stored(key: string): KubeObject | undefined;
  judge(suspect: Suspect, object: KubeObject): Entry | undefined;
}

export const judgedAtOnce = 5_000;

export class Judged {
  /** Null where nothing is wrong. */
  readonly #known = new WeakMap<KubeObject, Entry | null>();
  /** Where the next turn begins. */
  #turn = 0;

  entries(suspects: readonly Suspect[], { stored, judge }: JudgedOptions): readonly Entry[] {
    const found: Entry[] = [];
    const first = this.#turn < suspects.length ? this.#turn : 0;
    this.#turn = first + judgedAtOnce;
    suspects.forEach((suspect, index) => {
      const object = stored(suspect.key);
      if (object === undefined) return;
      const isTurn = index >= first && index < this.#turn;
      let entry = isTurn ? undefined : this.#known.get(object);
      if (entry === undefined) this.#known.set(object, (entry = judge(suspect, object) ?? null));
      if (entry !== null) found.push(entry);
    });
    return found;
  }
}
