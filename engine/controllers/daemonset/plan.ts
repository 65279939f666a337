/**
 * What is to be done about the pods of a DaemonSet: which nodes need one, which pods go. Mirrors podsShouldBeOnNode and rollingUpdate
 * of pkg/controller/daemon. Decides only; `sync.ts` does.
 */
import type { DaemonSet } from '../../api/apps/v1/types.gen.ts';
import type { Node, Pod } from '../../api/core/v1/types.gen.ts';
import { scaledValueFromIntOrPercent } from '../../apimachinery/quantity.ts';
import { isPodAvailable, isPodReady } from '../lib/pod.ts';
import { revisionLabel } from '../lib/revision-history.ts';
import type { FailedPodBackoff } from './backoff.ts';
import { type Fitness, isPodUpdated } from './nodes.ts';

/** Pods by the node that they are on or pinned to. */
export type PodsByNode = ReadonlyMap<string, readonly Pod[]>;

export interface Plan {
  readonly nodes: string[];
  readonly doomed: Pod[];
}

export interface PlanContext {
  readonly daemonSet: DaemonSet;
  readonly hash: string;
  readonly nowMs: number;
  readonly nodes: readonly Node[];
  readonly fitnessOf: (node: Node) => Fitness;
}

/** What the failures of pods lead to besides. */
export interface FailureHandling {
  readonly backoff: FailedPodBackoff;
  tell(type: 'Normal' | 'Warning', reason: string, message: string): void;
  wait(delayMs: number): void;
}

/** One pod on each node that should run one, none elsewhere. */
export function planNodes(context: PlanContext, byNode: PodsByNode, failures: FailureHandling): Plan {
  const plan: Plan = { nodes: [], doomed: [] };
  const known = new Set<string>();
  for (const node of context.nodes) {
    known.add(node.metadata.name ?? '');
    planNode(context, node, byNode.get(node.metadata.name ?? ''), failures, plan);
  }
  // Nobody else would remove a pod that waits for a node that is gone.
  for (const [node, pods] of byNode) if (!known.has(node)) plan.doomed.push(...pods.filter(({ spec }) => !spec?.nodeName));
  return plan;
}

function planNode(context: PlanContext, node: Node, pods: readonly Pod[] | undefined, failures: FailureHandling, plan: Plan): void {
  const { shouldRun, shouldContinueRunning } = context.fitnessOf(node);
  const name = node.metadata.name ?? '';
  if (shouldRun && pods === undefined) plan.nodes.push(name);
  else if (shouldContinueRunning) planRunning(context, name, shouldRun, livePods(context, name, pods ?? [], failures, plan), plan);
  else plan.doomed.push(...(pods ?? []).filter(isKept));
}

