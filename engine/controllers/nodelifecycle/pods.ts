/** Pods of a node that is not ready any more are not ready either. Mirrors MarkPodsNotReady of pkg/controller/util/node. */
import type { Cause } from '../../base/causes.ts';
import type { Pod, PodCondition } from '../../api/core/v1/types.gen.ts';
import { isNotFound } from '../../apimachinery/errors.ts';
import { StatusError } from '../../apimachinery/status.ts';
import type { Client } from '../../client/client.ts';
import type { EventRecorder } from '../../client/event-recorder.ts';
import { pods } from '../../client/resources.ts';

/** False when a status could not be written and all is to be tried again. */
export async function markPodsNotReady(
  client: Client,
  /** Tells the pods of it; nobody does when absent. */
  recorder: EventRecorder | undefined,
  list: readonly Pod[],
  now: string,
  causes: readonly Cause[],
): Promise<boolean> {
  let done = true;
  for (const pod of list) {
    const conditions = notReadyConditions(pod, now);
    if (conditions === undefined) continue;
    const next: Pod = { ...pod, status: { ...pod.status, conditions } };
    try {
      await client.updateStatus(pods, next);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      if (isNotFound(error)) continue;
      done = false;
    }
    recorder?.event(next, 'Warning', 'NodeNotReady', 'Node is not ready', causes);
  }
  return done;
}

function notReadyConditions(pod: Pod, now: string): readonly PodCondition[] | undefined {
  const conditions = pod.status?.conditions ?? [];
  const position = conditions.findIndex(({ type }) => type === 'Ready');
  const ready = conditions[position];
  if (ready === undefined || ready.status === 'False') return undefined;
  return conditions.map((condition, i) => (i === position ? { ...condition, status: 'False', lastTransitionTime: now } : condition));
}
