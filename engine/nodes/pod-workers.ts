/**
 * The pod workers of all kubelets: brings them pods, wakes them when something is due, and writes what they have to report.
 * Mirrors pkg/kubelet/pod_workers.go and status/status_manager.go.
 */
import { deepEqual } from '../base/equal.ts';
import type { Pod } from '../api/core/v1/types.gen.ts';
import { StatusError } from '../apimachinery/status.ts';
import { mergeCauses, type Cause } from '../base/causes.ts';
import type { Slots } from '../base/slots.ts';
import type { EventOptions } from '../client/event-recorder.ts';
import type { Informer } from '../client/informer.ts';
import { configMaps, pods, secrets, services } from '../client/resources.ts';
import { isMirrorPod, mirrorAnnotation } from '../component-helpers/pod.ts';
import { KeyedWorkers } from '../controller-runtime/keyed-workers.ts';
import { componentName, type NodesContext } from './context.ts';
import { admit } from './kubelet/admission.ts';
import { changed, type KubeletEnvironment, nextRelistMs } from './kubelet/environment.ts';
import { buildPodStatus } from './kubelet/pod-status.ts';
import { takeOverStatus } from './kubelet/lost-containers.ts';
import { causesOf, graceMs, isNewer } from './kubelet/pod-facts.ts';
import { isLastPhase, podPhase } from './kubelet/pod-phase.ts';
import { forgetProbes } from './kubelet/probes.ts';
import { allocate, heldRequests, noticeResize } from './kubelet/resize.ts';
import { noticeUpdate } from './kubelet/retries.ts';
import { beginStop } from './kubelet/stop-pod.ts';
import { syncPod, wakeMs } from './kubelet/sync-pod.ts';
import { addEphemeral, makeWorker } from './kubelet/make-worker.ts';
import { isTerminal, type ContainerRun, type PodWorker, shownPod, usesNode } from './kubelet/worker.ts';
import { hasStopped, makeRoom, type RoomHooks } from './make-room.ts';
import { hearsApi, isHeard, releasePodAddress, type Machine, worksOnPods } from './machine.ts';
import { reconsiderLoad } from './metrics/usage.ts';
import { attachSeenMs, crashBackoffMs, statusRetryMs, statusSyncMs } from './physics.ts';
import { NodeDevices } from './node-devices.ts';
import { PodEnvironment } from './pod-environment.ts';
import type { LogLine } from './runtime/log-buffer.ts';
import { ServiceVersions } from './service-versions.ts';

/** The loop rounds to microseconds; a worker wakes when its instant has passed for sure. */
const afterDueMs = 0.001;

export const byNode = 'spec.nodeName';
/** Timers of what kubelets tell of their pods. */
export const reportTimer = 'pod-report';

export class PodWorkers {
  readonly #context: NodesContext;
  readonly #pods: Informer<Pod>;
  readonly #environment: PodEnvironment;
  readonly #devices: NodeDevices;
  /** What kubelets tell the API of their pods: one coroutine for each pod. */
  readonly #reports: KeyedWorkers;
  /** Tells followers of a container's log; set by the connections. */
  onLine: ((worker: PodWorker, run: ContainerRun, line: LogLine) => void) | undefined;
  /** What a container's shell writes, as it comes. */
  onWrite: ((worker: PodWorker, run: ContainerRun, text: string, isError: boolean) => void) | undefined;
  /** Hears of images of static pods. */
  onMirror: ((mirror: Pod, machine: Machine, isDeleted: boolean) => void) | undefined;
  onForgotten: ((worker: PodWorker, machine: Machine) => void) | undefined;
  /** A worker has mounted the volumes of its pod. */
  onMounted: ((worker: PodWorker) => void) | undefined;
  /** Before each step of a worker: what runs on its machine may be other than it was. */
  onMoved: ((machine: Machine) => void) | undefined;
  /** After each step of a worker: a follower's container may have ended. */
  onEnded: ((worker: PodWorker) => void) | undefined;

