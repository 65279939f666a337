/**
 * Spreads pods over domains of nodes: hard constraints filter, soft ones score (framework/plugins/podtopologyspread). Counts per
 * domain follow the nodes' changes in a tally.
 */
import { assert } from '../../../base/assert.ts';
import { getOwn } from '../../../base/dictionary.ts';
import type { Node, Pod, TopologySpreadConstraint } from '../../../api/core/v1/types.gen.ts';
import { Action } from '../../framework/cluster-events.ts';
import { ln } from '../../framework/ln.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import { definePlugin, type Handle, nodeScoreMax } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { unresolvable, unschedulable } from '../../framework/status.ts';
import { NodeTally } from '../../framework/tally.ts';
import { compileConstraints, countMatching, hasAllKeys, hostnameLabel, systemConstraints, type Constraint } from './constraints.ts';

const name = 'PodTopologySpread';
const mismatch = "node(s) didn't match pod topology spread constraints";
const missing = `${mismatch} (missing required label)`;
const missingVerdict = unresolvable(name, missing);
const mismatchVerdict = unschedulable(name, mismatch);

/** Matching pods on one node per constraint; -1 where the node does not count for it. */
interface Counts {
  /** Undefined where the node lacks the label. */
  readonly values: readonly (string | undefined)[];
  readonly counts: readonly number[];
  /** Where they are counted, while they are; undefined where the node does not count. */
  readonly domains: (Domain | undefined)[];
}

interface Domain {
  pods: number;
  nodes: number;
}

/** Constraints with their domains, kept by a tally. */
interface Spread {
  readonly constraints: readonly Constraint[];
  readonly domains: readonly Map<string, Domain>[];
  readonly tally: NodeTally<Counts>;
  /** Per constraint, by slot of the node: a small number that stands for its domain, or -1. All nodes are looked at for each pod. */
  readonly domainIds: readonly number[][];
}

interface State {
  readonly hard: Spread;
  readonly soft: Spread;
  readonly selfMatch: readonly number[];
  readonly requireAllKeys: boolean;
  weights: readonly number[];
}

export const podTopologySpread = definePlugin<State>({
  name,
  order: 120,
  defaultWeight: 2,
  points: ['PreFilter', 'Filter', 'PreScore', 'Score', 'NormalizeScore'],
  args: { defaultingType: 'System', defaultConstraints: [] },
  reasons: [missing, mismatch],
  create: (handle, args) => {
    const system = args['defaultingType'] !== 'List';
    const defaults = system ? systemConstraints : ((args['defaultConstraints'] ?? []) as unknown as readonly TopologySpreadConstraint[]);
    return {
      crossNode: true,
      events: [
        { resource: 'Pod', action: Action.add | Action.delete | Action.updatePodLabel, worth: concerns },
        { resource: 'Node', action: Action.add | Action.delete | Action.updateNodeLabel | Action.updateNodeTaint, worth: nodeConcerns },
      ],
      classState: (pod) => newState(handle, pod, defaults, system),
      preFilter: ({ hard }) => {
        if (hard.constraints.length === 0) return { skip: true };
        hard.tally.sync(handle.snapshot);
        return undefined;
      },
      filter: ({ hard, selfMatch }, node) => filter(hard, selfMatch, node),
      substitute: ({ hard }, node) => hard.tally.put(node),
      preScore: (state, _pod, nodes) => preScore(handle, state, nodes),
      score,
      normalize,
    };
  },
});

function newState(handle: Handle, pod: PodInfo, defaults: readonly TopologySpreadConstraint[], system: boolean): State {
  const own = pod.pod.spec?.topologySpreadConstraints ?? [];
  const selector = own.length > 0 ? undefined : handle.defaultSelector(pod.pod);
  const given = own.length > 0 ? own : selector === undefined ? [] : defaults;
  const requireAllKeys = own.length > 0 || !system;
  const hard = newSpread(compileConstraints(given, pod, 'DoNotSchedule', selector), pod.namespace, true);
  const soft = newSpread(compileConstraints(given, pod, 'ScheduleAnyway', selector), pod.namespace, requireAllKeys);
  return { hard, soft, selfMatch: hard.constraints.map((c) => (c.selector.matches(pod.labels) ? 1 : 0)), requireAllKeys, weights: [] };
}

function newSpread(constraints: readonly Constraint[], namespace: string, requireAllKeys: boolean): Spread {
  const domains = constraints.map(() => new Map<string, Domain>());
  const numbers = constraints.map(() => new Map<string, number>());
  const domainIds = constraints.map((): number[] => []);
  const contribute = (node: NodeInfo): Counts | undefined => {
    const isApart = requireAllKeys && !hasAllKeys(node.node, constraints);
    if (isApart) for (const ids of domainIds) ids[node.slot] = -1;
    if (isApart) return undefined;
    const labels = node.node.metadata.labels;
    const values = constraints.map((c) => getOwn(labels, c.topologyKey));
    values.forEach((value = '', i) => {
      (domainIds[i] as number[])[node.slot] = ensureId(numbers[i] as Map<string, number>, value);
    });
    // Equal selectors (the system's two constraints share one) are counted once.
    let last: Constraint | undefined;
    let lastCount = 0;
    const counts = constraints.map((constraint) => {
      if (!constraint.includes(node.node)) return -1;
      if (last?.selector !== constraint.selector) lastCount = countMatching(node, constraint.selector, namespace);
      last = constraint;
      return lastCount;
    });
    return { values, counts, domains: [] };
  };
  const apply = ({ values, counts, domains: own }: Counts, sign: 1 | -1): void => {
    for (let i = 0; i < counts.length; i++) {
      own[i] = undefined;
      const count = counts[i] as number;
      if (count < 0) continue;
      const map = domains[i] as Map<string, Domain>;
      const value = values[i] ?? '';
      let domain = map.get(value);
      if (domain === undefined) map.set(value, (domain = { pods: 0, nodes: 0 }));
      if (sign > 0) own[i] = domain;
      domain.pods += sign * count;
      domain.nodes += sign;
      assert(domain.pods >= 0 && domain.nodes >= 0, 'what leaves a domain was counted in it');
      if (domain.nodes === 0) map.delete(value);
    }
  };
  return { constraints, domains, tally: new NodeTally(contribute, apply), domainIds };
}

