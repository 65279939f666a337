/**
 * When nothing fits: which pods of lower priority would have to go, and where that hurts least (framework/preemption,
 * plugins/defaultpreemption). Only decides; the scheduler evicts.
 */
import type { Pod } from '../../../api/core/v1/types.gen.ts';
import type { PodDisruptionBudget } from '../../../api/policy/v1/types.gen.ts';
import { Action } from '../../framework/cluster-events.ts';
import { groupNameOf } from '../../framework/groups.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import { definePlugin, type Handle, type NodeStatuses, type PostFilterResult, type Victims } from '../../framework/plugin.ts';
import { moreImportant, type PodInfo, startTimeOf } from '../../framework/pod-info.ts';
import { PluginError, type Status, unresolvable, unschedulable } from '../../framework/status.ts';
import { budgetsLeft } from './budgets.ts';
import { countEach, fitErrorText } from '../../framework/fit-error.ts';

const name = 'DefaultPreemption';
const waiting = 'waiting for the preemption for this pod to be finished';
const waitingGroup = 'waiting for the preemption for this pod group to be finished';
const noVictims = unresolvable(name, 'No preemption victims found for incoming pod');
const notHelpful = unresolvable(name, 'Preemption is not helpful for scheduling');

interface Args {
  readonly percentage: number;
  readonly absolute: number;
}

/** Stands for a class of pods. */
type State = object;

export const defaultPreemption = definePlugin<State>({
  name,
  order: 150,
  defaultWeight: 0,
  points: ['PreEnqueue', 'PostFilter'],
  args: { minCandidateNodesPercentage: 10, minCandidateNodesAbsolute: 100 },
  reasons: [
    waiting,
    waitingGroup,
    'preemption: pod group for pod not found',
    'preemption: not eligible due to placement-based pod group scheduling limitation',
    'preemption: not eligible due to workload aware preemption enabled',
    'preemption: not eligible due to preemptionPolicy=Never.',
    'preemption: not eligible due to a terminating pod on the nominated node.',
    'preemption: 0/<n> nodes are available: …',
  ],
  create: (handle, args) => {
    const limits = { percentage: Number(args['minCandidateNodesPercentage']), absolute: Number(args['minCandidateNodesAbsolute']) };
    const trials = new Trials();
    return {
      classState: () => ({}),
      events: [{ resource: 'Pod', action: Action.delete, worth: () => false }],
      preEnqueue: (pod) => mayQueue(handle, pod),
      postFilter: (pod, statuses, state) => {
        const refusal = refusalOfGroup(handle, pod);
        if (refusal !== undefined) return { status: unschedulable(name, `preemption: ${refusal}`) };
        const result = preempt(handle, limits, pod, statuses, trials.of(state, pod.priority));
        if (result.status === undefined) return result;
        return { ...result, status: { ...result.status, reasons: [`preemption: ${result.status.reasons.join(', ')}`] } };
      },
    };
  },
});

function mayQueue({ groups, isPreempting }: Handle, pod: Pod): Status | undefined {
  const of = groups.preempt ? groupNameOf(pod) : undefined;
  if (of === undefined) return isPreempting(pod.metadata.uid ?? '') ? unresolvable(name, waiting) : undefined;
  const group = groups.group(pod.metadata.namespace ?? '', of);
  return group !== undefined && isPreempting(group.metadata.uid ?? '') ? unresolvable(name, waitingGroup) : undefined;
}

/** Why a pod of a group does not make room by itself. */
function refusalOfGroup({ groups }: Handle, { pod, namespace }: PodInfo): string | undefined {
  const of = groupNameOf(pod);
  if (of === undefined) return undefined;
  const group = groups.arePlaced ? groups.group(namespace, of) : undefined;
  if (groups.arePlaced && group === undefined) return 'pod group for pod not found';
  if (group?.spec.schedulingConstraints !== undefined) return 'not eligible due to placement-based pod group scheduling limitation';
  return groups.preempt ? 'not eligible due to workload aware preemption enabled' : undefined;
}

