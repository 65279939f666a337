/**
 * The status a kubelet reports of a pod, in schema order. Mirrors pkg/kubelet/status/generate.go and kubelet_pods.go
 * (generateAPIPodStatus, convertToAPIContainerStatuses).
 */
import type { Container, ContainerState, ContainerStatus, PodCondition, PodStatus } from '../../api/core/v1/types.gen.ts';
import { deepEqual } from '../../base/equal.ts';
import type { KubeletSpeech } from '../../contracts/release.ts';
import { findCondition } from '../../component-helpers/pod.ts';
import type { Machine } from '../machine.ts';
import { clockAt } from '../machine-clock.ts';
import type { NodesContext } from '../context.ts';
import { addressesOf } from '../pod-ranges.ts';
import { actualResources, allocatedResources } from './container-resources.ts';
import { containerSpec } from './environment.ts';
import { isLost, lost } from './lost-containers.ts';
import { isLastPhase, podPhase, type PodPhase } from './pod-phase.ts';
import { allRestarting } from './restart-all.ts';
import { couldRestartAll } from './restart-rules.ts';
import { definitionOf } from './program-host.ts';
import { userOf } from './run-as-user.ts';
import { containerId, imageId, imageName, said } from './speech.ts';
import { shownMessage } from './termination-message.ts';
import { wholeResources } from './whole-resources.ts';
import { type ContainerRun, type Ended, isTerminal, type PodWorker } from './worker.ts';

interface Finding {
  readonly status: 'True' | 'False';
  readonly reason?: string;
  readonly message?: string;
}

const nothing = Object.freeze({});
const noTimes = Object.freeze({ startedAt: null, finishedAt: null });
const isTrue: Finding = { status: 'True' };
const resizeTypes: readonly string[] = ['PodResizePending', 'PodResizeInProgress'];
const disruptionTarget = 'DisruptionTarget';
const ownTypesWithoutSandbox: readonly string[] = ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'];
const allOwnTypes: readonly string[] = ['PodReadyToStartContainers', ...ownTypesWithoutSandbox];

/** What the machine's clock shows at an instant. */
type Clock = (ms: number) => string;
type Environment = Pick<NodesContext, 'catalog' | 'shared' | 'options'>;

/**
 * The last phase, with its reason, is told when the sandbox is gone: until then something of the pod could still run, and whoever waits
 * for its end would not be alone on the node (mergePodStatus). What is known of its containers is told before.
 */
export function buildPodStatus(worker: PodWorker, machine: Machine, env: Environment, nowMs: number): PodStatus {
  const { shared } = env;
  const old = worker.pod.status;
  const clock: Clock = (ms) => shared.seconds.text(clockAt(machine, ms));
  if (worker.stage === 'rejected') return rejectedStatus(worker, clock(nowMs), env.options?.speech);
  const generation = worker.pod.metadata.generation;
  const reached = podPhase(worker, worker.stopping !== null || isTerminal(worker));
  const isEarly = !isTerminal(worker) && isLastPhase(reached) && !isLastPhase(old?.phase);
  const { phase = 'Pending', reason, message } = isEarly ? (old ?? {}) : { phase: lastPhase(worker, reached), ...toldVerdict(worker, env) };
  const inits = worker.containers.filter((run) => run.role === 'init' || run.role === 'sidecar');
  const mains = worker.containers.filter((run) => run.role === 'main');
  const ephemeral = worker.containers.filter((run) => run.role === 'ephemeral');
  return {
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    phase,
    conditions: conditions(worker, reached, env, clock, nowMs),
    ...(message === undefined ? {} : { message }),
    ...(reason === undefined ? {} : { reason }),
    ...(old?.nominatedNodeName ? { nominatedNodeName: old.nominatedNodeName } : {}),
    hostIP: machine.address,
    hostIPs: shared.hostIps(addressesOf(machine, machine.address)),
    ...(worker.ip === '' ? {} : { podIP: worker.ip, podIPs: addressesOf(machine, worker.ip).map((ip) => ({ ip })) }),
    startTime: old?.startTime ?? clock(worker.addedMs),
    ...(inits.length === 0 ? {} : { initContainerStatuses: inits.map((run) => containerStatus(worker, run, machine, env)) }),
    containerStatuses: mains.map((run) => containerStatus(worker, run, machine, env)),
    ...(old?.qosClass === undefined ? {} : { qosClass: old.qosClass }),
    ...(ephemeral.length === 0 ? {} : { ephemeralContainerStatuses: ephemeral.map((run) => containerStatus(worker, run, machine, env)) }),
    ...(old?.resourceClaimStatuses === undefined ? {} : { resourceClaimStatuses: old.resourceClaimStatuses }),
    ...(old?.extendedResourceClaimStatus === undefined ? {} : { extendedResourceClaimStatus: old.extendedResourceClaimStatus }),
    ...wholeResources(worker, phase),
  };
}

