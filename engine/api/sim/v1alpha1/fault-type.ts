/** FaultType: a fault that there is, with its parameters and a sentence on what it would do. Computed, read-only. */
import type { KubeObject } from '../../../apimachinery/object.ts';
import type { JsonValue } from '../../../base/json.ts';

/**
 * `nodes`: each node that the target names, by `node` or `zone`. `image-registry`: the host, or every registry. `control-plane`: the
 * API server, its store and its watches; such a fault has no target.
 */
export type FaultTargetKind = 'nodes' | 'image-registry' | 'control-plane';

/** One parameter of a fault, as it is checked, explained and asked for. Durations are Go durations, shares lie between 0 and 1. */
export type ParameterTable = { readonly description: string } & (
  | { readonly type: 'duration'; readonly default: string; readonly min: string; readonly max: string }
  | { readonly type: 'number' | 'integer'; readonly default: number; readonly min: number; readonly max: number }
  | { readonly type: 'choice'; readonly default: string; readonly values: readonly string[] }
  | { readonly type: 'text'; readonly default: string }
  | { readonly type: 'list'; readonly default: readonly string[]; readonly values?: readonly string[] }
);

/** What is known of a fault without running it. */
export interface FaultTypeTable {
  /** `spec.type`. */
  readonly name: string;
  readonly title: string;
  readonly target: FaultTargetKind;
  readonly parameters: { readonly [name: string]: ParameterTable };
}

/**
 * GET …/faulttypes, or …/faulttypes/<type>?node=N&zone=Z&host=H&<parameter>=VALUE: `sentence` says what a fault with this target and
 * these parameters would do under the settings in force.
 */
export interface FaultType extends KubeObject {
  readonly kind: 'FaultType';
  readonly title: string;
  readonly target: FaultTargetKind;
  readonly parameters: readonly ({ readonly name: string } & ParameterTable)[];
  readonly sentence: string;
  /** Why there is no sentence: a parameter that would be refused. */
  readonly refusal?: string;
  readonly values?: { readonly [name: string]: JsonValue };
}
