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
  readonly labels: Node['metadata']['labels'];
  /** Undefined where the node lacks the label. */
  readonly values: readonly (string | undefined)[];
  /** Small numbers that stand for the values. */
  readonly ids: readonly number[];
  readonly counts: readonly number[];
}

interface Domain {
  pods: number;
  nodes: number;
}

/** What scores look at, of one constraint: all nodes are looked at for each pod, so it stands beside each other by slot. */
interface BySlot {
  /** The number that stands for the node's own value, whatever its other labels; `unlabelled` without one. */
  readonly values: number[];
  /** The number that stands for the node's domain, or `apart`. */
  readonly ids: number[];
  /** Matching pods on the node; `notCounted`, or `unlabelled`, or `apart`. */
  readonly counts: number[];
  /** Matching pods of a domain, by its number. */
  readonly domainPods: number[];
  /** Of the domain that has the fewest; undefined until somebody asks. */
  least: number | undefined;
}

const notCounted = -1;
/** The node lacks the label. */
const unlabelled = -2;
/** The node lacks one of the labels, and all are asked for. */
const apart = -3;

/** Constraints with their domains, kept by a tally. */
interface Spread {
  readonly constraints: readonly Constraint[];
  readonly domains: readonly Map<string, Domain>[];
  readonly tally: NodeTally<Counts>;
  readonly bySlot: readonly BySlot[];
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
  needs: {
    preFilter: { text: 'reading "PreFilterPodTopologySpread" from cycleState: not found', points: ['Filter'] },
    preScore: { text: 'error reading "PreScorePodTopologySpread" from cycleState: not found', points: ['Score'] },
  },
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
      filter: ({ hard, selfMatch }, { slot }) => filter(hard, selfMatch, slot),
      substitute: ({ hard }, node) => hard.tally.put(node),
      preScore: (state, _pod, nodes, slots) => preScore(handle, state, nodes, slots),
      score: (state, { slot }) => score(state, slot),
      scoreSlots,
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
  const bySlot = constraints.map((): BySlot => ({ values: [], ids: [], counts: [], domainPods: [], least: undefined }));
  const contribute = (node: NodeInfo, old: Counts | undefined): Counts | undefined => {
    const { labels } = node.node.metadata;
    const counts = countsOn(node, constraints, namespace);
    if (old !== undefined && old.labels === labels && counts.every((count, i) => count === old.counts[i])) return old;
    const isApart = requireAllKeys && !hasAllKeys(node.node, constraints);
    const values = constraints.map((c) => getOwn(labels, c.topologyKey));
    const ids = values.map((value = '', i) => ensureId(numbers[i] as Map<string, number>, value));
    for (const [i, kept] of bySlot.entries()) {
      // Without holes, so that V8 keeps them as lists of small numbers.
      for (let slot = kept.ids.length; slot <= node.slot; slot++) kept.values[slot] = kept.ids[slot] = kept.counts[slot] = apart;
      kept.values[node.slot] = values[i] === undefined ? unlabelled : (ids[i] as number);
      kept.ids[node.slot] = isApart ? apart : (ids[i] as number);
      kept.counts[node.slot] = isApart ? apart : values[i] === undefined ? unlabelled : (counts[i] as number);
    }
    return isApart ? undefined : { labels, values, ids, counts };
  };
  const apply = ({ values, ids, counts }: Counts, sign: 1 | -1): void => {
    for (let i = 0; i < counts.length; i++) {
      const count = counts[i] as number;
      if (count < 0) continue;
      const map = domains[i] as Map<string, Domain>;
      const value = values[i] ?? '';
      let domain = map.get(value);
      if (domain === undefined) map.set(value, (domain = { pods: 0, nodes: 0 }));
      domain.pods += sign * count;
      domain.nodes += sign;
      assert(domain.pods >= 0 && domain.nodes >= 0, 'what leaves a domain was counted in it');
      const kept = bySlot[i] as BySlot;
      kept.domainPods[ids[i] as number] = domain.pods;
      kept.least = undefined;
      if (domain.nodes === 0) map.delete(value);
    }
  };
  return { constraints, domains, tally: new NodeTally(contribute, apply), bySlot };
}

/** Equal selectors (the system's two constraints share one) are counted once. */
function countsOn(node: NodeInfo, constraints: readonly Constraint[], namespace: string): readonly number[] {
  let last: Constraint | undefined;
  let lastCount = 0;
  return constraints.map((constraint) => {
    if (!constraint.includes(node.node)) return notCounted;
    if (last?.selector !== constraint.selector) lastCount = countMatching(node, constraint.selector, namespace);
    last = constraint;
    return lastCount;
  });
}

function ensureId(numbers: Map<string, number>, value: string): number {
  let id = numbers.get(value);
  if (id === undefined) numbers.set(value, (id = numbers.size));
  return id;
}

function filter({ constraints, domains, bySlot }: Spread, selfMatch: readonly number[], slot: number): typeof missingVerdict | undefined {
  for (let i = 0; i < constraints.length; i++) {
    const { maxSkew, minDomains } = constraints[i] as Constraint;
    const kept = bySlot[i] as BySlot;
    const value = kept.values[slot] ?? unlabelled;
    if (value < 0) return missingVerdict;
    const known = domains[i] as Map<string, Domain>;
    const least = known.size < minDomains ? 0 : (kept.least ??= leastPods(known));
    if ((kept.domainPods[value] ?? 0) + (selfMatch[i] as number) - least > maxSkew) return mismatchVerdict;
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

function preScore(handle: Handle, state: State, nodes: readonly NodeInfo[], slots: Int32Array): boolean {
  const { soft } = state;
  if (soft.constraints.length === 0) return false;
  soft.tally.sync(handle.snapshot);
  const considered = state.requireAllKeys ? nodes.filter(({ node }) => hasAllKeys(node, soft.constraints)).length : nodes.length;
  state.weights = soft.constraints.map((constraint, i) => {
    // Of host names there are as many as nodes.
    const domains = constraint.topologyKey === hostnameLabel ? considered : countDomains(slots, (soft.bySlot[i] as BySlot).ids);
    return ln(domains + 2);
  });
  return true;
}

function countDomains(slots: Int32Array, ids: readonly number[]): number {
  const met: boolean[] = [];
  let count = 0;
  for (let i = 0; i < slots.length; i++) {
    const id = ids[slots[i] as number] ?? apart;
    if (id < 0 || met[id] === true) continue;
    met[id] = true;
    count++;
  }
  return count;
}

function scoreSlots(state: State, slots: Int32Array, scores: Float64Array): void {
  for (let i = 0; i < slots.length; i++) scores[i] = score(state, slots[i] as number);
}

function score({ soft: { constraints, bySlot }, weights }: State, slot: number): number {
  let sum = 0;
  for (let i = 0; i < bySlot.length; i++) {
    const { topologyKey, maxSkew } = constraints[i] as Constraint;
    const { counts, ids, domainPods } = bySlot[i] as BySlot;
    const own = counts[slot] ?? apart;
    if (own === apart) return 0;
    if (own === unlabelled) continue;
    const pods = topologyKey === hostnameLabel ? Math.max(0, own) : (domainPods[ids[slot] as number] ?? 0);
    sum += pods * (weights[i] as number) + (maxSkew - 1);
  }
  return Math.round(sum);
}

function normalize({ soft, requireAllKeys }: State, scores: Float64Array, nodes: readonly NodeInfo[]): void {
  const ignored = requireAllKeys ? (i: number): boolean => !hasAllKeys((nodes[i] as NodeInfo).node, soft.constraints) : (): boolean => false;
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
