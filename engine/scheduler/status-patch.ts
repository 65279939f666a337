/** Patches of pod status that the scheduler sends (scheduler/util PatchPodStatus, podutil UpdatePodCondition). */
import type { Pod, PodCondition } from '../api/core/v1/types.gen.ts';
import type { PodGroup } from '../api/scheduling/v1alpha2/types.gen.ts';
import type { JsonObject } from '../base/json.ts';

export interface ConditionText {
  readonly type: 'PodScheduled' | 'DisruptionTarget';
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/** The strategic merge patch that sets a condition and a nomination; undefined when nothing would change. */
export function statusPatch(
  pod: Pod,
  nowMs: number,
  condition: ConditionText | undefined,
  nominatedNodeName: string | undefined,
): JsonObject | undefined {
  const conditions = condition === undefined ? undefined : conditionPatch(pod, nowMs, condition);
  const nominates = nominatedNodeName !== undefined && (pod.status?.nominatedNodeName ?? '') !== nominatedNodeName;
  if (conditions === undefined && !nominates) return undefined;
  return {
    status: {
      ...(conditions === undefined ? {} : { conditions: [conditions] }),
      ...(nominates ? { nominatedNodeName: nominatedNodeName === '' ? null : nominatedNodeName } : {}),
    },
  };
}

/** Of the condition PodGroupScheduled. */
export interface GroupCondition {
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/** The strategic merge patch that tells what came of a group; undefined when nothing would change. What was scheduled once stays so. */
export function groupStatusPatch(group: PodGroup, nowMs: number, wanted: GroupCondition): JsonObject | undefined {
  const type = 'PodGroupScheduled';
  const old = group.status?.conditions?.find((condition) => condition.type === type);
  if (old?.status === 'True' && wanted.status !== 'True') return undefined;
  if (old !== undefined && old.status === wanted.status && old.reason === wanted.reason && old.message === wanted.message) return undefined;
  const lastTransitionTime = old?.status === wanted.status ? {} : { lastTransitionTime: timeText(nowMs) };
  return { status: { conditions: [{ type, ...wanted, ...lastTransitionTime }] } };
}

function conditionPatch(pod: Pod, nowMs: number, wanted: ConditionText): JsonObject | undefined {
  const old: PodCondition | undefined = pod.status?.conditions?.find(({ type }) => type === wanted.type);
  const { generation } = pod.metadata;
  const same = old !== undefined && old.status === wanted.status && old.reason === wanted.reason && old.message === wanted.message;
  if (same && old.observedGeneration === generation) return undefined;
  const lastTransitionTime = old !== undefined && old.status === wanted.status ? old.lastTransitionTime : timeText(nowMs);
  return {
    ...wanted,
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    ...(lastTransitionTime === undefined ? {} : { lastTransitionTime }),
    lastProbeTime: null,
  };
}

function timeText(nowMs: number): string {
  return `${new Date(nowMs).toISOString().slice(0, 19)}Z`;
}
