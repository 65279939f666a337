/**
 * The pod workers of all kubelets: brings them pods, wakes them when something is due, and writes what they have to report.
 * Mirrors pkg/kubelet/pod_workers.go and status/status_manager.go.
 */
import { deepEqual } from '../base/equal.ts';
import type { ConfigMap, Pod, Secret } from '../api/core/v1/types.gen.ts';
import { StatusError } from '../apimachinery/status.ts';
import { writeCause, type Cause } from '../base/causes.ts';
import type { RandomStream } from '../base/random.ts';
import type { Informer } from '../client/informer.ts';
import { configMaps, pods, secrets } from '../client/resources.ts';
import { podRequests } from '../component-helpers/resources.ts';
import { componentName, type NodesContext } from './context.ts';
import { admit } from './kubelet/admission.ts';
import { changed, type KubeletEnvironment } from './kubelet/environment.ts';
import { buildPodStatus } from './kubelet/pod-status.ts';
import { beginStop } from './kubelet/stop-pod.ts';
import { syncPod, wakeMs } from './kubelet/sync-pod.ts';
import { makeWorker } from './kubelet/make-worker.ts';
import { isTerminal, type ContainerRun, type PodWorker } from './kubelet/worker.ts';
import { hearsApi, isHeard, releasePodAddress, type Machine } from './machine.ts';
import { crashBackoffMs, statusRetryMs } from './physics.ts';
import { appendLog } from './runtime/log-buffer.ts';

/** The loop rounds to microseconds; a worker wakes when its instant has passed for sure. */
const afterDueMs = 0.001;

export const byNode = 'spec.nodeName';

export class PodWorkers {
  readonly #context: NodesContext;
  readonly #pods: Informer<Pod>;
  readonly #environment: Environment;
  readonly #writing = new Set<string>();
  /** Tells followers of a container's log; set by the connections. */
  onLine: ((worker: PodWorker, run: ContainerRun, text: string) => void) | undefined;
  /** After each step of a worker: a follower's container may have ended. */
  onEnded: ((worker: PodWorker) => void) | undefined;