  constructor(context: NodesContext, slots: Slots) {
    this.#context = context;
    const { informers, loop } = context;
    this.#reports = new KeyedWorkers({
      loop,
      component: componentName,
      timer: reportTimer,
      slots,
      backoff: { baseMs: statusRetryMs, maxMs: statusRetryMs, isEachAlone: true },
      work: (uid) => this.#speak(uid),
      describe: (uid) => `status of ${this.#described(uid)}`,
    });
    this.#devices = new NodeDevices(context, { found: (worker, fault) => this.#devicesFound(worker, fault) }, slots.part('devices'));
    this.#pods = informers.informer(pods);
    this.#pods.addIndex(byNode, (pod) => (pod.spec?.nodeName ? [pod.spec.nodeName] : []), { ignoresStatus: true });
    this.#environment = new PodEnvironment(
      context,
      informers.informer(configMaps),
      informers.informer(secrets),
      new ServiceVersions({
        informer: informers.informer(services),
        slots: slots.part('services'),
        nowMs: () => loop.nowMs(),
        startsOf: (namespace) => this.#startsOf(namespace),
      }),
      (worker, run, line) => this.onLine?.(worker, run, line),
      (worker, run, text, isError) => this.onWrite?.(worker, run, text, isError),
      (worker) => this.#devices.prepare(worker),
    );
    context.nodeInformer.addHandler((event) => {
      const machine = context.machines.get(event.object.metadata.name ?? '');
      if (machine === undefined || event.type === 'delete') return;
      const before = event.type === 'update' ? event.old.status?.volumesAttached : undefined;
      if (!deepEqual(before, event.object.status?.volumesAttached)) this.volumesChanged(machine);
    });
    this.#pods.addHandler(({ type, object, causes }) => {
      const machine = context.machines.get(object.spec?.nodeName ?? '');
      if (machine === undefined || !hearsApi(machine) || !worksOnPods(machine)) return;
      if (isMirrorPod(object)) this.onMirror?.(object, machine, type === 'delete');
      else if (type === 'delete') this.#guarded(object, () => this.#removed(object, causes));
      else this.#guarded(object, () => this.#seen(object, machine, causes));
    });
  }

  /** What pods wait for to be mounted may have been attached: their kubelet looks soon. */
  volumesChanged(machine: Machine): void {
    if (machine.kubeletSinceMs === null) return;
    for (const worker of this.on(machine)) {
      if (worker.stage !== 'volumes' || worker.attachSinceMs === null) continue;
      worker.stageMs = Math.min(worker.stageMs, this.#context.loop.nowMs() + attachSeenMs);
      this.#schedule(worker, machine, !this.#isSpeaking(worker));
    }
  }

  environment(machine: Machine): KubeletEnvironment {
    return this.#environment.on(machine);
  }

  find(namespace: string, name: string): PodWorker | undefined {
    const pod = this.#pods.get(namespace, name);
    if (pod === undefined) return undefined;
    const worker = this.#context.workers.get(pod.metadata.annotations?.[mirrorAnnotation] ?? pod.metadata.uid ?? '');
    return worker?.isStatic === isMirrorPod(pod) ? worker : undefined;
  }

  /** The pod as the informer has it. */
  known(namespace: string, name: string): Pod | undefined {
    return this.#pods.get(namespace, name);
  }

  nodeOf(namespace: string, name: string): string | undefined {
    return this.known(namespace, name)?.spec?.nodeName;
  }

  /** When the containers started that run in a namespace, or in all. */
  #startsOf(namespace: string | undefined): readonly number[] {
    return this.#pods.list(namespace).flatMap(({ metadata }) => {
      const { containers = [] } = this.#context.workers.get(metadata.uid ?? '') ?? {};
      return containers.flatMap(({ state, startedMs }) => (state === 'running' ? [startedMs] : []));
    });
  }

  /** The kubelet has begun anew, and knows of no probe what it said. */
  forgetProbes(machine: Machine): void {
    const env = this.environment(machine);
    for (const worker of this.on(machine)) for (const run of worker.containers) forgetProbes(worker, run, env);
  }

  /** What the kubelet missed: it lists its pods anew. */
  relist(machine: Machine): void {
    if (!worksOnPods(machine)) return;
    const listed = this.#pods.byIndex(byNode, machine.name);
    const alive = new Set(listed.map((pod) => pod.metadata.uid));
    for (const uid of [...machine.pods]) {
      const worker = this.#context.workers.get(uid);
      if (worker?.isStatic === true) worker.mirror = null;
      else if (worker !== undefined && !alive.has(uid)) this.#guarded(worker.pod, () => this.#removed(worker.pod, []));
    }
    for (const pod of listed) {
      if (isMirrorPod(pod)) this.onMirror?.(pod, machine, false);
      else this.#guarded(pod, () => this.#seen(pod, machine, causesOf(pod)));
    }
    for (const uid of machine.pods) {
      const worker = this.#context.workers.get(uid);
      if (worker !== undefined) this.sync(worker);
    }
  }

  /** One step of a worker, then what it has to report, then its next timer. */
  sync(worker: PodWorker): void {
    const machine = this.#context.machines.get(worker.node);
    if (machine === undefined || !worksOnPods(machine)) return;
    this.#guarded(worker.pod, () => {
      const { retryMs } = worker.resize;
      if (retryMs !== null && retryMs <= this.#context.loop.nowMs()) this.#allocate(worker, machine);
      if (worker.stage === 'admission' && worker.stopping === null) makeRoom(worker, this.#room(machine));
      const { stage } = worker;
      syncPod(worker, this.#environment.on(machine));
      if (stage === 'volumes' && worker.stage !== stage) this.onMounted?.(worker);
      this.onEnded?.(worker);
      this.#settle(worker, machine);
      if (hasStopped(worker)) this.#wakeWaiting(machine);
    });
  }

  /** Who waits for room looks again. */
  #wakeWaiting(machine: Machine): void {
    for (const waiting of this.on(machine)) if (waiting.stage === 'admission') this.sync(waiting);
  }

  #room(machine: Machine): RoomHooks {
    return {
      find: (uid) => this.#context.workers.get(uid),
      end: (victim, verdict, graceSeconds) => this.end(victim, machine, verdict, graceSeconds),
      env: () => this.#environment.on(machine),
    };
  }

  /** What throws is this one pod's worker: it waits and is synced again, as upstream's; the other pods of the node go on. */
  #guarded(pod: Pod, step: () => void): void {
    const moved = this.#context.machines.get(pod.spec?.nodeName ?? '');
    if (moved !== undefined) this.onMoved?.(moved);
    try {
      step();
    } catch (error) {
      const worker = this.#context.workers.get(pod.metadata.uid ?? '');
      // Not even a worker came of it: the informer tells of the pod again.
      if (worker === undefined) throw error;
      const { loop } = this.#context;
      loop.crashed(componentName, this.#described(worker.uid), error);
      this.stopTimer(worker);
      worker.retryMs = loop.nowMs() + crashBackoffMs;
      worker.timer = loop.setTimer(componentName, worker.retryMs + afterDueMs, 'pod', worker.uid);
      worker.timerMs = worker.retryMs;
    }
  }

  onTimer(uid: string): void {
    const worker = this.#context.workers.get(uid);
    if (worker === undefined) return;
    worker.timerMs = null;
    if (worker.retryMs !== null && worker.retryMs <= this.#context.loop.nowMs()) worker.retryMs = null;
    this.sync(worker);
  }

  #devicesFound(worker: PodWorker, fault: string | undefined): void {
    const machine = this.#context.machines.get(worker.node);
    if (machine === undefined || worker.stage !== 'sandbox') return;
    if (fault !== undefined) {
      const message = `Failed to prepare dynamic resources: prepare dynamic resources: ${fault}`;
      this.#environment.on(machine).event(worker, 'Warning', 'FailedPrepareDynamicResources', message);
      return;
    }
    worker.hasDevices = true;
    worker.stageMs = this.#context.loop.nowMs();
    this.sync(worker);
  }

  onDeviceTimer(uid: string | null): void {
    this.#devices.onTimer(uid);
  }

  /** A report that crashed is tried again. */
  onReportTimer(uid: string): void {
    this.#reports.onTimer(uid);
  }

  /** The kubelet ends the pod itself: for lack of something, because it took too much, or because its machine is shut down. */
  end(
    worker: PodWorker,
    machine: Machine,
    verdict: NonNullable<PodWorker['verdict']>,
    graceSeconds: number,
    annotations?: EventOptions['annotations'],
  ): void {
    this.#guarded(worker.pod, () => {
      const env = this.#environment.on(machine);
      worker.causes = mergeCauses(machine.faultCauses, worker.causes);
      if (verdict.reason === 'Evicted') env.event(worker, 'Warning', verdict.reason, verdict.message, undefined, annotations);
      worker.verdict = verdict;
      beginStop(worker, graceSeconds * 1000, env);
      changed(worker, env);
      this.#settle(worker, machine);
    });
  }

  /** An image uses something else from now on: when the machine has to kill its containers may have changed. */
  reconsiderLoads(repository: string): void {
    const { workers, machines } = this.#context;
    for (const machine of machines.values()) this.onMoved?.(machine);
    for (const worker of workers.values()) {
      const machine = machines.get(worker.node);
      const hasChanged = reconsiderLoad(worker, repository, this.#context);
      if (hasChanged && machine !== undefined && machine.kubeletSinceMs !== null) this.#schedule(worker, machine, !this.#isSpeaking(worker));
    }
  }

  on(machine: Machine): readonly PodWorker[] {
    return [...machine.pods].map((uid) => this.#context.workers.get(uid)).filter((worker) => worker !== undefined);
  }

  stopTimer(worker: PodWorker): void {
    if (worker.timerMs === null) return;
    this.#context.loop.cancelTimer(worker.timer);
    worker.timerMs = null;
  }

  forget(worker: PodWorker): void {
    this.stopTimer(worker);
    this.#context.workers.delete(worker.uid);
    const machine = this.#context.machines.get(worker.node);
    if (machine === undefined) return;
    machine.pods.delete(worker.uid);
    this.onForgotten?.(worker, machine);
    if (worker.stage !== 'finished') releasePodAddress(machine, worker.ip);
    this.#retryResizes(machine);
  }

  /** Something became free: who waits for it asks again. */
  #retryResizes(machine: Machine): void {
    const nowMs = this.#context.loop.nowMs();
    for (const waiting of this.on(machine)) {
      if (waiting.resize.pending === null || waiting.stopping !== null) continue;
      waiting.resize = { ...waiting.resize, retryMs: nowMs };
      this.#schedule(waiting, machine, !this.#isSpeaking(waiting));
    }
  }

  #seen(pod: Pod, machine: Machine, causes: readonly Cause[]): void {
    const worker = this.#context.workers.get(pod.metadata.uid ?? '');
    if (worker === undefined) {
      this.#add(pod, machine, causes);
      return;
    }
    if (!isNewer(pod, worker.pod)) return;
    const before = worker.pod;
    worker.pod = pod;
    const isDeleted = pod.metadata.deletionTimestamp !== undefined;
    if (isDeleted && !isTerminal(worker)) {
      worker.causes = causes;
      beginStop(worker, graceMs(pod), this.#environment.on(machine));
    } else if (before.metadata.generation !== pod.metadata.generation || before.spec?.readinessGates !== undefined) {
      worker.causes = causes;
      if (noticeResize(worker, before)) this.#allocate(worker, machine);
      worker.requests = heldRequests(worker);
      const env = this.#environment.on(machine);
      changed(worker, env);
      noticeUpdate(worker, before, env);
      if (addEphemeral(worker)) syncPod(worker, this.#environment.on(machine));
    }
    this.#noticeStatus(worker, machine, before);
    this.#settle(worker, machine);
  }

  /** What somebody else wrote into a status is looked at with the kubelet's next round over all of them. */
  #noticeStatus(worker: PodWorker, machine: Machine, before: Pod): void {
    if (worker.takeBackMs !== undefined || deepEqual(before.status, shownPod(worker)?.status)) return;
    worker.takeBackMs = this.#nextRoundMs(machine);
  }

  #nextRoundMs({ kubeletSinceMs }: Machine): number {
    const nowMs = this.#context.loop.nowMs();
    const sinceMs = kubeletSinceMs ?? nowMs;
    return sinceMs + (Math.floor((nowMs - sinceMs) / statusSyncMs) + 1) * statusSyncMs;
  }

  /** In a round; while nobody heard the kubelet, rounds passed it by. */
  #takeBack(worker: PodWorker, machine: Machine): void {
    const nowMs = this.#context.loop.nowMs();
    if (worker.takeBackMs === undefined || worker.takeBackMs > nowMs) return;
    if (nowMs - worker.takeBackMs <= 2 * afterDueMs) worker.flushMs ??= nowMs;
    else worker.takeBackMs = this.#nextRoundMs(machine);
  }

  /** A manifest of the machine. */
  addStatic(pod: Pod, machine: Machine, causes: readonly Cause[]): void {
    this.#guarded(pod, () => this.#add(pod, machine, causes, true));
  }

  /** The manifest of a static pod is gone, or says something else. */
  retire(worker: PodWorker, causes: readonly Cause[]): void {
    this.#guarded(worker.pod, () => this.#removed(worker.pod, causes));
  }

  /** The API has an image of a static pod, or a newer one: its status is that of the pod. */
  showAs(worker: PodWorker, mirror: Pod): void {
    const machine = this.#context.machines.get(worker.node);
    if (machine === undefined) return;
    const isOther = worker.mirror?.metadata.uid !== mirror.metadata.uid;
    if (!isOther && worker.mirror !== null && !isNewer(mirror, worker.mirror)) return;
    const before = worker.mirror;
    this.#wrote(worker, mirror, isOther);
    if (isOther) worker.flushMs = this.#context.loop.nowMs();
    else if (before !== null) this.#noticeStatus(worker, machine, before);
    this.#settle(worker, machine);
  }

  #add(pod: Pod, machine: Machine, causes: readonly Cause[], isStatic = false): void {
    const phase = pod.status?.phase;
    const isDeleted = pod.metadata.deletionTimestamp !== undefined;
    const isOver = phase === 'Succeeded' || phase === 'Failed';
    if (isOver && !isDeleted) return;
    const env = this.#environment.on(machine);
    const worker = makeWorker(pod, machine, env.nowMs, causes, isStatic);
    const others = this.#usersOf(machine);
    this.#context.workers.set(worker.uid, worker);
    machine.pods.add(worker.uid);
    worker.flushMs = env.nowMs;
    if (!isOver) takeOverStatus(worker);
    if (isDeleted) {
      worker.stage = 'finished';
      worker.flushMs = isOver ? null : nextRelistMs(env);
    } else {
      const admission = admit(worker, others, machine, this.#context.nodeInformer.get(undefined, machine.name));
      if ('verdict' in admission) {
        const { verdict } = admission;
        worker.stage = 'rejected';
        worker.verdict = { ...verdict, disruption: null };
        env.event(worker, 'Warning', verdict.reason, verdict.message);
      } else if (admission.victims.length > 0) {
        worker.stage = 'admission';
        worker.victims = admission.victims.map(({ uid }) => uid);
        // Nothing is told of a pod that is not taken yet.
        worker.flushMs = null;
      } else if (isLastPhase(podPhase(worker, false))) worker.stage = 'finished';
    }
    this.sync(worker);
  }

  #usersOf(machine: Machine): readonly PodWorker[] {
    return this.on(machine).filter(usesNode);
  }

  /** A pod asks for other resources than it has. */
  #allocate(worker: PodWorker, machine: Machine): void {
    const others = this.#usersOf(machine).filter((one) => one !== worker);
    allocate(worker, others, this.#context.nodeInformer.get(undefined, machine.name), this.#environment.on(machine));
  }

  #removed(pod: Pod, causes: readonly Cause[]): void {
    const worker = this.#context.workers.get(pod.metadata.uid ?? '');
    const machine = worker === undefined ? undefined : this.#context.machines.get(worker.node);
    if (worker === undefined || machine === undefined) return;
    worker.gone = true;
    if (!isTerminal(worker)) {
      if (causes.length > 0) worker.causes = causes;
      beginStop(worker, Math.max(1000, graceMs(pod)), this.#environment.on(machine));
    }
    this.#settle(worker, machine);
  }

  #settle(worker: PodWorker, machine: Machine): void {
    if (worker.gone) {
      forgetNews(worker);
      if (isTerminal(worker)) {
        this.forget(worker);
        return;
      }
    } else if (isHeard(machine)) {
      this.#takeBack(worker, machine);
      if (!this.#isSpeaking(worker) && this.#hasNews(worker)) this.#reports.queue.add(worker.uid, worker.causes);
    }
    this.#schedule(worker, machine, !this.#isSpeaking(worker));
  }

  #described(uid: string): string {
    const worker = this.#context.workers.get(uid);
    return worker === undefined ? `pod ${uid}` : `pod ${worker.namespace}/${worker.name} on ${worker.node}`;
  }

  #isSpeaking({ uid }: PodWorker): boolean {
    return this.#reports.queue.isProcessing(uid);
  }

  #hasNews(worker: PodWorker): boolean {
    if (shownPod(worker) === null) return false;
    if (worker.flushMs !== null) return worker.flushMs <= this.#context.loop.nowMs();
    return isTerminal(worker) && !worker.deleted && worker.pod.metadata.deletionTimestamp !== undefined;
  }

  /** Tells the API what there is to tell, one call after the other. */
  async #speak(uid: string): Promise<void> {
    const { workers, machines, loop } = this.#context;
    const worker = workers.get(uid);
    if (worker === undefined) return;
    const machine = (): Machine | undefined => (workers.get(uid) === worker ? machines.get(worker.node) : undefined);
    try {
      for (let at = machine(); at !== undefined && isHeard(at) && !worker.gone && this.#hasNews(worker); at = machine()) {
        const call = this.#nextReport(worker, at);
        if (call === undefined) continue;
        this.#schedule(worker, at, false);
        await call;
      }
    } catch (error) {
      // What crashed has not been told.
      worker.flushMs ??= loop.nowMs();
      throw error;
    }
    const last = machine();
    if (last !== undefined && last.kubeletSinceMs !== null) this.#rest(worker, last);
  }

  /** Nothing is being told any more. */
  #rest(worker: PodWorker, machine: Machine): void {
    if (worker.gone) forgetNews(worker);
    if (worker.gone && isTerminal(worker)) this.forget(worker);
    else this.#schedule(worker, machine, true);
  }

  /** The status, when it has changed; of what has ended, that the pod can go. */
  #nextReport(worker: PodWorker, machine: Machine): Promise<void> | undefined {
    const { loop } = this.#context;
    if (worker.flushMs !== null) {
      worker.flushMs = null;
      worker.takeBackMs = undefined;
      const status = buildPodStatus(worker, machine, this.#context, loop.nowMs());
      const shown = shownPod(worker);
      if (shown !== null && !deepEqual(status, shown.status)) return this.#write(worker, { ...shown, status });
    }
    return this.#hasNews(worker) ? this.#delete(worker) : undefined;
  }

  async #write(worker: PodWorker, next: Pod): Promise<void> {
    const client = this.#context.clientFor(worker.node);
    try {
      this.#wrote(worker, await client.because(worker.causes).updateStatus(pods, next));
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      // Refused: admission saw other labels than the status was built on, before it came to comparing versions.
      if (error.status.code === 409 || error.status.code === 403) await this.#refresh(worker, next);
      else if (error.status.code !== 404) this.#tellLater(worker);
    }
  }

  #wrote(worker: PodWorker, pod: Pod, isOther = false): void {
    const shown = shownPod(worker);
    if (shown === null || isOther || isNewer(pod, shown)) {
      if (worker.isStatic) worker.mirror = pod;
      worker.pod = worker.isStatic ? { ...worker.pod, ...(pod.status === undefined ? undefined : { status: pod.status }) } : pod;
    }
    worker.causes = causesOf(pod);
  }

  /** Somebody else wrote in between: the status is built anew on what there is now. */
  async #refresh(worker: PodWorker, written: Pod): Promise<void> {
    try {
      const fresh = await this.#context.clientFor(worker.node).get(pods, worker.namespace, worker.name);
      if (fresh.metadata.uid !== written.metadata.uid || fresh.metadata.resourceVersion === written.metadata.resourceVersion) return;
      worker.flushMs ??= this.#context.loop.nowMs();
      const machine = this.#context.machines.get(worker.node);
      if (machine === undefined) return;
      if (worker.isStatic) this.onMirror?.(fresh, machine, false);
      else this.#seen(fresh, machine, causesOf(fresh));
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      if (error.status.code !== 404) this.#tellLater(worker);
    }
  }

  /** What the API refused for now is told again with the next batch, as upstream's status manager does. */
  #tellLater(worker: PodWorker): void {
    worker.flushMs = this.#context.loop.nowMs() + statusRetryMs;
  }

  async #delete(worker: PodWorker): Promise<void> {
    try {
      const client = this.#context.clientFor(worker.node).because(worker.causes);
      await client.delete(pods, worker.namespace, worker.name, { gracePeriodSeconds: 0, preconditions: { uid: worker.uid } });
      worker.deleted = true;
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      // Gone already, or another pod of that name: the watch tells.
      if (error.status.code === 404 || error.status.code === 409) worker.deleted = true;
      else this.#tellLater(worker);
    }
  }

  #schedule(worker: PodWorker, machine: Machine, maySpeak: boolean): void {
    const wakesMs = wakeMs(worker, this.#context.loop.nowMs(), maySpeak && isHeard(machine) && shownPod(worker) !== null);
    const dueMs = worker.retryMs === null ? wakesMs : Math.min(worker.retryMs, wakesMs ?? worker.retryMs);
    if (dueMs === (worker.timerMs ?? undefined)) return;
    this.stopTimer(worker);
    if (dueMs === undefined) return;
    worker.timer = this.#context.loop.setTimer(componentName, dueMs + afterDueMs, 'pod', worker.uid);
    worker.timerMs = dueMs;
  }
}

/** Nobody is left to be told. */
function forgetNews(worker: PodWorker): void {
  worker.flushMs = null;
  worker.takeBackMs = undefined;
}
