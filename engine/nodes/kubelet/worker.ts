/**
 * What a kubelet remembers of a pod and its containers: plain data (law 9), moved on by `sync-pod.ts`. It is also what the
 * container runtime of the machine knows, so it outlives a loss of power.
 */
import { systemCritical } from '../../component-helpers/priority.ts';
import type { Pod, ResourceRequirements } from '../../api/core/v1/types.gen.ts';
import type { Cause } from '../../base/causes.ts';
import type { LogLine } from '../runtime/log-buffer.ts';
import type { ImageDefinition } from '../runtime/image-definition.ts';
import type { Program } from '../runtime/program.ts';

export interface Ended {
  readonly exitCode: number;
  readonly reason: string;
  readonly message: string;
  readonly startedMs: number;
  readonly finishedMs: number;
  readonly id: string;
}

export interface Verdict {
  readonly reason: string;
  readonly message: string;
}

export interface ProbeRun {
  dueMs: number;
  /** Equal results in a row. */
  run: number;
  last: boolean | null;
  /** The result in force; null before the first. */
  value: boolean | null;
  /** No more probes until there is a new container. */
  hold: boolean;
  /** What was asked last and is answered at `answerMs`. */
  answer: ProbeAnswer | null;
  answerMs: number;
}

export interface ProbeAnswer {
  readonly ok: boolean;
  readonly output: string;
  /** It could not even be asked: that says nothing of the container, and only an event tells. */
  readonly isError?: boolean;
  /** It is well, and an event tells what is odd about it. */
  readonly isWarning?: boolean;
}

export type ProbeType = 'startup' | 'liveness' | 'readiness';
/** Ephemeral ones were added to a pod that runs, to look into it: they have no say in what becomes of it. */
export type ContainerRole = 'init' | 'sidecar' | 'main' | 'ephemeral';

export interface ContainerRun {
  readonly name: string;
  readonly role: ContainerRole;
  /** Position in spec.initContainers, spec.containers or spec.ephemeralContainers. */
  readonly index: number;
  state: 'waiting' | 'running' | 'terminated';
  /** Of the waiting state. */
  reason: string;
  message: string;
  restarts: number;
  /** Of the current or latest container, without scheme. */
  id: string;
  startedMs: number;
  /** How the latest container ended, when it has. */
  ended: Ended | null;
  /** How the one before ended. */
  previous: Ended | null;
  started: boolean;
  ready: boolean;
  backoffMs: number;
  backoffSetMs: number;
  pullBackoffMs: number;
  pullRetryMs: number;
  pullError: string;
  /** Not before this instant is a failed start tried again. */
  retryMs: number;
  /** What the last look at it found, told with the next one. */
  untold: Verdict | null;
  /** Set aside for it, and in force, where that is not what its pod asks for. */
  allocated: ResourceRequirements | null;
  actual: ResourceRequirements | null;
  program: Program | null;
  /** The machine kills it then, because it wants more memory than it may have. */
  oomMs: number | null;
  /** SIGTERM was sent; SIGKILL comes at `killMs`. */
  killMs: number | null;
  /** preStop runs until then; SIGTERM follows. */
  preStopMs: number | null;
  probes: Partial<Record<ProbeType, ProbeRun>> | null;
  log: LogLine[] | null;
  previousLog: LogLine[] | null;
  files: Record<string, string>;
}

/** A pull waits for those before it: `beganMs` is when it was this one's turn. */
export type BusyStep = 'pull' | 'start' | 'postStart';

export interface ResizeFinding {
  /** Empty while it goes on as it should. */
  readonly reason: string;
  readonly message: string;
  readonly generation: number;
  readonly sinceMs: number;
}

/** A resize on its way. */
export interface Resize {
  /** The node has not what is asked for; tried again at `retryMs`. */
  readonly pending: ResizeFinding | null;
  readonly retryMs: number | null;
  /** Allocated, and put into force at `dueMs`. */
  readonly progress: ResizeFinding | null;
  readonly dueMs: number | null;
}

export const noResize: Resize = Object.freeze({ pending: null, retryMs: null, progress: null, dueMs: null });