/** Whatever of a pod that is over had not begun has failed; manifests of the machine begin anew. */
function lastPhase({ stage, isStatic }: PodWorker, reached: PodPhase): PodPhase {
  return stage !== 'finished' || isStatic || isLastPhase(reached) ? reached : 'Failed';
}

function toldVerdict(worker: PodWorker, { options }: Environment): Partial<Pick<PodStatus, 'reason' | 'message'>> {
  const { verdict } = worker;
  return verdict === null ? {} : { reason: verdict.reason, message: said(verdict.message, options?.speech, worker) };
}

/** Refused at admission: nothing but the verdict. */
function rejectedStatus(worker: PodWorker, nowText: string, speech: KubeletSpeech | undefined): PodStatus {
  const old = worker.pod.status;
  const generation = worker.pod.metadata.generation;
  return {
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    phase: 'Failed',
    ...(old?.conditions === undefined ? {} : { conditions: old.conditions }),
    message: said(`Pod was rejected: ${worker.verdict?.message ?? ''}`, speech, worker),
    reason: worker.verdict?.reason ?? '',
    startTime: nowText,
    ...(old?.qosClass === undefined ? {} : { qosClass: old.qosClass }),
  };
}

function conditions(worker: PodWorker, phase: PodPhase, { shared, options }: Environment, clock: Clock, nowMs: number): readonly PodCondition[] {
  const ownTypes = options?.tellsSandbox === false ? ownTypesWithoutSandbox : allOwnTypes;
  const containersReady = containersReadyFinding(worker, phase);
  const sandbox: Finding = worker.ip !== '' && worker.stage === 'active' ? isTrue : { status: 'False' };
  const findings: readonly Finding[] = [
    ...(ownTypes === allOwnTypes ? [sandbox] : []),
    initializedFinding(worker, phase),
    containersReady.status === 'True' ? readinessGates(worker) : containersReady,
    containersReady,
    isTrue,
  ];
  const old = worker.pod.status?.conditions;
  const generation = worker.pod.metadata.generation;
  const own = findings.map((finding, i) => {
    const type = ownTypes[i] as string;
    return shared.condition(condition(type, finding, findCondition(old, type), generation, clock(nowMs)));
  });
  if (couldRestartAll(worker.pod))
    own.push(condition(allRestarting, restartingFinding(worker, phase), findCondition(old, allRestarting), generation, clock(nowMs)));
  const others = (
    old?.filter((one) => !ownTypes.includes(one.type ?? '') && one.type !== allRestarting && !resizeTypes.includes(one.type ?? '')) ?? []
  ).concat(resizeConditions(worker, clock));
  const message = worker.verdict?.disruption ?? undefined;
  if (message === undefined) return others.concat(own);
  const disruption: Finding = { status: 'True', reason: 'TerminationByKubelet', message };
  const told = condition(disruptionTarget, disruption, findCondition(old, disruptionTarget), generation, clock(nowMs));
  return [...others.filter(({ type }) => type !== disruptionTarget), ...own, told];
}

