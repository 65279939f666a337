/** The shape of a mutation: a small wrong that the nets must catch. Only source text changes; types are not looked at again. */
import type { Edit } from './bundle.ts';

export interface Mutation {
  /** Lower case with dashes; what `--only` takes. */
  readonly name: string;
  /** What a user would suffer. */
  readonly breaks: string;
  /** All are applied together. Each `from` stands in its file exactly once. */
  readonly edits: readonly Edit[];
  /** Test files that must fail, where the swarm cannot see it: from the root of the repository. Absent: the swarm. */
  readonly caughtBy?: readonly string[];
}
