/** How a pod is, in one word of few, so that each can have a colour and a shape of its own. */
import type { Pod } from '../api/core/v1/types.gen.ts';
import type { PodLook } from '../api/sim/v1alpha1/cluster-map.ts';
import { getPodCondition, isPassingTrouble, isPodReady, isPodTerminal, nodeNotReady, podTrouble } from './pod.ts';

export interface Seen {
  readonly look: PodLook;
  /** In kubectl's words, '' where the look says all. */
  readonly reason: string;
}

const creating: ReadonlySet<string> = new Set(['ContainerCreating', 'PodInitializing', '']);
const pullFailures: ReadonlySet<string> = new Set(['ErrImagePull', 'ImagePullBackOff', 'ErrImageNeverPull', 'InvalidImageName', 'ImageInspectError']);
const waitsForNode: ReadonlyMap<string, PodLook> = new Map([
  ['SchedulingGated', 'Gated'],
  ['Unschedulable', 'Unschedulable'],
]);

/** Nothing is wrong with what is ready. */
const seenReady: Seen = { look: 'Ready', reason: '' };

export function seePod(pod: Pod): Seen {
  const { metadata, spec, status } = pod;
  const phase = status?.phase || 'Pending';
  const isGoing = metadata.deletionTimestamp !== undefined && !isPodTerminal(pod);
  const isReady = isPodReady(pod);
  // Most pods of most clusters: who looks at thousands of them for the first time asks nothing else of these.
  if (phase === 'Running' && isReady && !isGoing) return seenReady;
  const seen = seeState(isGoing ? 'Terminating' : phase, isReady, isGoing ? '' : podTrouble(pod));
  if (seen.look !== 'Creating') return seen;
  if (!spec?.nodeName) return { look: 'Waiting', reason: '' };
  // The sandbox comes after the volumes and before the images.
  if (getPodCondition(pod, 'PodReadyToStartContainers')?.status === 'True')
    return creating.has(seen.reason) && !hasStarted(pod) ? { ...seen, look: 'Pulling' } : seen;
  return spec.volumes?.some(({ persistentVolumeClaim, ephemeral }) => persistentVolumeClaim !== undefined || ephemeral !== undefined) === true
    ? { ...seen, look: 'Volume' }
    : seen;
}

/** Phases, and besides them what people look for: pods that go, that are not ready, and that cannot get on. The overview counts by it. */
export function podState(pod: Pod): string {
  const phase = pod.status?.phase || 'Pending';
  if (pod.metadata.deletionTimestamp !== undefined && !isPodTerminal(pod)) return 'Terminating';
  if (phase !== 'Running' && phase !== 'Pending') return phase;
  if (!isPassingTrouble(podTrouble(pod))) return phase === 'Pending' ? 'Stuck' : 'Troubled';
  return phase === 'Running' && !isPodReady(pod) ? 'Starting' : phase;
}

/** Of what history keeps of a pod: its phase (or Terminating), whether it was ready, and what was not as it should be. */
export function seeState(state: string, ready: boolean, reason: string): Seen {
  if (state === 'Terminating' || state === 'Succeeded' || state === 'Failed') return { look: state, reason };
  if (state === 'Unknown') return { look: 'Lost', reason };
  const waiting = waitsForNode.get(reason);
  if (waiting !== undefined) return { look: waiting, reason: '' };
  if (reason === 'CrashLoopBackOff') return { look: 'CrashLoop', reason };
  if (pullFailures.has(reason)) return { look: 'PullFailed', reason };
  if (state === 'Pending') return { look: creating.has(reason) ? 'Creating' : 'Error', reason };
  if (ready) return { look: 'Ready', reason };
  if (reason === nodeNotReady) return { look: 'Lost', reason: '' };
  if (reason === 'NotReady') return { look: 'NotReady', reason: '' };
  return { look: reason === '' || reason === 'Starting' || creating.has(reason) ? 'Starting' : 'Error', reason: reason === 'Starting' ? '' : reason };
}

function hasStarted({ status }: Pod): boolean {
  return status?.containerStatuses?.some(({ state }) => state?.running !== undefined) === true;
}
