/**
 * A situation: steps that users, kubelets, the scheduler and others take, after which the controllers have written what they write.
 * `<ns>` in a text of a step stands for the situation's namespace; objects without namespaces have names that begin with it.
 */
import type { Stage } from './stage.ts';

export interface Step {
  /** What it does, for messages. */
  readonly text: string;
  run(stage: Stage): Promise<void>;
}

export interface SituationOptions {
  /** Pods are bound and become ready by themselves. Otherwise only steps run them. */
  readonly runsPods?: boolean;
  /** Pods that are deleted stay until a step ends them. Otherwise they go at once. */
  readonly keepsPods?: boolean;
  /** Nobody else may be in the cluster: it concerns all nodes. */
  readonly alone?: boolean;
  /** Events, by reason, that come again and again: how often is a matter of time. */
  readonly uncounted?: readonly string[];
}

export interface Situation {
  readonly name: string;
  readonly steps: readonly Step[];
  readonly options: SituationOptions;
}

export interface SituationGroup {
  readonly controller: string;
  readonly situations: readonly Situation[];
}

export function situation(name: string, steps: readonly Step[], options: SituationOptions = {}): Situation {
  return { name, steps, options };
}

/** The situations of one controller; their facts are in `facts/<controller>.jsonl`. */
export function situationsOf(controller: string, situations: readonly Situation[]): SituationGroup {
  const names = new Set(situations.map(({ name }) => name));
  if (names.size < situations.length) throw new Error(`two situations of ${controller} have one name`);
  return { controller, situations };
}
