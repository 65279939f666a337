/** What of the bootstrap policy of a release follows from its gates. */
import type { KubeObject } from '../apimachinery/object.ts';
import type { JsonObject } from '../base/json.ts';

/** RBAC rules, by ClusterRole. */
export type RulesByRole = Readonly<Record<string, readonly JsonObject[]>>;

/** What of the bootstrap policy depends on several gates being on. */
export interface GatedPolicy {
  readonly gates: readonly string[];
  /** Rules that come when they are on. */
  readonly adds?: RulesByRole;
  /** Rules of the policy that go when one is off. */
  readonly was?: RulesByRole;
  /** Roles and bindings of the policy that go with them. */
  readonly names?: readonly string[];
  /** Further objects when they are on. */
  readonly objects?: readonly KubeObject[];
}
