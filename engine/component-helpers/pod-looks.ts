/** How a pod is, in one word of few, so that each can have a colour and a shape of its own. */
import type { Pod } from '../api/core/v1/types.gen.ts';
import type { PodLook } from '../api/sim/v1alpha1/cluster-map.ts';
import type { NodeReadiness } from './node.ts';
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

/** Looks and states of pods that nothing keeps back, and whether they are ready. */
const going: ReadonlyMap<string, boolean> = new Map([
  ...(['Ready', 'Running'] as const).map((name) => [name, true] as const),
  ...(['Starting', 'NotReady', 'Creating', 'Pulling', 'Volume', 'Pending'] as const).map((name) => [name, false] as const),
]);

/**
 * Whether the node that a pod is bound to leaves open how it is. Nobody hears of the pods of a node that is silent or gone; one that says itself that it is
 * not ready holds back those that are not. The node controller writes it down of pods that were ready alone.
 */
export function isLeftOpen(lookOrState: string, node: NodeReadiness): boolean {
  const isReady = going.get(lookOrState);
  if (isReady === undefined || node === 'True') return false;
  return !isReady || node !== 'False';
}

/** What the pod itself looks like, on a node that is so. */
export function lookOn(look: PodLook, node: NodeReadiness): PodLook {
  return isLeftOpen(look, node) ? 'Lost' : look;
}

/** The same of what `podState` says of a pod that is bound. */
export function stateOn(state: string, node: NodeReadiness): string {
  if (!isLeftOpen(state, node)) return state;
  return state === 'Pending' ? 'Stuck' : 'Troubled';
}

/** Of what history keeps of a pod: its phase (or Terminating), whether it was ready, and what was not as it should be. */
export function seeState(state: string, ready: boolean, reason: string): Seen {
  if (state === 'Terminating' || state === 'Succeeded' || state === 'Failed') return { look: state, reason };
  if (state === 'Unknown') return { look: 'Lost', reason };
  const waiting = waitsForNode.get(reason);
  if (waiting !== undefined) return { look: waiting, reason: '' };
  if (reason === 'CrashLoopBackOff') return { look: 'CrashLoop', reason };
  if (pullFailures.has(reason)) return { look: 'PullFailed', reason };
  if (!ready && reason === nodeNotReady) return { look: 'Lost', reason: '' };
  if (state === 'Pending') return { look: creating.has(reason) ? 'Creating' : 'Error', reason };
  if (ready) return { look: 'Ready', reason };
  if (reason === 'NotReady') return { look: 'NotReady', reason: '' };
  return { look: reason === '' || reason === 'Starting' || creating.has(reason) ? 'Starting' : 'Error', reason: reason === 'Starting' ? '' : reason };
}

function hasStarted({ status }: Pod): boolean {
  return status?.containerStatuses?.some(({ state }) => state?.running !== undefined) === true;
}
