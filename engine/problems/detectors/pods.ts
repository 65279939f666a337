/** Pods that cannot be scheduled, start, pull, stay up, become ready or go. */
import type { ContainerStatus, Node, Pod } from '../../api/core/v1/types.gen.ts';
import { parseTime } from '../../apimachinery/time.ts';
import { isNodeReady } from '../../component-helpers/node.ts';
import { findCondition, getPodCondition, isPodReady, isPodTerminal, nodeNotReady, podTrouble, restartBackOff } from '../../component-helpers/pod.ts';
import { getControllerOf } from '../../component-helpers/owners.ts';
import { defineDetector, type Finding, type Next, type World } from '../finding.ts';

/** A pod that starts is no problem at once: images are pulled, probes have their delays. */
const patienceMs = 30_000;
/** What a kubelet needs to tell that the last container has gone. */
const farewellMs = 5_000;
const forgottenMs = 600_000;
const pulls: ReadonlySet<string> = new Set(['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull', 'RegistryUnavailable']);
const starting: ReadonlySet<string> = new Set(['', 'Starting', 'ContainerCreating', 'PodInitializing']);

export const podDetector = defineDetector<Pod>({
  resource: 'pods',
  isSuspect: (pod) => {
    if (pod.metadata.deletionTimestamp !== undefined) return true;
    if (isPodTerminal(pod)) return pod.status?.phase === 'Failed' && getControllerOf(pod) === undefined;
    // What was started again may be ready between two ends.
    return !isPodReady(pod) || pod.status?.containerStatuses?.some(({ restartCount }) => restartCount > 0) === true;
  },
  find: (pod, world, sinceMs) => {
    const node = pod.spec?.nodeName === undefined ? undefined : (world.get('nodes', undefined, pod.spec.nodeName) as Node | undefined);
    if (pod.metadata.deletionTimestamp !== undefined) return leaving(pod, world, node !== undefined && isNodeReady(node));
    if (pod.status?.phase === 'Failed')
      return { reason: pod.status.reason || 'Failed', summary: pod.status.message || 'it failed, and nothing replaces it' };
    if (pod.spec?.nodeName !== undefined && (node === undefined || !isNodeReady(node))) return onSilentNode(pod, pod.spec.nodeName, world);
    return isPodReady(pod) ? looping(pod, world) : waiting(pod, world, sinceMs);
  },
});

function leaving(pod: Pod, world: World, isNodeWell: boolean): Finding | undefined {
  const untilMs = parseTime(pod.metadata.deletionTimestamp ?? '') ?? world.nowMs;
  if (world.nowMs <= untilMs + farewellMs) return undefined;
  const finalizers = pod.metadata.finalizers ?? [];
  if (finalizers.length > 0) return { reason: 'FinalizersHold', sinceMs: untilMs, summary: `it is deleted, and waits for ${finalizers.join(', ')}` };
  const { nodeName } = pod.spec ?? {};
  if (nodeName === undefined || isNodeWell)
    return { reason: 'Terminating', sinceMs: untilMs, summary: 'it is deleted, its grace period is over, and it is still there' };
  const summary = `it is deleted, and no kubelet of ${nodeName} says that it has gone`;
  return { reason: 'Terminating', sinceMs: untilMs, summary, root: `nodes/${nodeName}`, rootReason: nodeNotReady };
}

/** The node controller has told that the pod is not ready; when it is evicted its tolerations say. What its kubelet said last still keeps it back, and nobody tries again. */
function onSilentNode(pod: Pod, nodeName: string, world: World): Finding {
  const held = blocks(pod);
  const ends = held.length > 0 ? undefined : looping(pod, world);
  const also = (ends === undefined ? held : [ends]).map(({ next: _, ...rest }) => rest);
  const summary = `its node ${nodeName} does not answer`;
  return { reason: nodeNotReady, summary, root: `nodes/${nodeName}`, rootReason: nodeNotReady, ...withAlso(also) };
}

function waiting(pod: Pod, world: World, sinceMs: number): Finding | undefined {
  const trouble = podTrouble(pod);
  if (trouble === 'SchedulingGated') return undefined;
  if (trouble === 'Unschedulable') return unschedulable(pod);
  const [first, ...also] = blocks(pod);
  if (first !== undefined) return { ...first, ...withAlso(also) };
  const again = looping(pod, world);
  if (again !== undefined) return again;
  if (world.nowMs - sinceMs < patienceMs) return undefined;
  if (trouble === 'NotReady') return { reason: trouble, sinceMs: turned(pod), summary: 'it runs, was ready, and is not any more' };
  if (trouble === nodeNotReady) return { reason: trouble, sinceMs: turned(pod), summary: 'its node was not ready, and has not said since how it is' };
  return stuck(pod, trouble, world);
}

function withAlso(also: readonly Finding[]): Pick<Finding, 'also'> {
  return also.length === 0 ? {} : { also };
}

/** What keeps its containers from running, each cause once. */
function blocks(pod: Pod): readonly Finding[] {
  const found = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])].flatMap(
    (status) => block(pod, status) ?? [],
  );
  return found.filter(({ reason, root }, index) => found.findIndex((one) => one.reason === reason && one.root === root) === index);
}