  constructor(context: NodesContext) {
    this.#context = context;
    const { informers } = context;
    this.#pods = informers.informer(pods);
    this.#pods.addIndex(byNode, (pod) => (pod.spec?.nodeName ? [pod.spec.nodeName] : []));
    this.#environment = new Environment(context, informers.informer(configMaps), informers.informer(secrets), (worker, run, text) =>
      this.onLine?.(worker, run, text),
    );
    this.#pods.addHandler(({ type, object, causes }) => {
      const machine = context.machines.get(object.spec?.nodeName ?? '');
      if (machine === undefined || !hearsApi(machine)) return;
      if (type === 'delete') this.#guarded(object, () => this.#removed(object, causes));
      else this.#guarded(object, () => this.#seen(object, machine, causes));
    });
  }

  environment(machine: Machine): KubeletEnvironment {
    return this.#environment.on(machine);
  }

  find(namespace: string, name: string): PodWorker | undefined {
    const pod = this.#pods.get(namespace, name);
    return pod === undefined ? undefined : this.#context.workers.get(pod.metadata.uid ?? '');
  }

  /** The pod as the informer has it. */
  known(namespace: string, name: string): Pod | undefined {
    return this.#pods.get(namespace, name);
  }

  nodeOf(namespace: string, name: string): string | undefined {
    return this.known(namespace, name)?.spec?.nodeName;
  }

  /** What the kubelet missed: it lists its pods anew. */
  relist(machine: Machine): void {
    const listed = this.#pods.byIndex(byNode, machine.name);
    const alive = new Set(listed.map((pod) => pod.metadata.uid));
    for (const uid of [...machine.pods]) {
      const worker = this.#context.workers.get(uid);
      if (worker !== undefined && !alive.has(uid)) this.#guarded(worker.pod, () => this.#removed(worker.pod, []));
    }
    for (const pod of listed) this.#guarded(pod, () => this.#seen(pod, machine, causesOf(pod)));
    for (const uid of machine.pods) {
      const worker = this.#context.workers.get(uid);
      if (worker !== undefined) this.sync(worker);
    }
  }

  /** One step of a worker, then what it has to report, then its next timer. */
  sync(worker: PodWorker): void {
    const machine = this.#context.machines.get(worker.node);
    if (machine === undefined || machine.kubeletSinceMs === null) return;
    this.#guarded(worker.pod, () => {
      syncPod(worker, this.#environment.on(machine));
      this.onEnded?.(worker);
      this.#settle(worker, machine);
    });
  }

  /** What throws is this one pod's worker: it waits and is synced again, as upstream's; the other pods of the node go on. */
  #guarded(pod: Pod, step: () => void): void {
    try {
      step();
    } catch (error) {
      const { namespace, name, uid } = pod.metadata;
      const worker = this.#context.workers.get(uid ?? '');
      // Not even a worker came of it: the informer tells of the pod again.
      if (worker === undefined) throw error;
      const { loop } = this.#context;
      loop.crashed(componentName, `pod ${namespace}/${name} on ${worker.node}`, error);
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
    if (worker.stage !== 'finished') releasePodAddress(machine, worker.ip);
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
      worker.requests = podRequests(pod);
      changed(worker, this.#environment.on(machine));
    }
    this.#settle(worker, machine);
  }

  #add(pod: Pod, machine: Machine, causes: readonly Cause[]): void {
    const phase = pod.status?.phase;
    const isDeleted = pod.metadata.deletionTimestamp !== undefined;
    const isOver = phase === 'Succeeded' || phase === 'Failed';
    if (isOver && !isDeleted) return;
    const env = this.#environment.on(machine);
    const worker = makeWorker(pod, machine, env.nowMs, causes);
    const others = [...machine.pods]
      .map((uid) => this.#context.workers.get(uid))
      .filter((one): one is PodWorker => one !== undefined && !isTerminal(one));
    this.#context.workers.set(worker.uid, worker);
    machine.pods.add(worker.uid);
    worker.flushMs = env.nowMs;
    if (isDeleted) {
      worker.stage = 'finished';
      worker.flushMs = null;
    } else {
      const verdict = admit(worker, others, machine, this.#context.nodeInformer.get(undefined, machine.name));
      if (verdict !== undefined) {
        worker.stage = 'rejected';
        worker.verdict = verdict;
        env.event(worker, 'Warning', verdict.reason, verdict.message);
      }
    }
    this.sync(worker);
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
      worker.flushMs = null;
      if (isTerminal(worker)) {
        this.forget(worker);
        return;
      }
    } else if (isHeard(machine) && !this.#writing.has(worker.uid)) {
      this.#report(worker, machine);
    }
    this.#schedule(worker, machine);
  }

  #report(worker: PodWorker, machine: Machine): void {
    const { loop } = this.#context;
    if (worker.flushMs !== null && worker.flushMs <= loop.nowMs()) {
      worker.flushMs = null;
      const status = buildPodStatus(worker, machine, this.#context, loop.nowMs());
      if (!deepEqual(status, worker.pod.status)) {
        this.#writing.add(worker.uid);
        loop.track(this.#write(worker, machine, { ...worker.pod, status }), componentName, `status of pod ${worker.namespace}/${worker.name}`);
        return;
      }
    }
    if (worker.flushMs === null && isTerminal(worker) && !worker.deleted && worker.pod.metadata.deletionTimestamp !== undefined) {
      this.#writing.add(worker.uid);
      loop.track(this.#delete(worker, machine), componentName, `deletion of pod ${worker.namespace}/${worker.name}`);
    }
  }

  async #write(worker: PodWorker, machine: Machine, next: Pod): Promise<void> {
    const client = this.#context.clientFor(worker.node);
    try {
      this.#wrote(worker, await client.because(worker.causes).updateStatus(pods, next));
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      // Refused: admission saw other labels than the status was built on, before it came to comparing versions.
      if (error.status.code === 409 || error.status.code === 403) await this.#refresh(worker, next);
      else if (error.status.code !== 404) this.#tellLater(worker);
    } finally {
      this.#writing.delete(worker.uid);
    }
    this.#settleLater(worker, machine);
  }

  #wrote(worker: PodWorker, pod: Pod): void {
    if (isNewer(pod, worker.pod)) worker.pod = pod;
    worker.causes = causesOf(pod);
  }

  /** Somebody else wrote in between: the status is built anew on what there is now. */
  async #refresh(worker: PodWorker, written: Pod): Promise<void> {
    try {
      const fresh = await this.#context.clientFor(worker.node).get(pods, worker.namespace, worker.name);
      if (fresh.metadata.uid !== worker.uid || fresh.metadata.resourceVersion === written.metadata.resourceVersion) return;
      worker.flushMs ??= this.#context.loop.nowMs();
      const machine = this.#context.machines.get(worker.node);
      if (machine !== undefined) this.#seen(fresh, machine, causesOf(fresh));
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      if (error.status.code !== 404) this.#tellLater(worker);
    }
  }

  /** What the API refused for now is told again with the next batch, as upstream's status manager does. */
  #tellLater(worker: PodWorker): void {
    worker.flushMs = this.#context.loop.nowMs() + statusRetryMs;
  }

  async #delete(worker: PodWorker, machine: Machine): Promise<void> {
    try {
      const client = this.#context.clientFor(worker.node).because(worker.causes);
      await client.delete(pods, worker.namespace, worker.name, { gracePeriodSeconds: 0, preconditions: { uid: worker.uid } });
      worker.deleted = true;
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      // Gone already, or another pod of that name: the watch tells.
      if (error.status.code === 404 || error.status.code === 409) worker.deleted = true;
      else this.#tellLater(worker);
    } finally {
      this.#writing.delete(worker.uid);
    }
    this.#settleLater(worker, machine);
  }

  #settleLater(worker: PodWorker, machine: Machine): void {
    if (this.#context.workers.get(worker.uid) === worker && machine.kubeletSinceMs !== null) this.#settle(worker, machine);
  }

  #schedule(worker: PodWorker, machine: Machine): void {
    const maySpeak = isHeard(machine) && !this.#writing.has(worker.uid);
    const wakesMs = wakeMs(worker, this.#context.loop.nowMs(), maySpeak);
    const dueMs = worker.retryMs === null ? wakesMs : Math.min(worker.retryMs, wakesMs ?? worker.retryMs);
    if (dueMs === (worker.timerMs ?? undefined)) return;
    this.stopTimer(worker);
    if (dueMs === undefined) return;
    worker.timer = this.#context.loop.setTimer(componentName, dueMs + afterDueMs, 'pod', worker.uid);
    worker.timerMs = dueMs;
  }
}

