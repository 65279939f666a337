/** Groups of pods drawn from a seed, with the nodes they are put before and the pods that are there already. */
import { Random } from '../../../engine/base/random.ts';
import type { JsonObject } from '../../../engine/base/json.ts';

export interface DrawnGroup {
  readonly seed: number;
  readonly nodes: readonly { readonly name: string; readonly cpu: string }[];
  /** Of little importance; each fills some of a node, in turn. */
  readonly others: readonly { readonly name: string; readonly cpu: string; readonly node: string }[];
  readonly policy: JsonObject;
  /** All alike, so that their order does not matter. */
  readonly members: { readonly count: number; readonly cpu: string; readonly priority: number };
}

/** What came of a group when it was tried first. */
export interface GroupFact {
  readonly seed: number;
  /** Of each member, sorted: where it was bound or promised a place, and the text of its condition. */
  readonly members: readonly string[];
  /** Status, reason and message of PodGroupScheduled; absent where nothing was said. */
  readonly condition?: readonly [status: string, reason: string, message: string];
}

export function drawGroup(seed: number): DrawnGroup {
  const draw = new Random(seed).stream('groups');
  const nodes = Array.from({ length: 1 + draw.integer(3) }, (_, i) => ({ name: `n${i}`, cpu: `${2 + draw.integer(3)}` }));
  const others = nodes.flatMap(({ name }, i) =>
    draw.integer(2) === 0 ? [] : [{ name: `o${i}`, cpu: `${1000 + 500 * draw.integer(2)}m`, node: name }],
  );
  const count = 2 + draw.integer(4);
  const policy = draw.integer(5) === 0 ? { basic: {} } : { gang: { minCount: Math.max(1, count + 1 - draw.integer(3)) } };
  return { seed, nodes, others, policy, members: { count, cpu: `${700 + 400 * draw.integer(3)}m`, priority: draw.integer(2) * 1000 } };
}

/** A member as a fact tells of it. */
export function told(node: string | undefined, nominated: string | undefined, message: string | undefined): string {
  if (node !== undefined) return 'bound';
  return `${nominated === undefined ? '' : 'promised: '}${message ?? 'not tried'}`;
}