function ensureId(numbers: Map<string, number>, value: string): number {
  let id = numbers.get(value);
  if (id === undefined) numbers.set(value, (id = numbers.size));
  return id;
}

function filter(hard: Spread, selfMatch: readonly number[], node: NodeInfo): typeof missingVerdict | undefined {
  const labels = node.node.metadata.labels;
  for (let i = 0; i < hard.constraints.length; i++) {
    const { topologyKey, maxSkew, minDomains } = hard.constraints[i] as Constraint;
    const value = getOwn(labels, topologyKey);
    if (value === undefined) return missingVerdict;
    const domains = hard.domains[i] as Map<string, Domain>;
    const least = domains.size < minDomains ? 0 : leastPods(domains);
    if ((domains.get(value)?.pods ?? 0) + (selfMatch[i] as number) - least > maxSkew) return mismatchVerdict;
  }
  return undefined;
}

function leastPods(domains: Map<string, Domain>): number {
  let least = Number.MAX_SAFE_INTEGER;
  for (const { pods } of domains.values()) {
    if (pods < least) least = pods;
    if (least === 0) break;
  }
  return least;
}

function preScore(handle: Handle, state: State, nodes: readonly NodeInfo[]): boolean {
  const { soft } = state;
  if (soft.constraints.length === 0) return false;
  soft.tally.sync(handle.snapshot);
  const considered = state.requireAllKeys ? nodes.filter(({ node }) => hasAllKeys(node, soft.constraints)) : nodes;
  state.weights = soft.constraints.map((constraint, i) => {
    // Of host names there are as many as nodes.
    const domains = constraint.topologyKey === hostnameLabel ? considered.length : countDomains(considered, soft.domainIds[i] as readonly number[]);
    return ln(domains + 2);
  });
  return true;
}

function countDomains(nodes: readonly NodeInfo[], domainIds: readonly number[]): number {
  const met: boolean[] = [];
  let count = 0;
  for (const { slot } of nodes) {
    const id = domainIds[slot] ?? -1;
    if (id < 0 || met[id] === true) continue;
    met[id] = true;
    count++;
  }
  return count;
}

function score({ soft, weights, requireAllKeys }: State, node: NodeInfo): number {
  if (requireAllKeys && !hasAllKeys(node.node, soft.constraints)) return 0;
  const own = soft.tally.of(node.slot);
  if (own === undefined) return 0;
  let sum = 0;
  for (let i = 0; i < own.values.length; i++) {
    const constraint = soft.constraints[i] as Constraint;
    const value = own.values[i];
    if (value === undefined) continue;
    const domain = own.domains[i] ?? soft.domains[i]?.get(value);
    const pods = constraint.topologyKey === hostnameLabel ? Math.max(0, own.counts[i] as number) : (domain?.pods ?? 0);
    sum += pods * (weights[i] as number) + (constraint.maxSkew - 1);
  }
  return Math.round(sum);
}

function normalize({ soft, requireAllKeys }: State, scores: Float64Array, nodes: readonly NodeInfo[]): void {
  const ignored = (i: number): boolean => requireAllKeys && !hasAllKeys((nodes[i] as NodeInfo).node, soft.constraints);
  let min = Number.MAX_SAFE_INTEGER;
  let max = 0;
  for (let i = 0; i < scores.length; i++) {
    if (ignored(i)) continue;
    const value = scores[i] as number;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  for (let i = 0; i < scores.length; i++) {
    if (ignored(i)) scores[i] = 0;
    else scores[i] = max === 0 ? nodeScoreMax : Math.trunc((nodeScoreMax * (max + min - (scores[i] as number))) / max);
  }
}

/** A pod of the same namespace that some constraint counts, before or after. */
function concerns(pod: Pod, change: { readonly old?: unknown; readonly new?: unknown }): boolean {
  const [old, next] = [change.old as Pod | undefined, change.new as Pod | undefined];
  const one = next ?? old;
  if (one === undefined || one.metadata.namespace !== pod.metadata.namespace) return false;
  if (one.metadata.uid === pod.metadata.uid) return true;
  const constraints = compileConstraints(pod.spec?.topologySpreadConstraints ?? [], { pod }, 'DoNotSchedule');
  const counted = (other: Pod | undefined, c: Constraint): boolean => other !== undefined && c.selector.matches(other.metadata.labels);
  return (
    constraints.length === 0 ||
    constraints.some((c) => (old !== undefined && next !== undefined ? counted(old, c) !== counted(next, c) : counted(one, c)))
  );
}

function nodeConcerns(pod: Pod, change: { readonly old?: unknown; readonly new?: unknown }): boolean {
  const constraints = compileConstraints(pod.spec?.topologySpreadConstraints ?? [], { pod }, 'DoNotSchedule');
  return [change.old, change.new].some((node) => node !== undefined && hasAllKeys(node as Node, constraints));
}