/** One for all kubelets: it is told whose turn it is. */
class Environment implements KubeletEnvironment {
  readonly #context: NodesContext;
  readonly #configMaps: Informer<ConfigMap>;
  readonly #secrets: Informer<Secret>;
  readonly #onLine: (worker: PodWorker, run: ContainerRun, text: string) => void;
  nowMs = 0;
  machine!: Machine;
  random!: RandomStream;

  constructor(
    context: NodesContext,
    maps: Informer<ConfigMap>,
    hidden: Informer<Secret>,
    onLine: (worker: PodWorker, run: ContainerRun, text: string) => void,
  ) {
    this.#context = context;
    this.#configMaps = maps;
    this.#secrets = hidden;
    this.#onLine = onLine;
  }

  get catalog(): NodesContext['catalog'] {
    return this.#context.catalog;
  }

  get relaxedVariableNames(): boolean {
    return this.#context.options?.relaxedVariableNames !== false;
  }

  on(machine: Machine): this {
    this.nowMs = this.#context.loop.nowMs();
    this.machine = machine;
    this.random = this.#context.stream(machine);
    return this;
  }

  configMap(namespace: string, name: string): ConfigMap | undefined {
    return this.#configMaps.get(namespace, name);
  }

  secret(namespace: string, name: string): Secret | undefined {
    return this.#secrets.get(namespace, name);
  }

  event(worker: PodWorker, type: 'Normal' | 'Warning', reason: string, message: string, run?: ContainerRun): void {
    if (!isHeard(this.machine)) return;
    const options = run === undefined ? undefined : { fieldPath: this.#context.shared.texts.one(fieldPathOf(run)) };
    this.#context.recorderFor(worker.node).event(worker.pod, type, reason, this.#context.shared.texts.one(message), worker.causes, options);
  }

  log(worker: PodWorker, run: ContainerRun, text: string): void {
    const line = { atMs: this.nowMs, text: this.#context.shared.texts.one(text) };
    run.log = appendLog(run.log ?? [], line);
    this.#context.onLog?.({ ...line, node: worker.node, namespace: worker.namespace, pod: worker.name, uid: worker.uid, container: run.name });
    this.#onLine(worker, run, text);
  }
}

function fieldPathOf({ role, name }: ContainerRun): string {
  return role === 'main' ? `spec.containers{${name}}` : `spec.initContainers{${name}}`;
}

function graceMs(pod: Pod): number {
  return Number(pod.metadata.deletionGracePeriodSeconds ?? pod.spec?.terminationGracePeriodSeconds ?? 30) * 1000;
}

function isNewer(pod: Pod, known: Pod): boolean {
  return Number(pod.metadata.resourceVersion) > Number(known.metadata.resourceVersion);
}

function causesOf(pod: Pod): readonly Cause[] {
  return [writeCause(Number(pod.metadata.resourceVersion))];
}
