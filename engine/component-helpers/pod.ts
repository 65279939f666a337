/**
 * Pure questions about pods: readiness, phases, conditions and the words of `kubectl get pods`. Mirrors
 * k8s.io/kubernetes pkg/api/v1/pod and printPod of pkg/printers/internalversion.
 */
import { parseDuration, parseTime } from '../apimachinery/time.ts';
import type { Container, ContainerStatus, Pod, PodCondition } from '../api/core/v1/types.gen.ts';

interface Typed {
  readonly type: string;
}

/** The condition of a type, from any list of conditions. */
export function findCondition<C extends Typed>(conditions: readonly C[] | undefined, type: string): C | undefined {
  if (conditions === undefined) return undefined;
  for (const condition of conditions) if (condition.type === type) return condition;
  return undefined;
}

export function getPodCondition(pod: Pod, type: string): PodCondition | undefined {
  return findCondition(pod.status?.conditions, type);
}

export function isPodReady(pod: Pod): boolean {
  return getPodCondition(pod, 'Ready')?.status === 'True';
}

/** Ready for at least `minReadySeconds`. */
export function isPodAvailable(pod: Pod, minReadySeconds: number, nowMs: number): boolean {
  const ready = getPodCondition(pod, 'Ready');
  if (ready?.status !== 'True') return false;
  if (minReadySeconds === 0) return true;
  const since = parseTime(ready.lastTransitionTime ?? '');
  return since !== undefined && since + minReadySeconds * 1000 <= nowMs;
}

function isPhaseTerminal(phase: string | undefined): boolean {
  return phase === 'Succeeded' || phase === 'Failed';
}

/** Finished: its phase never changes again. */
export function isPodTerminal(pod: Pod): boolean {
  return isPhaseTerminal(pod.status?.phase);
}

/** Neither finished nor being deleted. */
export function isPodActive(pod: Pod): boolean {
  return !isPodTerminal(pod) && pod.metadata.deletionTimestamp === undefined;
}

export function isPodTerminating(pod: Pod): boolean {
  return !isPodTerminal(pod) && pod.metadata.deletionTimestamp !== undefined;
}

/** A sidecar: an init container that keeps running. */
export function isRestartableInitContainer(container: Container | undefined): boolean {
  return container?.restartPolicy === 'Always';
}

/** Its value is the uid of the static pod that it shows. */
export const mirrorAnnotation = 'kubernetes.io/config.mirror';

export function isMirrorPod(pod: Pod): boolean {
  return pod.metadata.annotations?.[mirrorAnnotation] !== undefined;
}

export function podPriority(pod: Pod): number {
  return pod.spec?.priority ?? 0;
}

/** What `kubectl get pods` shows. */
export interface PodSummary {
  readonly ready: number;
  readonly total: number;
  /** The Status column, e.g. `CrashLoopBackOff`. */
  readonly status: string;
  readonly restarts: number;
  /** When the last restart ended the container before it; undefined when unknown. */
  readonly lastRestartMs: number | undefined;
}

interface Tally {
  ready: number;
  restarts: number;
  last: number | undefined;
  reason: string;
}

export function summarizePod(pod: Pod): PodSummary {
  const status = pod.status;
  const inits = pod.spec?.initContainers ?? [];
  const total = (pod.spec?.containers?.length ?? 0) + inits.filter(isRestartableInitContainer).length;
  const tally: Tally = { ready: 0, restarts: 0, last: undefined, reason: status?.reason || (status?.phase ?? '') };
  if (getPodCondition(pod, 'PodScheduled')?.reason === 'SchedulingGated') tally.reason = 'SchedulingGated';
  const sidecars: Tally = { ready: 0, restarts: 0, last: undefined, reason: '' };
  const initializing = tallyInits(pod, inits, tally, sidecars);
  if (!initializing || getPodCondition(pod, 'Initialized')?.status === 'True') {
    tally.restarts = sidecars.restarts;
    tally.last = sidecars.last;
    tallyContainers(pod, tally);
  }
  if (pod.metadata.deletionTimestamp !== undefined) {
    if (status?.reason === 'NodeLost') tally.reason = 'Unknown';
    else if (!isPodTerminal(pod)) tally.reason = 'Terminating';
  }
  return { ready: tally.ready, total, status: tally.reason, restarts: tally.restarts, lastRestartMs: tally.last };
}

function addRestarts(tally: Tally, container: ContainerStatus): void {
  tally.restarts += container.restartCount ?? 0;
  const ended = container.lastState?.terminated?.finishedAt;
  const ms = ended === undefined || ended === null ? undefined : parseTime(ended);
  if (ms !== undefined && (tally.last === undefined || tally.last < ms)) tally.last = ms;
}

function terminatedReason(terminated: { readonly reason?: string; readonly signal?: number; readonly exitCode?: number }): string {
  if (terminated.reason) return terminated.reason;
  return terminated.signal ? `Signal:${terminated.signal}` : `ExitCode:${terminated.exitCode ?? 0}`;
}