function isKept({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp === undefined;
}

/** Those that run; ended ones are told of and go, failed ones not too soon. */
function livePods({ daemonSet, nowMs }: PlanContext, node: string, pods: readonly Pod[], failures: FailureHandling, plan: Plan): Pod[] {
  const live: Pod[] = [];
  for (const pod of pods.filter(isKept)) {
    const { phase } = pod.status ?? {};
    if (phase !== 'Failed' && phase !== 'Succeeded') {
      live.push(pod);
      continue;
    }
    const place = `${pod.metadata.namespace}/${pod.metadata.name} on node ${node}`;
    if (phase === 'Succeeded') {
      failures.tell('Normal', 'SucceededDaemonPod', `Found succeeded daemon pod ${place}, will try to delete it`);
    } else {
      const key = `${daemonSet.metadata.uid}/${daemonSet.status?.observedGeneration ?? 0}/${node}`;
      const delayMs = failures.backoff.delayOf(key, nowMs);
      if (delayMs !== undefined) {
        failures.wait(delayMs);
        continue;
      }
      failures.backoff.next(key, nowMs);
      failures.tell('Warning', 'FailedDaemonPod', `Found failed daemon pod ${place}, will try to kill it`);
    }
    plan.doomed.push(pod);
  }
  return live;
}

/** One pod stays. While surging the oldest new one may stand beside the oldest old one that serves. */
function planRunning({ daemonSet, hash, nowMs }: PlanContext, node: string, shouldRun: boolean, live: Pod[], plan: Plan): void {
  const surges = maxSurgeOf(daemonSet, 1) > 0;
  if (live.length <= 1) {
    if (surges && live.length === 0 && shouldRun) plan.nodes.push(node);
    return;
  }
  live.sort(oldestFirst);
  if (!surges) {
    plan.doomed.push(...live.slice(1));
    return;
  }
  const fresh = live.find(({ metadata }) => metadata.labels?.[revisionLabel] === hash);
  const old = live.find(({ metadata }) => metadata.labels?.[revisionLabel] !== hash);
  plan.doomed.push(...live.filter((pod) => pod !== fresh && pod !== old));
  if (fresh === undefined || old === undefined) return;
  if (!isPodReady(old) || isPodAvailable(fresh, daemonSet.spec?.minReadySeconds ?? 0, nowMs)) plan.doomed.push(old);
}

/** Scheduled ones first, then by age. */
export function oldestFirst(a: Pod, b: Pod): number {
  const [left, right] = [Boolean(a.spec?.nodeName), Boolean(b.spec?.nodeName)];
  if (left !== right) return left ? -1 : 1;
  const [born, otherBorn] = [a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? ''];
  if (born !== otherBorn) return born < otherBorn ? -1 : 1;
  return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1;
}

/** The next step of a rolling update, within what may be away or too many at once. */
export function planUpdate(context: PlanContext, byNode: PodsByNode): Plan {
  const { daemonSet } = context;
  const eligible = context.nodes.filter((node) => context.fitnessOf(node).shouldRun);
  const desired = eligible.length;
  const all = new Map<string, readonly Pod[]>(byNode);
  for (const { metadata } of eligible) if (!all.has(metadata.name ?? '')) all.set(metadata.name ?? '', []);
  const maxSurge = maxSurgeOf(daemonSet, desired);
  if (maxSurge > 0) return planSurge(context, all, desired, maxSurge);
  const maxUnavailable = maxUnavailableOf(daemonSet, desired);
  return planReplacement(context, all, desired > 0 && maxUnavailable === 0 ? 1 : maxUnavailable);
}

/** Old pods go first where they serve nobody, and then as many as may be away. */
function planReplacement({ daemonSet, hash, nowMs }: PlanContext, byNode: PodsByNode, maxUnavailable: number): Plan {
  const { minReadySeconds = 0 } = daemonSet.spec ?? {};
  const allowed: Pod[] = [];
  const candidates: Pod[] = [];
  let unavailable = 0;
  for (const pods of byNode.values()) {
    const { fresh, old } = splitByAge(daemonSet, pods, hash) ?? {};
    if ((fresh === undefined) === (old === undefined)) unavailable++;
    else if (fresh !== undefined) unavailable += isPodAvailable(fresh, minReadySeconds, nowMs) ? 0 : 1;
    else if (old !== undefined && !isPodAvailable(old, minReadySeconds, nowMs)) {
      allowed.push(old);
      unavailable++;
    } else if (old !== undefined && unavailable < maxUnavailable) candidates.push(old);
  }
  return { nodes: [], doomed: [...allowed, ...candidates.slice(0, Math.max(0, maxUnavailable - unavailable))] };
}

/** New pods come first where the old one serves nobody, and then as many as may be too many; old ones go when the new one serves. */
function planSurge(context: PlanContext, byNode: PodsByNode, desired: number, maxSurge: number): Plan {
  const { daemonSet, hash, nowMs } = context;
  const isAvailable = (pod: Pod): boolean => isPodAvailable(pod, daemonSet.spec?.minReadySeconds ?? 0, nowMs);
  const fits = new Map(context.nodes.map((node) => [node.metadata.name ?? '', node]));
  const shouldRun = (name: string): boolean => {
    const node = fits.get(name);
    return node !== undefined && context.fitnessOf(node).shouldRun;
  };
  const plan: Plan = { nodes: [], doomed: [] };
  const candidates: string[] = [];
  const misplaced: Pod[] = [];
  let [surge, available] = [0, 0];
  for (const [name, pods] of byNode) {
    const split = splitByAge(daemonSet, pods, hash);
    const { fresh, old } = split ?? {};
    if (split === undefined) surge++;
    const shown = old ?? fresh;
    if (shown !== undefined && isAvailable(shown)) available++;
    if (old === undefined) continue;
    if (fresh !== undefined) {
      if (isAvailable(fresh)) plan.doomed.push(old);
      else surge++;
    } else if (!shouldRun(name)) (isAvailable(old) ? misplaced : plan.doomed).push(old);
    else if (!isAvailable(old)) plan.nodes.push(name);
    else if (surge < maxSurge) candidates.push(name);
  }
  plan.doomed.push(...misplaced.slice(0, Math.max(0, available - desired)));
  plan.nodes.push(...candidates.slice(0, Math.max(0, maxSurge - surge)));
  return plan;
}

interface Split {
  readonly fresh: Pod | undefined;
  readonly old: Pod | undefined;
}

/** At most one pod of each kind; undefined when there are more, which are put in order first. */
function splitByAge(daemonSet: DaemonSet, pods: readonly Pod[], hash: string): Split | undefined {
  let fresh: Pod | undefined;
  let old: Pod | undefined;
  for (const pod of pods.filter(isKept)) {
    if (isPodUpdated(daemonSet, pod, hash)) {
      if (fresh !== undefined) return undefined;
      fresh = pod;
    } else {
      if (old !== undefined) return undefined;
      old = pod;
    }
  }
  return { fresh, old };
}

function maxSurgeOf({ spec }: DaemonSet, desired: number): number {
  const { type, rollingUpdate } = spec?.updateStrategy ?? {};
  return type !== 'RollingUpdate' || rollingUpdate?.maxSurge === undefined ? 0 : scaledValueFromIntOrPercent(rollingUpdate.maxSurge, desired, true);
}

function maxUnavailableOf({ spec }: DaemonSet, desired: number): number {
  const { type, rollingUpdate } = spec?.updateStrategy ?? {};
  return type !== 'RollingUpdate' || rollingUpdate === undefined ? 0 : scaledValueFromIntOrPercent(rollingUpdate.maxUnavailable, desired, true);
}
