/** How a state or a trouble looks: many reasons, few looks, so that colour and shape stay readable. */
import type { PodLook } from '../../engine/api/sim/v1alpha1/cluster-map.ts';
import { nodeNotReady } from '../../engine/component-helpers/pod.ts';

export type Look =
  | 'Pending'
  | 'Starting'
  | 'Running'
  | 'Ready'
  | 'NotReady'
  | 'Broken'
  | 'Succeeded'
  | 'Complete'
  | 'Failed'
  | 'Replaced'
  | 'Unknown'
  | 'Terminating'
  | 'Suspended'
  | 'Exists';

/** A node of which nothing is heard, as the map calls it. */
export const unreachable = 'Unreachable';

const own: ReadonlySet<string> = new Set<Look>([
  'Pending',
  'Starting',
  'Running',
  'Ready',
  'NotReady',
  'Succeeded',
  'Complete',
  'Failed',
  'Replaced',
  'Unknown',
  'Terminating',
  'Suspended',
  'Exists',
]);
/** Waiting reasons of a container that is on its way. */
const underWay: ReadonlySet<string> = new Set(['ContainerCreating', 'PodInitializing', 'SchedulingGated']);

/** Words of kubectl's tables for what has another name elsewhere. */
const ofKubectl: ReadonlyMap<string, Look> = new Map([
  ['Completed', 'Succeeded'],
  ['SchedulingDisabled', 'Suspended'],
]);

/** Any other reason of a pod (`CrashLoopBackOff`, `ErrImagePull`, `Unschedulable`, `Evicted` …) is something broken. */
export function lookOf(state: string): Look {
  if (own.has(state)) return state as Look;
  if (underWay.has(state)) return 'Pending';
  // What the kubelet said last may still be so, or not.
  if (state === nodeNotReady || state === unreachable) return 'Unknown';
  return state === 'Deleted' ? 'Replaced' : (ofKubectl.get(state) ?? 'Broken');
}

/** What is not well differs in shape by why, in every view; what is merely somewhere (running, done) has a sign of its own. */
const shapesOf: readonly (readonly [RegExp, PodLook])[] = [
  [/^NotReady$/, 'NotReady'],
  [/^(CrashLoop|ContainerCannotRun|RunContainerError)/, 'CrashLoop'],
  [/^Pulling$/, 'Pulling'],
  [/Image|Registry/, 'PullFailed'],
  [/Volume|Provisioning|Claim/, 'Volume'],
  [/^(Unschedulable|Stuck)$/, 'Unschedulable'],
  [/^SchedulingGated$/, 'Gated'],
  [/^Terminating$/, 'Terminating'],
  [/^(Unknown|Unreachable|NodeNotReady)$/, 'Lost'],
];
/** Sums of many troubles. */
const sums: ReadonlySet<string> = new Set(['Troubled', 'ShortOfPods']);

export function shapeOf(state: string): PodLook | undefined {
  const found = shapesOf.find(([pattern]) => pattern.test(state))?.[1];
  return found ?? (lookOf(state) === 'Broken' && !sums.has(state) ? 'Error' : undefined);
}

/** The state in a row of kubectl's table of pods or nodes: `Init:CrashLoopBackOff`, `Ready,SchedulingDisabled`; `ready` as in `0/1`, '' for none. */
export function stateInTable(status: string, ready: string): string {
  if (/^Init:\d/.test(status)) return 'PodInitializing';
  const [state = ''] = status.replace(/^Init:/, '').split(',');
  const [some, all] = ready.split('/');
  return state === 'Running' && some !== all ? 'NotReady' : state;
}
