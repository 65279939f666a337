/**
 * Preemption of release 1.13 (its core/generic_scheduler.go): every node that may be helped is tried, and the one where it hurts least is
 * taken. It says nothing in the pod's message.
 */
import type { PodDisruptionBudget } from '../../api/policy/v1/types.gen.ts';
import type { LabelSelector } from '../../apimachinery/labels.ts';
import { compileLabelSelector } from '../framework/matching.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { definePlugin, type Handle, type NodeStatuses, type PostFilterResult, type Victims } from '../framework/plugin.ts';
import { moreImportant, type PodInfo } from '../framework/pod-info.ts';

export const preemption = definePlugin({
  name: 'Preemption',
  order: 150,
  defaultWeight: 0,
  points: ['PostFilter'],
  args: {},
  reasons: [],
  create: (handle) => ({ postFilter: (pod, statuses) => preempt(handle, pod, statuses) }),
});

function preempt(handle: Handle, pod: PodInfo, { explicit }: NodeStatuses): PostFilterResult {
  if (waitsForVictims(handle, pod)) return {};
  const potential = handle.snapshot.nodes.filter(({ slot }) => explicit[slot]?.code !== 'UnschedulableAndUnresolvable');
  if (potential.length === 0) return { nominatedNodeName: '' };
  const budgets = handle.disruptionBudgets();
  const candidates = potential.flatMap((node) => victimsOn(handle, pod, node, budgets) ?? []);
  if (candidates.length === 0) return {};
  const victims = choose(candidates);
  return { nominatedNodeName: victims.node, victims, candidates, choose };
}

function waitsForVictims({ snapshot }: Handle, { pod, priority }: PodInfo): boolean {
  const node = snapshot.get(pod.status?.nominatedNodeName ?? '');
  return [...(node?.pods.values() ?? [])].some((other) => other.terminating && other.priority < priority);
}

function victimsOn(handle: Handle, pod: PodInfo, real: NodeInfo, budgets: readonly PodDisruptionBudget[]): Victims | undefined {
  const lower = [...real.pods.values()].filter((other) => other.priority < pod.priority).sort(moreImportant);
  const node = real.clone();
  for (const { uid } of lower) node.removePod(uid);
  if (handle.filterHypothetical(node) !== undefined) return undefined;
  const mustGo = (candidate: PodInfo): boolean => {
    node.addPod(candidate);
    if (handle.filterHypothetical(node) === undefined) return false;
    node.removePod(candidate.uid);
    return true;
  };
  const isProtected = (one: PodInfo): boolean => budgets.some((budget) => protects(budget, one));
  const violating = lower.filter(isProtected).filter(mustGo);
  const others = lower.filter((one) => !isProtected(one)).filter(mustGo);
  return { node: real.name, pods: [...violating, ...others], pdbViolations: violating.length };
}

function protects({ metadata, spec, status }: PodDisruptionBudget, { namespace, labels }: PodInfo): boolean {
  if (metadata.namespace !== namespace || Object.keys(labels).length === 0 || (status?.disruptionsAllowed ?? 0) > 0) return false;
  const selector = compileLabelSelector(spec?.selector as LabelSelector | undefined);
  return !selector.isEmpty() && selector.matches(labels);
}

/** Fewest broken budgets, lowest highest victim, lowest sum, fewest; the first of those left. A node that nobody has to leave is taken at once. */
function choose(candidates: readonly Victims[]): Victims {
  const free = candidates.find(({ pods }) => pods.length === 0);
  if (free !== undefined) return free;
  const rules: readonly ((victims: Victims) => number)[] = [
    ({ pdbViolations }) => pdbViolations,
    ({ pods }) => pods[0]?.priority ?? 0,
    ({ pods }) => pods.reduce((sum, { priority }) => sum + priority + 2 ** 31, 0),
    ({ pods }) => pods.length,
  ];
  return rules.reduce<readonly Victims[]>((left, rule) => {
    const least = Math.min(...left.map(rule));
    return left.filter((one) => rule(one) === least);
  }, candidates)[0] as Victims;
}
