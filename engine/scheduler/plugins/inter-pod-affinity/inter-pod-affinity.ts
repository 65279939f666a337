/**
 * Pods that want to be near others, or far from them (framework/plugins/interpodaffinity). What each node's pods contribute to the
 * counts per topology pair is kept in tallies that follow the nodes' changes.
 */
import { getOwn } from '../../../base/dictionary.ts';
import type { Node, Pod } from '../../../api/core/v1/types.gen.ts';
import type { LabelSet } from '../../../apimachinery/labels.ts';
import { Action, type ClusterChange } from '../../framework/cluster-events.ts';
import { definePlugin, type Handle, nodeScoreMax } from '../../framework/plugin.ts';
import { type AffinityTerm, newPodInfo, type PodInfo, termMatches } from '../../framework/pod-info.ts';
import { type Status, unresolvable, unschedulable } from '../../framework/status.ts';
import { Counts, LabelColumns, type Totals } from './counts.ts';

const name = 'InterPodAffinity';
const affinityReason = "node(s) didn't match pod affinity rules";
const antiAffinityReason = "node(s) didn't match pod anti-affinity rules";
const existingReason = "node(s) didn't satisfy existing pods anti-affinity rules";
const affinityVerdict = unresolvable(name, affinityReason);
const antiAffinityVerdict = unschedulable(name, antiAffinityReason);
const existingVerdict = unschedulable(name, existingReason);
const noLabels: LabelSet = {};

interface State {
  readonly pod: PodInfo;
  readonly required: readonly AffinityTerm[];
  readonly requiredAnti: readonly AffinityTerm[];
  readonly prefers: boolean;
  /** Against this pod, by pods that run. */
  readonly existing: Counts;
  readonly affinity: Counts;
  readonly anti: Counts;
  readonly scores: Counts;
  /** Of `affinity` and `anti`, term by term; set in each cycle. */
  requiredTotals: readonly Totals[];
  requiredAntiTotals: readonly Totals[];
}

export const interPodAffinity = definePlugin<State>({
  name,
  order: 130,
  defaultWeight: 2,
  points: ['PreFilter', 'Filter', 'PreScore', 'Score', 'NormalizeScore'],
  needs: {
    preFilter: { text: 'error reading "PreFilterInterPodAffinity" from cycleState: not found', points: ['Filter'] },
    preScore: { text: 'failed to read "PreScoreInterPodAffinity" from cycleState: not found', points: ['Score'] },
  },
  args: { hardPodAffinityWeight: 1, ignorePreferredTermsOfExistingPods: false },
  reasons: [affinityReason, antiAffinityReason, existingReason],
  create: (handle, args) => {
    const hardWeight = Number(args['hardPodAffinityWeight'] ?? 1);
    const ignoreExisting = args['ignorePreferredTermsOfExistingPods'] === true;
    const columns = new LabelColumns();
    return {
      crossNode: true,
      events: [
        { resource: 'Pod', action: Action.add | Action.delete | Action.updatePodLabel, worth: concerns },
        { resource: 'Node', action: Action.add | Action.updateNodeLabel, worth: nodeConcerns },
      ],
      classState: (pod) => newState(handle, columns, pod, hardWeight),
      preFilter: (state) => {
        const { required, requiredAnti, existing, affinity, anti } = state;
        if (required.length === 0 && requiredAnti.length === 0 && handle.snapshot.podsWithRequiredAntiAffinity === 0) return { skip: true };
        existing.sync(handle.snapshot);
        if (required.length > 0) affinity.sync(handle.snapshot);
        if (requiredAnti.length > 0) anti.sync(handle.snapshot);
        state.requiredTotals = required.map(({ topologyKey }) => affinity.of(topologyKey));
        state.requiredAntiTotals = requiredAnti.map(({ topologyKey }) => anti.of(topologyKey));
        return required.length === 0 && requiredAnti.length === 0 && existing.isEmpty ? { skip: true } : undefined;
      },
      filter: (state, { slot }) => filter(state, slot),
      substitute: ({ required, requiredAnti, existing, affinity, anti }, node) => {
        existing.put(node);
        if (required.length > 0) affinity.put(node);
        if (requiredAnti.length > 0) anti.put(node);
      },
      preScore: ({ prefers, scores }) => {
        if (!prefers && (ignoreExisting || handle.snapshot.podsWithAffinity === 0)) return false;
        scores.sync(handle.snapshot);
        return !scores.isEmpty;
      },
      score: ({ scores }, { slot }) => score(scores, slot),
      scoreSlots: ({ scores }, slots, column) => {
        for (let n = 0; n < slots.length; n++) column[n] = score(scores, slots[n] as number);
      },
      normalize: (_state, scores) => normalize(scores),
    };
  },
});