function preempt(handle: Handle, limits: Args, pod: PodInfo, statuses: NodeStatuses, trials: Trials): PostFilterResult {
  const refusal = notEligible(handle, pod, statuses);
  if (refusal !== undefined) return { status: unschedulable(name, refusal) };
  const nodes = handle.snapshot.nodes;
  const potential = nodes.filter((node) => (statuses.explicit[node.slot] ?? statuses.absent ?? notHelpful).code === 'Unschedulable');
  const failures: Status[] = [];
  const errors = new Set<string>();
  const candidates = potential.length === 0 ? [] : dryRun(handle, limits, pod, potential, failures, errors, trials);
  if (candidates.length === 0 && errors.size > 0)
    return { status: { code: 'Error', plugin: name, reasons: [errors.size === 1 ? [...errors].join('') : `[${[...errors].join(', ')}]`] } };
  if (candidates.length === 0) {
    return { status: unschedulable(name, fitErrorText(nodes.length, { counts: countEach(failures), absent: notHelpful })), nominatedNodeName: '' };
  }
  const best = pickCandidate(candidates);
  return { nominatedNodeName: best.node, victims: best, candidates, choose: pickCandidate };
}

function notEligible(handle: Handle, { pod, priority }: PodInfo, statuses: NodeStatuses): string | undefined {
  if (pod.spec?.preemptionPolicy === 'Never') return 'not eligible due to preemptionPolicy=Never.';
  const nominated = handle.snapshot.get(pod.status?.nominatedNodeName ?? '');
  if (nominated === undefined || (statuses.explicit[nominated.slot] ?? statuses.absent)?.code === 'UnschedulableAndUnresolvable') return undefined;
  for (const other of nominated.pods.values()) {
    if (other.priority < priority && other.terminating && goesByPreemption(other))
      return 'not eligible due to a terminating pod on the nominated node.';
  }
  return undefined;
}

function goesByPreemption({ pod }: PodInfo): boolean {
  return (pod.status?.conditions ?? []).some(
    ({ type, status, reason }) => type === 'DisruptionTarget' && status === 'True' && reason === 'PreemptionByScheduler',
  );
}

/** Tries nodes from a random one on, until there are enough candidates and one of them breaks no budget. */
function dryRun(
  handle: Handle,
  limits: Args,
  pod: PodInfo,
  potential: readonly NodeInfo[],
  failures: Status[],
  errors: Set<string>,
  trials: Trials,
): readonly Victims[] {
  const offset = handle.randomInteger(potential.length);
  const wanted = Math.min(potential.length, Math.max(limits.absolute, Math.trunc((potential.length * limits.percentage) / 100)));
  const budgets = handle.disruptionBudgets();
  const clean: Victims[] = [];
  const violating: Victims[] = [];
  for (let i = 0; i < potential.length; i++) {
    const node = potential[(offset + i) % potential.length] as NodeInfo;
    const isKept = budgets.length === 0 && handle.dependsOnNodeAlone(node.name);
    const found = (isKept ? trials.get(node) : undefined) ?? victimsOrFault(handle, pod, node, budgets);
    if (typeof found === 'string') {
      errors.add(found);
      continue;
    }
    if (isKept) trials.set(node, found);
    if ('code' in found) {
      failures.push(found);
      continue;
    }
    (found.pdbViolations === 0 ? clean : violating).push(found);
    if (clean.length > 0 && clean.length + violating.length >= wanted) break;
  }
  return [...clean, ...violating];
}

/**
 * What came of trying nodes for pods of one class and priority: a node that stayed as it was has the same victims for the next of them.
 * Only those tried last are kept.
 */
class Trials {
  #state: State | undefined;
  #priority = 0;
  #bySlot: (Trial | undefined)[] = [];