function block(pod: Pod, status: ContainerStatus): Finding | undefined {
  const { reason = '', message } = status.state?.waiting ?? {};
  if (pulls.has(reason))
    return { reason, summary: `image ${status.image} cannot be pulled: ${message ?? reason}`, next: { text: nextOfPull(reason) } };
  if (reason === 'CrashLoopBackOff') return crashing(status);
  if (!reason.startsWith('Create')) return undefined;
  return { reason, summary: `container ${status.name} cannot be made: ${message ?? ''}`, ...missing(pod, message ?? '') };
}

/** The kubelet tries again by itself; what a user must mend first is said. */
function nextOfPull(trouble: string): string {
  if (trouble === 'ErrImageNeverPull') return 'it starts when its node has the image, which its policy forbids to pull';
  if (trouble === 'InvalidImageName') return 'nothing: the name of the image must be mended';
  return 'it is pulled again when its back-off ends';
}

function unschedulable(pod: Pod): Finding {
  const { message = '', lastTransitionTime } = getPodCondition(pod, 'PodScheduled') ?? {};
  const claim = /persistentvolumeclaim "([^"]+)" not found|unbound immediate PersistentVolumeClaims/.exec(message);
  const claims = (pod.spec?.volumes ?? []).map(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName).filter((name) => name !== undefined);
  const held = claim === null ? undefined : (claim[1] ?? claims[0]);
  return {
    reason: 'Unschedulable',
    ...since(lastTransitionTime),
    summary: `no node takes it: ${message}`,
    ...(held === undefined ? {} : { root: `persistentvolumeclaims/${pod.metadata.namespace ?? ''}/${held}`, rootReason: 'Unbound' }),
    next: { text: 'it is tried again when something changes that may help, and five minutes after the last try' },
  };
}

/** Between two ends of a crash loop the container runs; when it has run for ten minutes the kubelet forgets them too. */
function looping({ status }: Pod, { nowMs }: World): Finding | undefined {
  const all = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  const loop = all.find(({ restartCount, lastState, state }) => {
    const ended = parseTime(lastState?.terminated?.finishedAt ?? '');
    return (
      restartCount > 1 &&
      ended !== undefined &&
      nowMs - ended < forgottenMs &&
      (state?.running !== undefined || (state?.terminated?.exitCode ?? 0) !== 0)
    );
  });
  return loop === undefined
    ? undefined
    : { ...crashing(loop), reason: 'CrashLoop', next: { text: `container ${loop.name} is started again when it ends` } };
}

function crashing(status: ContainerStatus): Finding {
  const { name, restartCount, lastState } = status;
  const ended = lastState?.terminated;
  const how =
    ended === undefined || ended === null ? 'ends' : ended.reason === 'OOMKilled' ? 'runs out of memory' : `ends with code ${ended.exitCode ?? 0}`;
  const times = `${restartCount} ${restartCount === 1 ? 'time' : 'times'}`;
  return {
    reason: 'CrashLoopBackOff',
    summary: `container ${name} ${how}; it was started again ${times}`,
    next: restart(status),
  };
}

function restart(status: ContainerStatus): Next {
  const held = restartBackOff(status);
  const text = `container ${status.name} is started again`;
  return held === undefined ? { text } : { text, atMs: held.untilMs };
}

/** A ConfigMap or a Secret that is not there. */
function missing({ metadata: { namespace = '' } }: Pod, message: string): Pick<Finding, 'root' | 'rootReason' | 'next'> {
  const [, kind, name] = /(configmap|secret) "([^"]+)" not found/.exec(message) ?? [];
  if (kind === undefined || name === undefined) return {};
  return { root: `${kind}s/${namespace}/${name}`, rootReason: 'Missing', next: { text: `it is tried again until there is a ${kind} ${name}` } };
}

function stuck(pod: Pod, trouble: string, world: World): Finding | undefined {
  const warning = world.warning(pod.metadata.uid ?? '');
  if (trouble !== 'Starting' && warning !== undefined) return { reason: warning.reason, summary: warning.message };
  if (trouble === 'Starting' && warning?.reason === 'Unhealthy')
    return { reason: 'NotReady', summary: `it has not become ready: ${warning.message.replace(/:\s*$/, '')}` };
  if (pod.spec?.nodeName === undefined)
    return { reason: 'NotScheduled', summary: `no scheduler has looked at it (${pod.spec?.schedulerName ?? ''})` };
  if (starting.has(trouble))
    return {
      reason: trouble || 'Pending',
      summary: trouble === 'Starting' ? 'it runs and has not become ready' : 'it does not get on with starting',
    };
  return { reason: trouble, summary: troubled(pod)?.state?.waiting?.message ?? trouble };
}

function troubled({ status }: Pod): ContainerStatus | undefined {
  return [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])].find(({ state }) => state?.waiting?.reason !== undefined);
}

function turned(pod: Pod): number {
  return parseTime(findCondition(pod.status?.conditions, 'Ready')?.lastTransitionTime ?? '') ?? 0;
}

function since(time: string | null | undefined): { readonly sinceMs?: number } {
  const ms = parseTime(time ?? '');
  return ms === undefined ? {} : { sinceMs: ms };
}