function newState(handle: Handle, columns: LabelColumns, pod: PodInfo, hardWeight: number): State {
  const labels = handle.namespaceLabels(pod.namespace);
  const resolve = (terms: readonly AffinityTerm[]): readonly AffinityTerm[] => terms.map((term) => withNamespaces(handle, term));
  const required = resolve(pod.requiredAffinity);
  const requiredAnti = resolve(pod.requiredAntiAffinity);
  const preferred = resolve(pod.preferredAffinity);
  const preferredAnti = resolve(pod.preferredAntiAffinity);
  const prefers = preferred.length > 0 || preferredAnti.length > 0;
  return {
    pod,
    required,
    requiredAnti,
    prefers,
    existing: new Counts(columns, (node, add) => {
      if (node.podsWithRequiredAntiAffinity === 0) return;
      for (const other of node.pods.values())
        for (const term of other.requiredAntiAffinity) if (termMatches(term, pod, labels)) add(term.topologyKey, 1);
    }),
    affinity: new Counts(columns, (node, add) => {
      for (const other of node.pods.values()) if (matchesAll(required, other)) for (const term of required) add(term.topologyKey, 1);
    }),
    anti: new Counts(columns, (node, add) => {
      for (const other of node.pods.values()) for (const term of requiredAnti) if (termMatches(term, other, noLabels)) add(term.topologyKey, 1);
    }),
    scores: new Counts(columns, (node, add) => {
      if (!prefers && node.podsWithAffinity === 0) return;
      for (const other of node.pods.values()) {
        for (const term of preferred) if (termMatches(term, other, noLabels)) add(term.topologyKey, term.weight);
        for (const term of preferredAnti) if (termMatches(term, other, noLabels)) add(term.topologyKey, -term.weight);
        if (!other.hasAffinity) continue;
        if (hardWeight > 0) for (const term of other.requiredAffinity) if (termMatches(term, pod, labels)) add(term.topologyKey, hardWeight);
        for (const term of other.preferredAffinity) if (termMatches(term, pod, labels)) add(term.topologyKey, term.weight);
        for (const term of other.preferredAntiAffinity) if (termMatches(term, pod, labels)) add(term.topologyKey, -term.weight);
      }
    }),
    requiredTotals: [],
    requiredAntiTotals: [],
  };
}

/** The incoming pod's namespace selectors are resolved to names. */
function withNamespaces(handle: Handle, term: AffinityTerm): AffinityTerm {
  if (term.namespaceSelector === undefined) return term;
  return { ...term, namespaces: new Set([...term.namespaces, ...handle.namespacesMatching(term.namespaceSelector)]), namespaceSelector: undefined };
}

function matchesAll(terms: readonly AffinityTerm[], pod: PodInfo): boolean {
  return terms.length > 0 && terms.every((term) => termMatches(term, pod, noLabels));
}

function filter(state: State, slot: number): Status | undefined {
  if (!affinityHolds(state, slot)) return affinityVerdict;
  for (const anti of state.requiredAntiTotals) if (anti.at(slot) > 0) return antiAffinityVerdict;
  for (const existing of state.existing.all) if (existing.at(slot) > 0) return existingVerdict;
  return undefined;
}

function affinityHolds({ required, requiredTotals, affinity, pod }: State, slot: number): boolean {
  let found = true;
  for (const totals of requiredTotals) {
    if (!totals.hasLabel(slot)) return false;
    if (totals.at(slot) <= 0) found = false;
  }
  // The first of a series that wants to be near its own kind may go anywhere.
  return found || (affinity.isEmpty && matchesAll(required, pod));
}

function score(scores: Counts, slot: number): number {
  let sum = 0;
  for (const totals of scores.all) sum += totals.at(slot);
  return sum;
}

function normalize(scores: Float64Array): void {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const score of scores) {
    if (score < min) min = score;
    if (score > max) max = score;
  }
  for (let i = 0; i < scores.length; i++) scores[i] = max > min ? Math.trunc(nodeScoreMax * (((scores[i] as number) - min) / (max - min))) : 0;
}

/** Whether a pod that came, went or changed its labels matters to the terms of this one, or the other way round. */
function concerns(pod: Pod, change: ClusterChange): boolean {
  const own = newPodInfo(pod);
  const matching = (other: PodInfo): boolean =>
    [...own.requiredAffinity, ...own.requiredAntiAffinity].some(
      (term) => term.namespaceSelector !== undefined || termMatches(term, other, noLabels),
    ) || other.requiredAntiAffinity.some((term) => term.namespaceSelector !== undefined || termMatches(term, own, noLabels));
  return [change.old, change.new].some(
    (object) => object !== undefined && (object.metadata.uid === pod.metadata.uid || matching(newPodInfo(object as Pod))),
  );
}

/** The node has a topology key that the pod asks for. */
function nodeConcerns(pod: Pod, change: ClusterChange): boolean {
  const own = newPodInfo(pod);
  const labels = (change.new as Node | undefined)?.metadata.labels ?? noLabels;
  if (own.requiredAffinity.length === 0) return true;
  return own.requiredAffinity.every(({ topologyKey }) => getOwn(labels, topologyKey) !== undefined);
}
