/** Puts what stands under a number before both sides: a single request, or a story. */
import type { Base } from './bases.ts';
import { drawRequest } from './draw.ts';
import type { Fact, StoryFact } from './facts.ts';
import type { Play, Verdict } from './play.ts';
import { shrinkStory, tellStory, traceOf } from './play-story.ts';
import type { Side } from './sides.ts';
import { drawStory, turnOf } from './story.ts';

export interface TellerOptions {
  readonly real: Side;
  readonly ours: Side;
  readonly play: Play;
  /** Bases by kind. */
  readonly groups: readonly (readonly Base[])[];
  readonly seed: number;
  /** `dry`, `stories` or `all`. */
  readonly which: string;
}

export type Told = readonly (readonly [number, readonly Verdict[]])[];

export class Teller {
  readonly #options: TellerOptions;

  constructor(options: TellerOptions) {
    this.#options = options;
  }

  isStory(number: number): boolean {
    const { which } = this.#options;
    return which === 'stories' || (which === 'all' && number % 4 === 3);
  }

  /** Requests first and stories then: what stories write must not be seen by requests. In the order of the numbers. */
  async tell(numbers: readonly number[]): Promise<Told> {
    const single = numbers.filter((number) => !this.isStory(number));
    const answered = await Promise.all(single.map(async (number) => [number, await this.verdictsOf(number)] as const));
    const { seed, groups } = this.#options;
    const stories = numbers.filter((number) => this.isStory(number)).map((number) => drawStory(seed, number, groups));
    const told = await Promise.all(
      [...Map.groupBy(stories, turnOf).values()].map(async (turn) => {
        const one: (readonly [number, readonly Verdict[]])[] = [];
        for (const { number } of turn) one.push([number, await this.verdictsOf(number)]);
        return one;
      }),
    );
    return [...answered, ...told.flat()].sort(([a], [b]) => a - b);
  }

  async verdictsOf(number: number): Promise<readonly Verdict[]> {
    const { real, ours, play, seed, groups } = this.#options;
    if (this.isStory(number)) return tellStory(real, ours, drawStory(seed, number, groups));
    return [await play.play(drawRequest(seed, number, groups))];
  }

  /** `isWhole`: as it is. */
  async shrink(number: number, group: string, isWhole: boolean): Promise<readonly Verdict[]> {
    const { real, ours, play, seed, groups } = this.#options;
    if (isWhole) return (await this.verdictsOf(number)).slice(-1);
    if (this.isStory(number)) return shrinkStory(real, ours, drawStory(seed, number, groups), group);
    return [await play.shrink(drawRequest(seed, number, groups), group)];
  }

  factsOf(number: number, verdicts: readonly Verdict[]): readonly (Fact | StoryFact)[] {
    if (!this.isStory(number)) return verdicts.map(factOf);
    const { seed, groups } = this.#options;
    const steps = verdicts.map(({ asked, real }) => ({ asked, real }));
    return [{ kind: verdicts[0]?.kind ?? '', ...traceOf(drawStory(seed, number, groups)), steps }];
  }
}

export function factOf({ kind, asked, fixture, real }: Verdict): Fact {
  return { kind, asked, fixture, real };
}
