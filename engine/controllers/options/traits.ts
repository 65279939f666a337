import type { ControllerTraits } from '../../contracts/release.ts';
import { defineOptions } from './family.ts';

export interface TraitOptions {
  /** What the controllers of the release do that those of others do not. */
  readonly traits: ControllerTraits;
}

/** Not options of a user, but what the release says. */
export const traitOptions = defineOptions<TraitOptions>({
  flags: [],
  read: ({ release }) => ({ traits: release.controllers }),
});