  of(state: State, priority: number): this {
    if (this.#state !== state || this.#priority !== priority) this.#bySlot = [];
    this.#state = state;
    this.#priority = priority;
    return this;
  }

  get({ slot, generation, refreshes }: NodeInfo): Victims | Status | undefined {
    const trial = this.#bySlot[slot];
    return trial?.generation === generation && trial.refreshes === refreshes ? trial.found : undefined;
  }

  set({ slot, generation, refreshes }: NodeInfo, found: Victims | Status): void {
    this.#bySlot[slot] = { generation, refreshes, found };
  }
}

interface Trial {
  readonly generation: number;
  readonly refreshes: number;
  readonly found: Victims | Status;
}

/** A text where a filter fails on what the pod asks for; another node may still do. */
function victimsOrFault(handle: Handle, pod: PodInfo, node: NodeInfo, budgets: readonly PodDisruptionBudget[]): Victims | Status | string {
  try {
    return selectVictims(handle, pod, node, budgets);
  } catch (error) {
    if (error instanceof PluginError) return error.message;
    throw error;
  }
}

/** Takes all lower pods away; if the pod fits then, gives back as many as can stay, the important ones and the protected ones first. */
function selectVictims(handle: Handle, pod: PodInfo, real: NodeInfo, budgets: readonly PodDisruptionBudget[]): Victims | Status {
  const lower = [...real.pods.values()].filter((other) => other.priority < pod.priority);
  if (lower.length === 0) return noVictims;
  const node = real.clone();
  for (const { uid } of lower) node.removePod(uid);
  const status = handle.filterHypothetical(node);
  if (status !== undefined) return status;
  const { violating, others } = splitByBudgets(lower.sort(moreImportant), budgets);
  const victims: PodInfo[] = [];
  const mustGo = (candidate: PodInfo): boolean => {
    node.addPod(candidate);
    if (handle.filterHypothetical(node) === undefined) return false;
    node.removePod(candidate.uid);
    victims.push(candidate);
    return true;
  };
  const pdbViolations = violating.filter(mustGo).length;
  others.forEach(mustGo);
  return { node: node.name, pods: victims.sort(moreImportant), pdbViolations };
}

function splitByBudgets(
  pods: readonly PodInfo[],
  budgets: readonly PodDisruptionBudget[],
): { readonly violating: readonly PodInfo[]; readonly others: readonly PodInfo[] } {
  const violates = budgetsLeft(budgets);
  const violating: PodInfo[] = [];
  const others: PodInfo[] = [];
  for (const pod of pods) (violates(pod) ? violating : others).push(pod);
  return { violating, others };
}

/** Each rule keeps the best of what the one before left: budgets, highest victim, sum of priorities, number, latest start. */
export function pickCandidate(candidates: readonly Victims[]): Victims {
  const rules: readonly ((victims: Victims) => number)[] = [
    ({ pdbViolations }) => -pdbViolations,
    ({ pods }) => -(pods[0]?.priority ?? 0),
    ({ pods }) => -pods.reduce((sum, { priority }) => sum + priority + 2 ** 31, 0),
    ({ pods }) => -pods.length,
    ({ pods }) => Date.parse(earliestStart(pods)),
  ];
  let left = candidates;
  for (const rule of rules) {
    const values = left.map(rule);
    let best = Number.NEGATIVE_INFINITY;
    for (const value of values) if (value > best) best = value;
    const kept = left.filter((_, index) => values[index] === best);
    if (kept.length > 0) left = kept;
    if (left.length === 1) break;
  }
  return left[0] as Victims;
}

/** Of the victims of the highest priority, the one that runs longest. */
function earliestStart(pods: readonly PodInfo[]): string {
  let highest = Number.NEGATIVE_INFINITY;
  for (const { priority } of pods) if (priority > highest) highest = priority;
  let earliest: string | undefined;
  for (const info of pods) {
    if (info.priority !== highest) continue;
    const start = startTimeOf(info);
    if (earliest === undefined || start < earliest) earliest = start;
  }
  return earliest ?? '9999';
}
