/** What controllers ask of a pod. Mirrors pkg/api/v1/pod/util.go and the pod predicates of pkg/controller/controller_utils.go. */
import type { Pod, PodCondition } from '../../api/core/v1/types.gen.ts';
import { parseTime } from './time.ts';

export function readyConditionOf(pod: Pod): PodCondition | undefined {
  const conditions = pod.status?.conditions;
  if (conditions === undefined) return undefined;
  for (const condition of conditions) if (condition.type === 'Ready') return condition;
  return undefined;
}

export function isPodReady(pod: Pod): boolean {
  return readyConditionOf(pod)?.status === 'True';
}

/** When the pod became ready; undefined while it is not. */
export function readySinceMs(pod: Pod): number | undefined {
  const condition = readyConditionOf(pod);
  return condition?.status === 'True' ? parseTime(condition.lastTransitionTime) : undefined;
}

export function isPodAvailable(pod: Pod, minReadySeconds: number, nowMs: number): boolean {
  if (!isPodReady(pod)) return false;
  if (minReadySeconds === 0) return true;
  const sinceMs = readySinceMs(pod);
  return sinceMs !== undefined && sinceMs + minReadySeconds * 1000 <= nowMs;
}

export function isPodTerminal(pod: Pod): boolean {
  const phase = pod.status?.phase;
  return phase === 'Succeeded' || phase === 'Failed';
}

export function isPodActive(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp === undefined && !isPodTerminal(pod);
}

export function isPodTerminating(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp !== undefined && !isPodTerminal(pod);
}

/** How long until the next ready pod becomes available; undefined when none will. */
export function nextAvailabilityMs(pods: readonly Pod[], minReadySeconds: number, nowMs: number): number | undefined {
  let next: number | undefined;
  for (const pod of pods) {
    const sinceMs = readySinceMs(pod);
    if (sinceMs === undefined) continue;
    const waitMs = sinceMs + minReadySeconds * 1000 - nowMs;
    if (waitMs > 0 && (next === undefined || waitMs < next)) next = waitMs;
  }
  return next;
}