/** Walks init containers up to the first that has not done its part; says whether there is one. */
function tallyInits(pod: Pod, inits: readonly Container[], tally: Tally, sidecars: Tally): boolean {
  for (const [index, container] of (pod.status?.initContainerStatuses ?? []).entries()) {
    const sidecar = isRestartableInitContainer(inits.find((init) => init.name === container.name));
    addRestarts(tally, container);
    if (sidecar) addRestarts(sidecars, container);
    const terminated = container.state?.terminated;
    if (terminated && (terminated.exitCode ?? 0) === 0) continue;
    if (sidecar && container.started === true) {
      if (container.ready === true) tally.ready++;
      continue;
    }
    const waiting = container.state?.waiting?.reason;
    if (terminated) tally.reason = `Init:${terminatedReason(terminated)}`;
    else if (waiting && waiting !== 'PodInitializing') tally.reason = `Init:${waiting}`;
    else tally.reason = `Init:${index}/${inits.length}`;
    return true;
  }
  return false;
}

function tallyContainers(pod: Pod, tally: Tally): void {
  const statuses = pod.status?.containerStatuses ?? [];
  let running = false;
  let failure = '';
  for (let index = statuses.length - 1; index >= 0; index--) {
    const container = statuses[index];
    if (container === undefined) continue;
    addRestarts(tally, container);
    const { waiting, terminated } = container.state ?? {};
    if (waiting?.reason) tally.reason = waiting.reason;
    else if (terminated) {
      tally.reason = terminatedReason(terminated);
      if ((terminated.exitCode ?? 0) !== 0) failure = tally.reason;
    } else if (container.ready === true && container.state?.running) {
      running = true;
      tally.ready++;
    }
  }
  if (tally.reason !== 'Completed') return;
  if (running && isPodReady(pod)) tally.reason = 'Running';
  else if (failure !== '') tally.reason = failure;
  else if (running) tally.reason = 'NotReady';
}

/**
 * In one word why a pod is not as its owner wishes, '' when it is: what its phase leaves open. Waiting reasons are the kubelet's own
 * (`CrashLoopBackOff`, `ImagePullBackOff`, `ContainerCreating` …), as are those of containers that ended (`Error`), `Unschedulable` and `SchedulingGated` the scheduler's; `Starting`
 * has not been ready since its containers started, `NotReady` was.
 */
export function podTrouble(pod: Pod): string {
  const { phase = 'Pending', reason, containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {};
  if (isPhaseTerminal(phase)) return phase === 'Failed' ? reason || firstReason(containerStatuses, ({ state }) => state?.terminated?.reason) : '';
  const waiting = firstReason([...initContainerStatuses, ...containerStatuses], ({ state }) => state?.waiting?.reason);
  if (phase === 'Pending') {
    const scheduled = getPodCondition(pod, 'PodScheduled');
    return scheduled?.status === 'False' ? (scheduled.reason ?? '') : brokenReason(pod, initContainerStatuses) || waiting;
  }
  const ready = getPodCondition(pod, 'Ready');
  if (ready === undefined || ready.status === 'True') return '';
  const broken = waiting || brokenReason(pod, [...initContainerStatuses, ...containerStatuses]);
  if (broken !== '') return broken;
  if (isOfNodeNotReady(pod, ready)) return nodeNotReady;
  return hasBeenReady(containerStatuses, ready) ? 'NotReady' : 'Starting';
}

/** What all views call a pod whose node does not answer, in the word of the node controller's Event about it. */
export const nodeNotReady = 'NodeNotReady';

/** That controller takes only the readiness; what the kubelet said of the containers stays as it was. A readiness gate gives its reason. */
function isOfNodeNotReady(pod: Pod, ready: PodCondition): boolean {
  return ready.status === 'False' && !ready.reason && getPodCondition(pod, 'ContainersReady')?.status === 'True';
}

const passing: ReadonlySet<string> = new Set(['', 'Starting', 'ContainerCreating', 'PodInitializing', 'SchedulingGated']);

/** Whether a trouble is none yet: it passes by itself. */
export function isPassingTrouble(trouble: string): boolean {
  return passing.has(trouble);
}

/** Of a container that ended and is to run again, before its kubelet says that it waits. */
function brokenReason({ spec }: Pod, statuses: readonly ContainerStatus[]): string {
  const inits = spec?.initContainers ?? [];
  return firstReason(statuses, ({ name, state }) => {
    const { terminated } = state ?? {};
    const isToRun = spec?.restartPolicy === 'Always' && !inits.some((init) => init.name === name && init.restartPolicy !== 'Always');
    return terminated !== undefined && (isToRun || terminated.exitCode !== 0) ? terminated.reason : undefined;
  });
}

function firstReason(statuses: readonly ContainerStatus[], reasonOf: (status: ContainerStatus) => string | undefined): string {
  for (const status of statuses) {
    const reason = reasonOf(status);
    if (reason) return reason;
  }
  return '';
}

/** The condition turned after the containers that run now had started. */
function hasBeenReady(statuses: readonly ContainerStatus[], ready: PodCondition): boolean {
  const turnedMs = parseTime(ready.lastTransitionTime ?? '') ?? 0;
  const starts = statuses.map(({ state }) => parseTime(state?.running?.startedAt ?? '') ?? Number.POSITIVE_INFINITY);
  return starts.length > 0 && turnedMs > Math.max(...starts);
}

/** While the kubelet holds a container back: from the end of its last run for as long as its message says; undefined where it does not say. */
export function restartBackOff({ state, lastState }: ContainerStatus): { readonly fromMs: number; readonly untilMs: number } | undefined {
  const [, words = ''] = /back-off (\S+) restarting/.exec(state?.waiting?.message ?? '') ?? [];
  const fromMs = parseTime(lastState?.terminated?.finishedAt ?? '');
  const spanMs = parseDuration(words);
  return fromMs === undefined || spanMs === undefined ? undefined : { fromMs, untilMs: fromMs + spanMs };
}