export interface PodWorker {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly node: string;
  /** As the kubelet last saw it; of a static pod its manifest, with the status that the API has. */
  pod: Pod;
  /** It comes from a manifest of the machine, not from the API. */
  readonly isStatic: boolean;
  /** How the API shows a static pod; null while it does not. */
  mirror: Pod | null;
  /** `admission`: it is taken once others have made room. */
  stage: 'admission' | 'volumes' | 'sandbox' | 'active' | 'rejected' | 'finished';
  readonly addedMs: number;
  /** The sandbox is there, or volumes are tried again. */
  stageMs: number;
  mountBackoffMs: number;
  /** Volumes of ConfigMaps and Secrets fail since then, and are tried again at `setUpRetryMs`. */
  setUpSinceMs: number | null;
  setUpRetryMs: number;
  /** It waits since then for its volumes to be attached. */
  attachSinceMs: number | null;
  /** Its ResourceClaims were looked up and are its own. */
  hasDevices: boolean;
  /** Of the service account whose tokens its volumes show; empty while they do not. */
  accountUid: string;
  /** What its containers wrote into its volumes, by `volume/path`. */
  volumeFiles: Record<string, string>;
  /** The volumes of its claims are mounted then. */
  mountedMs: number | null;
  ip: string;
  /** Since when the sandbox stands: what ran before ran in another one. */
  sandboxMs: number;
  containers: ContainerRun[];
  /** The kubelet starts containers one after the other: what it is at. */
  busy: { readonly container: number; readonly step: BusyStep; readonly untilMs: number; readonly sinceMs: number; readonly beganMs: number } | null;
  /** Its runtime says then that something of it has begun or ended. */
  lookMs: number | null;
  /** All its containers are removed then, to begin anew. */
  restartAllMs: number | null;
  /** All is told to end; from then on nothing is started. */
  stopping: { readonly sinceMs: number; readonly graceMs: number } | null;
  /** The sandbox goes after the last container. */
  teardownMs: number | null;
  /** Whom it waits for to end, by uid: the first was told and is waited for until `stageMs`, the others come after it. */
  victims: readonly string[];
  /** Ended by the kubelet itself: deadline, rejection, eviction. `disruption`: what its condition DisruptionTarget says. */
  verdict: (Verdict & { readonly disruption: string | null }) | null;
  /** The pod object is gone from the API. */
  gone: boolean;
  /** Status is written at this instant; null when it is up to date. */
  flushMs: number | null;
  /** Somebody else wrote into the status: the kubelet looks then whether it is still what it knows. */
  takeBackMs: number | undefined;
  causes: readonly Cause[];
  timer: number;
  timerMs: number | null;
  /** It crashed and is tried again then. */
  retryMs: number | null;
  /** Amounts as component-helpers counts them. */
  requests: { readonly [resource: string]: number };
  /** Of the pod as a whole, as of its containers. */
  allocated: ResourceRequirements | null;
  actual: ResourceRequirements | null;
  resize: Resize;
  /** The API was told to remove the pod. */
  deleted: boolean;
}

/** Whether the container that there is, or was last, ran in the sandbox that stands. */
export function ranHere({ sandboxMs }: Pick<PodWorker, 'sandboxMs'>, { id, startedMs }: ContainerRun): boolean {
  return id !== '' && startedMs >= sandboxMs;
}

export function isTerminal(worker: PodWorker): boolean {
  return worker.stage === 'rejected' || worker.stage === 'finished';
}

/** Whether it counts when its node admits another: until its last phase is told. One that was deleted by force may still be stopping. */
export function usesNode(worker: PodWorker): boolean {
  return !worker.gone && !isTerminal(worker);
}

export function makeContainerRun(name: string, role: ContainerRole, index: number, hasInit: boolean): ContainerRun {
  return {
    name,
    role,
    index,
    state: 'waiting',
    reason: role === 'ephemeral' || (role === 'main' && !hasInit) ? 'ContainerCreating' : 'PodInitializing',
    message: '',
    restarts: 0,
    id: '',
    startedMs: 0,
    ended: null,
    previous: null,
    started: false,
    ready: false,
    backoffMs: 0,
    backoffSetMs: 0,
    pullBackoffMs: 0,
    pullRetryMs: 0,
    pullError: '',
    retryMs: 0,
    untold: null,
    allocated: null,
    actual: null,
    program: null,
    oomMs: null,
    killMs: null,
    preStopMs: null,
    probes: null,
    log: null,
    previousLog: null,
    files: noFiles,
  };
}

/** Shared until a container writes its first file. */
/** What a container finds of its own when it starts; nobody changes it. */
export function filesOfImage({ files }: Pick<ImageDefinition, 'files'>): Record<string, string> {
  return files === undefined ? noFiles : (Object.freeze(files) as Record<string, string>);
}

export const noFiles: Record<string, string> = Object.freeze({}) as Record<string, string>;

/** The pod of the API that its status is told of, if there is one. */
export function shownPod(worker: PodWorker): Pod | null {
  return worker.isStatic ? worker.mirror : worker.pod;
}

/** Whether the system needs it: static pods, and those of so high a priority. Mirrors IsCriticalPod of pkg/kubelet/types. */
export function isCritical({ isStatic, pod }: Pick<PodWorker, 'isStatic' | 'pod'>): boolean {
  return isStatic || (pod.spec?.priority ?? 0) >= systemCritical;
}
