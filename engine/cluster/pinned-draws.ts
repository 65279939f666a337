/**
 * The draws of requests that ask. Whoever is asked about an object is shown its uid and its generated name; when the answer comes, the
 * request is made again, and others may have drawn meanwhile. So it draws from streams of its own, whose name goes with it into history.
 */
import type { OngoingRequest } from '../contracts/attempt.ts';
import { Asked } from '../registry/attempt.ts';

/** The streams of its own that a request draws from once it has asked. */
export interface Pinned extends OngoingRequest {
  draws: string | undefined;
  /** Of a component: there a replay finds the name again, which must not depend on who asked outside of history. */
  readonly isInside?: boolean;
}

export class PinnedDraws {
  /** Requests that asked since this process began; with the number of inputs it names one in all of history. */
  #askers = 0;

  /** Undefined when the attempt asks and is to be made again before that, with draws of its own. `inputs`: how many there were. */
  unlessFirstAsked<T>(pinned: Pinned, inputs: number, make: () => T): T | undefined {
    try {
      return make();
    } catch (error) {
      if (!(error instanceof Asked) || pinned.draws !== undefined) throw error;
      pinned.draws = pinned.isInside === true ? `inside/${inputs}` : `asked/${inputs}.${++this.#askers}`;
      return undefined;
    }
  }
}