/** Those of a resize on its way; they go with it. */
function resizeConditions({ resize, stopping }: PodWorker, clock: Clock): readonly PodCondition[] {
  if (stopping !== null) return [];
  return [resize.pending, resize.progress].flatMap((found, i) => {
    if (found === null) return [];
    const { reason, message, generation, sinceMs } = found;
    const told = { ...(reason === '' ? undefined : { reason }), ...(message === '' ? undefined : { message }) };
    const times = { lastProbeTime: null, lastTransitionTime: clock(sinceMs) };
    return [{ type: resizeTypes[i] as string, observedGeneration: generation, status: 'True', ...times, ...told } as unknown as PodCondition];
  });
}

function condition(
  type: string,
  { status, reason, message }: Finding,
  old: PodCondition | undefined,
  generation: number | undefined,
  nowText: string,
): PodCondition {
  return {
    type,
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    status,
    // As it is stored.
    lastProbeTime: null,
    lastTransitionTime: old?.status === status && old.lastTransitionTime ? old.lastTransitionTime : nowText,
    ...(reason === undefined ? {} : { reason }),
    ...(message === undefined ? {} : { message }),
  } as PodCondition;
}

function containersReadyFinding(worker: PodWorker, phase: PodPhase): Finding {
  if (phase === 'Succeeded') return { status: 'False', reason: 'PodCompleted' };
  if (phase === 'Failed') return { status: 'False', reason: 'PodFailed' };
  const unready = worker.containers.filter((run) => run.role !== 'init' && run.role !== 'ephemeral' && !run.ready);
  if (unready.length === 0) return isTrue;
  return { status: 'False', reason: 'ContainersNotReady', message: `containers with unready status: [${unready.map((run) => run.name).join(' ')}]` };
}

function initializedFinding(worker: PodWorker, phase: PodPhase): Finding {
  if (phase === 'Succeeded') return { status: 'True', reason: 'PodCompleted' };
  if (worker.containers.some((run) => run.role === 'main' && run.id !== '')) return isTrue;
  const incomplete = worker.containers.filter((run) =>
    run.role === 'init' ? run.state !== 'terminated' || run.ended?.exitCode !== 0 : run.role === 'sidecar' && !run.started,
  );
  const wasTrue = couldRestartAll(worker.pod) && findCondition(worker.pod.status?.conditions, 'Initialized')?.status === 'True';
  // A pod that starts over in place stays initialized.
  if (incomplete.length === 0 || wasTrue) return isTrue;
  return {
    status: 'False',
    reason: 'ContainersNotInitialized',
    message: `containers with incomplete status: [${incomplete.map((run) => run.name).join(' ')}]`,
  };
}

function restartingFinding({ restartAllMs }: PodWorker, phase: PodPhase): Finding {
  if (phase === 'Succeeded') return { status: 'False', reason: 'PodCompleted' };
  if (phase === 'Failed') return { status: 'False', reason: 'PodFailed' };
  if (restartAllMs === null) return { status: 'False' };
  return { status: 'True', reason: 'RestartAllContainersStarted', message: 'container exited with restart policy rule' };
}

function readinessGates(worker: PodWorker): Finding {
  const messages: string[] = [];
  for (const { conditionType = '' } of worker.pod.spec?.readinessGates ?? []) {
    const found = findCondition(worker.pod.status?.conditions, conditionType);
    if (found === undefined) messages.push(`corresponding condition of pod readiness gate "${conditionType}" does not exist.`);
    else if (found.status !== 'True') messages.push(`the status of pod readiness gate "${conditionType}" is not "True", but ${found.status}`);
  }
  return messages.length === 0 ? isTrue : { status: 'False', reason: 'ReadinessGatesNotReady', message: messages.join(', ') };
}

