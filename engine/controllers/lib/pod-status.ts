/** Changes of a pod's status by controllers. Mirrors UpdatePodCondition of pkg/api/v1/pod and PatchPodStatus of pkg/util/pod. */
import type { Pod, PodCondition } from '../../api/core/v1/types.gen.ts';
import type { JsonValue } from '../../base/json.ts';
import { formatTime } from '../../apimachinery/time.ts';
import type { Client } from '../../client/client.ts';
import { pods } from '../../client/resources.ts';
import { findCondition } from '../../component-helpers/pod.ts';

/** The pod is being removed by the control plane. */
export function disruptionTarget(pod: Pod, reason: string, message: string, nowMs: number): PodCondition {
  const type = 'DisruptionTarget';
  const old = findCondition(pod.status?.conditions, type);
  const lastTransitionTime = (old?.status === 'True' ? old.lastTransitionTime : undefined) ?? formatTime(nowMs);
  const { generation } = pod.metadata;
  return { type, ...(generation === undefined ? {} : { observedGeneration: generation }), status: 'True', lastTransitionTime, reason, message };
}

/** Writes these parts of the status, if the pod is still the same. */
export async function patchPodStatus(client: Client, pod: Pod, condition: PodCondition | undefined, phase?: string): Promise<void> {
  const { namespace, name = '', uid = '', generation } = pod.metadata;
  const status: Record<string, JsonValue> = {};
  if (condition !== undefined) {
    const types = (pod.status?.conditions ?? []).map(({ type }) => type);
    status['conditions'] = [{ ...condition } as unknown as JsonValue];
    // A new condition stands behind the others.
    status['$setElementOrder/conditions'] = [...types, ...(types.includes(condition.type) ? [] : [condition.type])].map((type) => ({ type }));
  }
  if (phase !== undefined) {
    if (generation !== undefined) status['observedGeneration'] = generation;
    status['phase'] = phase;
  }
  await client.patch(pods, namespace, name, 'strategic', { metadata: { uid }, status }, { subresource: 'status' });
}