function containerStatus(worker: PodWorker, run: ContainerRun, machine: Machine, env: Environment): ContainerStatus {
  const { catalog, shared, options } = env;
  const speech = options?.speech;
  const spec = containerSpec(worker.pod, run);
  const name = run.id === '' ? undefined : catalog.parse(spec.image ?? '');
  const full = name === undefined || typeof name === 'string' ? undefined : name.full;
  const last = showsEnd(worker, run) ? run.previous : (run.ended ?? run.previous);
  const { requests } = allocatedResources(worker, run);
  const mounts = mountStatuses(worker, run, spec);
  return {
    name: run.name,
    state: containerState(worker, run, machine, env),
    lastState: last === null ? nothing : { terminated: terminated(worker, last, machine, env) },
    ready: run.role === 'init' ? run.state === 'terminated' && run.ended?.exitCode === 0 : run.ready,
    restartCount: Math.min(run.restarts, options?.restartCountMax ?? run.restarts),
    image: full === undefined ? (spec.image ?? '') : imageName(full, speech),
    imageID: full === undefined ? '' : shownImageId(worker, run, machine.images.get(full)?.id, speech),
    ...(run.id === '' ? {} : { containerID: containerId(run.id, speech) }),
    started: run.started,
    ...(requests === undefined ? {} : { allocatedResources: requests }),
    resources: actualResources(worker, run),
    ...(mounts === undefined ? {} : { volumeMounts: mounts }),
    ...(run.id === '' ? {} : { user: shared.user(userOf(worker, run, definitionOf(worker, run, { catalog }))) }),
  } as ContainerStatus;
}

/** What is not on the machine any more is called as before. */
function shownImageId(worker: PodWorker, run: ContainerRun, id: string | undefined, speech: KubeletSpeech | undefined): string {
  return id === undefined ? (statusBefore(worker, run)?.imageID ?? '') : imageId(id, speech);
}

/** As they were reported before, where nothing about them has changed. */
function mountStatuses(worker: PodWorker, { name }: ContainerRun, { volumeMounts = [] }: Container): ContainerStatus['volumeMounts'] {
  if (volumeMounts === null || volumeMounts.length === 0) return undefined;
  const mounts = volumeMounts.map((mount) => ({
    name: mount.name,
    mountPath: mount.mountPath,
    ...(mount.readOnly === true ? { readOnly: true, recursiveReadOnly: 'Disabled' } : {}),
  }));
  const before = statusBefore(worker, { name })?.volumeMounts;
  return deepEqual(mounts, before) ? before : mounts;
}

function statusBefore({ pod }: PodWorker, { name }: Pick<ContainerRun, 'name'>): ContainerStatus | undefined {
  return pod.status?.containerStatuses?.find((status) => status.name === name);
}

function containerState(worker: PodWorker, run: ContainerRun, machine: Machine, env: Pick<Environment, 'shared' | 'options'>): ContainerState {
  if (run.state === 'running') return env.shared.running(clockAt(machine, run.startedMs));
  if (showsEnd(worker, run) && run.ended !== null) return { terminated: terminated(worker, run.ended, machine, env) };
  if (isLost(worker, run)) return { terminated: terminated(worker, lost, machine, env) };
  const message = run.message === '' ? '' : said(run.message, env.options?.speech, worker);
  return { waiting: { reason: run.reason, ...(message === '' ? {} : { message }) } };
}

/** What waits to start again does so no more once its pod ends. */
function showsEnd({ stopping }: PodWorker, { state, ended }: ContainerRun): boolean {
  return state === 'terminated' || (stopping !== null && ended !== null);
}

function terminated(
  worker: PodWorker,
  ended: Ended,
  machine: Machine,
  { shared: { seconds }, options }: Pick<Environment, 'shared' | 'options'>,
): NonNullable<ContainerState['terminated']> {
  // Nobody knows any more when it ran.
  if (ended.id === '')
    return { exitCode: ended.exitCode, reason: ended.reason, message: ended.message, ...noTimes } as NonNullable<ContainerState['terminated']>;
  return {
    exitCode: ended.exitCode,
    reason: ended.reason,
    ...(ended.message === '' ? {} : { message: shownMessage(worker, ended.message) }),
    startedAt: seconds.text(clockAt(machine, ended.startedMs)),
    finishedAt: seconds.text(clockAt(machine, ended.finishedMs)),
    containerID: containerId(ended.id, options?.speech),
  };
}
