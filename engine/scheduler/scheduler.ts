/**
 * kube-scheduler as a component of the task loop: takes pods from the queue one cycle at a time, assumes them on a node, and binds
 * while the next cycles run (schedule_one.go, eventhandlers.go, preemption/executor.go).
 */
import { assert } from '../base/assert.ts';
import type { Cause } from '../base/causes.ts';
import type { RandomStream } from '../base/random.ts';
import type { Component, TaskLoop } from '../base/task-loop.ts';
import type { Node, Pod } from '../api/core/v1/types.gen.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import { StatusError } from '../apimachinery/status.ts';
import type { Answer, Question } from '../contracts/questions.ts';
import type { Client } from '../client/client.ts';
import type { EventOptions, EventRecorder } from '../client/event-recorder.ts';
import type { InformerEvent, InformerFactory } from '../client/informer.ts';
import type { RateLimiter } from '../client/rate-limiter.ts';
import { pods as podsType } from '../client/resources.ts';
import { SchedulerCache } from './cache.ts';
import { ClaimCache } from './claims.ts';
import { Cycle, type CycleResult } from './cycle.ts';
import { type DecisionRecord, podKey } from './decision.ts';
import { Action, nodeChanges, podChanges, sameJson } from './framework/cluster-events.ts';
import { Evictions } from './eviction.ts';
import { type Asking, type Extender, extenderRejector, extendersOf } from './extenders/extender.ts';
import { boundBy } from './extenders/steps.ts';
import type { Handle, Victims } from './framework/plugin.ts';
import { newPodInfo, type PodInfo } from './framework/pod-info.ts';
import { PluginError, type Status } from './framework/status.ts';
import { podRequests } from './framework/resources.ts';
import { Listers } from './listers.ts';
import { Nominator } from './nominator.ts';
import { defaultSchedulerOptions, type SchedulerOptions } from './options.ts';
import { bindPollMs, schedulingCycleMs, unschedulableFlushMs } from './physics.ts';
import { classKey, PodClass, PodClasses } from './pod-class.ts';
import { plugins } from './plugins/index.gen.ts';
import { pluginsOf } from './policy/plugins.ts';
import { createProfiles, type Profile, type ProfileEntry } from './profile.ts';
import { SchedulingQueue, type QueuedPod } from './queue.ts';
import type { SavedTree } from './node-tree.ts';
import { restorePods, savePods, savedPod, savedTree } from './saved.ts';
import { flag, list, mapOf, nullable, number, pair, text } from '../base/codecs.ts';
import { Slots } from '../base/slots.ts';
import { statusPatch, type ConditionText } from './status-patch.ts';
import { VolumeCache } from './volumes.ts';
import { type PluginWait, type WaitingBind, WaitingBinds } from './waiting-binds.ts';

export interface SchedulerEnvironment {
  readonly loop: Pick<TaskLoop, 'nowMs' | 'setTimer' | 'track' | 'crashed'>;
  readonly client: Client;
  /** The limiter that the client waits for: a pod waits for it in the queue, as data, and not in a binding. */
  readonly limiter?: RateLimiter;
  readonly informers: InformerFactory;
  /** Events of a profile name it as their source. */
  recorderOf(schedulerName: string): EventRecorder;
  readonly random: RandomStream;
  readonly options?: Partial<SchedulerOptions>;
  readonly onDecision: (record: DecisionRecord) => void;
  /** Puts a question to an extender; `goOn` is called with the answer in a task or an input. Needed where there are extenders. */
  readonly ask?: (question: Question, goOn: (answer: Answer) => void) => void;
}

/** A pod that waits for its binding is looked at again. */
const bindTimer = 'bind';
/** Longer notes are cut, as the events API asks. */
const noteMax = 1024;
export const schedulerName = 'kube-scheduler';
/** What the first step of a cycle goes on with: it has asked nothing yet. */
const noAnswer: Answer = { outcome: 'timedOut' };

export function createScheduler(environment: SchedulerEnvironment): Scheduler {
  return new Scheduler(environment);
}

export class Scheduler implements Component {
  readonly name = schedulerName;
  /** The values in force. */
  readonly options: SchedulerOptions;
  readonly profiles: ReadonlyMap<string, Profile>;
  readonly #environment: SchedulerEnvironment;
  readonly #listers: Listers;
  readonly #cache = new SchedulerCache();
  readonly #nominator = new Nominator();
  readonly #queue: SchedulingQueue;
  readonly #cycle: Cycle;
  readonly #classes = new PodClasses();
  readonly #evictions: Evictions;
  readonly #volumes: VolumeCache;
  readonly #claims: ClaimCache;
  readonly #waiting: WaitingBinds;
  readonly #extenders: readonly Extender[];
  /** While extenders are asked about a pod: what came meanwhile, which waits until its cycle is over. */
  #deferred: (() => void)[] | undefined;
  #cycleSet = false;
  #wakeMs: number | undefined;
  readonly slots = new Slots();

  constructor(environment: SchedulerEnvironment) {
    this.#environment = environment;
    this.#declare();
    this.#waiting = new WaitingBinds(this.slots);
    this.slots.onRestored(() => this.#resumeWaits());
    this.options = { ...defaultSchedulerOptions, ...environment.options };
    this.#extenders = extendersOf(this.options);
    assert(this.#extenders.length === 0 || environment.ask !== undefined, 'who has extenders can ask them');
    this.#listers = new Listers(environment.informers);
    const marks = this.options.policy === undefined;
    this.#evictions = new Evictions({ ...environment, marks }, (namespace, name) => this.#listers.pods.get(namespace, name));
    this.#volumes = new VolumeCache({
      informers: environment.informers,
      client: environment.client,
      causesOf: (pod) => this.#queue.get(pod.metadata.uid ?? '')?.causes ?? [],
      onChange: (change, causes) => this.#after(() => this.#queue.move(change, causes)),
    });
    this.#claims = new ClaimCache({
      ...environment,
      slots: this.slots,
      component: this.name,
      causesOf: (pod) => this.#queue.get(pod.metadata.uid ?? '')?.causes ?? [],
      onChange: (change, causes) => this.#after(() => this.#queue.move(change, causes)),
    });
    this.#cycle = new Cycle(this.#cache, this.#nominator, environment.random);
    const { policy } = this.options;
    this.profiles = createProfiles(this.options, policy === undefined ? plugins : pluginsOf(policy), this.#handle());
    if (policy !== undefined) this.#takeTurns();
    this.#queue = new SchedulingQueue({
      profiles: this.profiles,
      initialBackoffMs: this.options.podInitialBackoffSeconds * 1000,
      maxBackoffMs: this.options.podMaxBackoffSeconds * 1000,
      stayMs: this.options.unschedulableStayMs,
      nowMs: () => environment.loop.nowMs(),
    });
    this.#listers.nodes.addHandler((event) => this.#after(() => this.#onNode(event)));
    this.#listers.pods.addHandler((event) => this.#after(() => this.#onPod(event)));
  }

  /** Begins to work; before, pods only gather in the queue. */
  start(): void {
    this.#schedule();
  }

  onTimer(name: string, payload: JsonValue): void {
    this.#after(() => {
      if (name === bindTimer) this.#checkWait(payload as string);
      else if (name === 'cycle') {
        this.#cycleSet = false;
        // A binding of the cycle before may have taken the token meanwhile: the next one waits as a timer and not in its call.
        if (this.#tokenMs() === 0) this.#runCycle();
      } else {
        this.#wakeMs = undefined;
        this.#queue.flush();
      }
    });
  }

  /**
   * In the order in which it is taken up: the order of nodes, then all that the informers know (what the first event after a restore
   * changes is not in them yet), then the pods that wait, then what is planned for them.
   */
  #declare(): void {
    const { slots } = this;
    slots.field(
      'nodeTree',
      savedTree,
      () => this.#cache.save(),
      (saved) => this.#fillCache(saved),
    );
    slots.field(
      'startIndex',
      number,
      () => this.#cycle.startIndex,
      (index) => (this.#cycle.startIndex = index),
    );
    slots.field(
      'queue',
      mapOf(savedPod),
      () => savePods(this.#queue, this.profiles, (uid) => this.#waiting.get(uid) !== undefined),
      (pods) => restorePods(pods, this.#queue, this.profiles, (namespace, name) => this.#listers.pods.get(namespace, name)),
    );
    slots.field(
      'nominations',
      list(pair(text, text)),
      () => this.#nominator.save(),
      (saved) => this.#nominate(saved),
    );
    slots.field(
      'isCycleDue',
      flag,
      () => this.#cycleSet,
      (isDue) => (this.#cycleSet = isDue),
    );
    slots.field(
      'wakeMs',
      nullable(number),
      () => this.#wakeMs ?? null,
      (wakeMs) => (this.#wakeMs = wakeMs ?? undefined),
    );
  }

  /** Nodes that are equally good take turns, as in release 1.13. */
  #takeTurns(): void {
    this.#cycle.turn = 0;
    this.slots.field(
      'turn',
      number,
      () => this.#cycle.turn ?? 0,
      (turn) => (this.#cycle.turn = turn),
    );
  }

  #fillCache(tree: SavedTree): void {
    this.#cache.reset(tree);
    for (const node of this.#listers.nodes.list()) this.#cache.addNode(node);
    for (const pod of this.#listers.pods.list()) if (isAssigned(pod) && !isTerminal(pod)) this.#cache.setPod(pod);
  }

  #nominate(nominations: readonly (readonly [uid: string, node: string])[]): void {
    for (const [uid, node] of nominations) {
      const queued = this.#queue.get(uid);
      if (queued !== undefined) this.#nominator.set(queued.info, node);
    }
  }

  /** Who waits for a binding holds its place. */
  #resumeWaits(): void {
    for (const [uid, { node }] of this.#waiting.entries()) {
      const queued = this.#queue.get(uid);
      if (queued !== undefined && this.#cache.nodeOf(uid) === undefined) this.#cache.assume(queued.info, node);
    }
  }

  /** Runs a task's work, then sets the timers that it made necessary. */
  #after(work: () => void): void {
    if (this.#deferred !== undefined) {
      this.#deferred.push(work);
      return;
    }
    try {
      work();
    } finally {
      this.#schedule();
    }
  }

  #schedule(): void {
    const { loop } = this.#environment;
    if (!this.#cycleSet && this.#queue.ready) {
      this.#cycleSet = true;
      loop.setTimer(this.name, loop.nowMs() + Math.max(schedulingCycleMs, this.#tokenMs()), 'cycle');
    }
    const backoffMs = this.#queue.backoffEndMs;
    const flushMs = this.#queue.someUnschedulable ? (Math.floor(loop.nowMs() / unschedulableFlushMs) + 1) * unschedulableFlushMs : undefined;
    const dueMs = backoffMs === undefined ? flushMs : flushMs === undefined ? backoffMs : Math.min(backoffMs, flushMs);
    if (dueMs === undefined || (this.#wakeMs !== undefined && this.#wakeMs <= dueMs)) return;
    this.#wakeMs = dueMs;
    loop.setTimer(this.name, dueMs, 'wake');
  }

  /** How long until the limiter of its client lets a call through. */
  #tokenMs(): number {
    const { loop, limiter } = this.#environment;
    return limiter?.waitMs(loop.nowMs()) ?? 0;
  }

  #handle(): Handle {
    const cache = this.#cache;
    const images = { get: (name: string) => cache.image(name), has: cache.hasImage.bind(cache) };
    return {
      snapshot: cache,
      namespaceLabels: (namespace) => this.#listers.namespaceLabels(namespace),
      namespacesMatching: (selector) => this.#listers.namespacesMatching(selector),
      defaultSelector: (pod) => this.#listers.defaultSelector(pod),
      servicesOf: (pod) => this.#listers.servicesOf(pod),
      controllersOf: (pod) => this.#listers.controllersOf(pod),
      images: () => images,
      disruptionBudgets: () => this.#listers.budgets(),
      randomInteger: (bound) => this.#environment.random.integer(bound),
      filterHypothetical: (node) => this.#cycle.filters.askHypothetical(node),
      dependsOnNodeAlone: (node) => this.#cycle.filters.dependOnNodeAlone(node),
      volumes: this.#volumes,
      claims: this.#claims,
      isPreempting: (uid) => this.#evictions.isRunning(uid),
      bind: (pod, node) => this.#postBinding(pod, node),
    };
  }

  #onNode(event: InformerEvent<Node>): void {
    const { object: node, causes } = event;
    if (event.type === 'add') {
      this.#cache.addNode(node);
      this.#queue.move({ resource: 'Node', action: Action.add, new: node }, causes);
    } else if (event.type === 'update') {
      this.#cache.updateNode(node);
      const action = nodeChanges(event.old, node);
      if (action !== 0) this.#queue.move({ resource: 'Node', action, old: event.old, new: node }, causes);
    } else {
      this.#queue.move({ resource: 'Node', action: Action.delete, old: node }, causes);
      this.#cache.removeNode(node);
    }
  }

  /** Pods that have ended are gone for the scheduler: its informer upstream does not list them. */
  #onPod(event: InformerEvent<Pod>): void {
    const { object: pod, causes } = event;
    const uid = pod.metadata.uid ?? '';
    if (event.type === 'delete' || isTerminal(pod)) {
      if (event.type === 'update' && isTerminal(event.old)) return;
      this.#podGone(pod, causes);
      return;
    }
    const old = event.type === 'update' ? event.old : undefined;
    if (isAssigned(pod)) {
      this.#cache.setPod(pod);
      this.#queue.delete(uid);
      this.#nominator.delete(uid);
      if (old === undefined || !isAssigned(old)) this.#queue.move({ resource: 'Pod', action: Action.add, new: pod }, causes);
      else this.#queue.move({ resource: 'Pod', action: podChanges(old, pod, asksForLess(old, pod)), old, new: pod }, causes);
      return;
    }
    const profile = this.profiles.get(pod.spec?.schedulerName ?? 'default-scheduler');
    if (profile === undefined) return;
    if (this.#cache.isAssumed(uid)) {
      if (pod.metadata.deletionTimestamp !== undefined) this.#forget(pod, causes);
      return;
    }
    const info = newPodInfo(pod);
    this.#nominator.update(info);
    if (this.#queue.get(uid) === undefined) this.#queue.add(pod, profile, causes);
    else if (
      old !== undefined &&
      (this.options.policy === undefined || !sameJson(old.spec, pod.spec) || !sameJson(old.metadata.labels, pod.metadata.labels))
    )
      this.#queue.update(pod, { resource: 'Pod', action: podChanges(old, pod, asksForLess(old, pod)), old, new: pod }, causes);
    if (old?.status?.nominatedNodeName && old.status.nominatedNodeName !== pod.status?.nominatedNodeName)
      this.#placeFreed(pod, causes, info.priority);
  }

  #podGone(pod: Pod, causes: readonly Cause[]): void {
    const uid = pod.metadata.uid ?? '';
    const wasNominated = Boolean(pod.status?.nominatedNodeName);
    const placed = this.#cache.nodeOf(uid) !== undefined;
    this.#queue.delete(uid);
    this.#nominator.delete(uid);
    this.#cache.removePod(uid);
    if (placed) this.#placeFreed(pod, causes);
    else if (wasNominated) this.#placeFreed(pod, causes, pod.spec?.priority ?? 0);
  }

  #forget(pod: Pod, causes: readonly Cause[]): void {
    this.#cache.forget(pod.metadata.uid ?? '');
    this.#placeFreed(pod, causes);
  }

  /** As if a pod had been deleted from a node; `priorityMax` spares the pods above. */
  #placeFreed(pod: Pod, causes: readonly Cause[], priorityMax = Number.POSITIVE_INFINITY): void {
    const old = isAssigned(pod) ? pod : { ...pod, spec: { ...pod.spec, nodeName: '-' } as NonNullable<Pod['spec']> };
    this.#queue.move(
      { resource: 'Pod', action: Action.delete, old },
      causes,
      ({ priority, uid }) => priority <= priorityMax && uid !== pod.metadata.uid,
    );
  }

  #runCycle(): void {
    const queued = this.#queue.pop();
    if (queued === undefined) return;
    try {
      this.#scheduleOne(queued);
    } catch (error) {
      this.#crashed(queued, error);
    }
  }

  /** A cycle that threw costs this pod this attempt: it backs off, and what its class remembered is forgotten. */
  #crashed(queued: QueuedPod, error: unknown, node?: Node): void {
    const { info, profile } = queued;
    this.#environment.loop.crashed(this.name, `pod ${info.namespace}/${info.pod.metadata.name ?? ''}`, error);
    this.#classes.clear();
    if (this.#cache.isAssumed(info.uid)) {
      for (const { plugin } of profile.at.reserve.toReversed()) if (node !== undefined) plugin.unreserve?.(info, node);
      this.#cache.forget(info.uid);
      this.#placeFreed(info.pod, queued.causes);
    }
    const message = `running scheduling cycle: ${error instanceof Error ? error.message : String(error)}`;
    this.#failed(queued, { message, rejectors: [], nominatedNodeName: '' }, 'SchedulerError');
  }

  #scheduleOne(queued: QueuedPod): void {
    const { info } = queued;
    if (this.#cache.nodeOf(info.uid) !== undefined) return;
    if (info.terminating) {
      this.#note(
        info.pod,
        queued.profile.schedulerName,
        'FailedScheduling',
        `skip schedule deleting pod: ${info.namespace}/${info.pod.metadata.name ?? ''}`,
        queued.causes,
      );
      return;
    }
    const podClass = this.#classOf(info, queued.profile);
    const asked = this.#extenders.length === 0 ? [] : this.#extenders.filter((extender) => extender.isInterested(info.pod));
    if (asked.length === 0) this.#decided(queued, this.#cycle.run(info, podClass));
    else this.#goOn(queued, this.#cycle.runAsking(info, podClass, asked), noAnswer);
  }

  /** Nothing changes for the scheduler until the last question of the cycle is answered. */
  #goOn(queued: QueuedPod, asking: Asking<CycleResult>, answer: Answer): void {
    let asks = false;
    try {
      const step = asking.next(answer);
      if (step.done === true) this.#decided(queued, step.value);
      else {
        asks = true;
        this.#deferred ??= [];
        this.#environment.ask?.(step.value, (next) => this.#goOn(queued, asking, next));
      }
    } catch (error) {
      this.#crashed(queued, error);
    }
    const deferred = this.#deferred;
    if (asks || deferred === undefined) return;
    this.#deferred = undefined;
    for (const work of deferred) this.#after(work);
    this.#schedule();
  }

  #decided(queued: QueuedPod, result: CycleResult): void {
    if (result.decision.result === 'error') {
      this.#environment.onDecision({ ...result.decision, virtualMs: this.#environment.loop.nowMs(), attempt: queued.attempts });
      this.#failed(queued, result, this.options.policy === undefined ? 'SchedulerError' : 'Unschedulable');
      return;
    }
    this.#environment.onDecision({ ...result.decision, virtualMs: this.#environment.loop.nowMs(), attempt: queued.attempts });
    if (result.node === undefined) this.#failed(queued, result);
    else this.#assumeAndBind(queued, result.node);
  }

  #classOf(info: PodInfo, profile: Profile): PodClass {
    const create = (): PodClass => new PodClass(profile, info, this.#cache.slots);
    if (!this.options.classCache) return create();
    const spreads = (info.pod.spec?.topologySpreadConstraints?.length ?? 0) === 0;
    const selector = spreads ? (this.#listers.defaultSelector(info.pod)?.toString() ?? '') : '';
    const version = `${this.#cache.topologyVersion}/${this.#listers.namespacesVersion}`;
    return this.#classes.get(version, classKey(profile, info, selector, this.#cache.podsWithAffinity), create);
  }

  #assumeAndBind(queued: QueuedPod, node: string): void {
    const { info, profile } = queued;
    this.#cache.assume(info, node);
    this.#nominator.delete(info.uid);
    const target = this.#cache.get(node)?.node as Node;
    for (const ask of [
      ...profile.at.reserve.map((entry) => () => this.#reserved(entry, info, target)),
      ...profile.at.permit.map(
        ({ plugin }) =>
          () =>
            plugin.permit?.(info, target),
      ),
    ]) {
      const status = ask();
      if (status instanceof PluginError) {
        this.#unreserve(queued, target);
        this.#turnedBack(queued, 'error', node, 'Reserve', status.message);
        this.#failed(queued, { message: status.message, rejectors: [], nominatedNodeName: '' }, 'SchedulerError');
        return;
      }
      if (status === undefined) continue;
      this.#unreserve(queued, target);
      const message = `0/1 nodes are available: 1 ${status.reasons.join(', ')}.`;
      this.#turnedBack(queued, 'unschedulable', node, `plugin ${JSON.stringify(status.plugin)}`, message);
      this.#failed(queued, {
        message,
        rejectors: [status.plugin],
        nominatedNodeName: '',
      });
      return;
    }
    this.#environment.loop.track(this.#bind(queued, target), this.name, `binding of ${info.namespace}/${info.pod.metadata.name ?? ''}`);
  }

  #reserved({ plugin, name }: ProfileEntry, info: PodInfo, node: Node): Status | PluginError | undefined {
    try {
      return plugin.reserve?.(info, node);
    } catch (error) {
      if (error instanceof PluginError) return new PluginError(`running Reserve plugin "${name}": ${error.message}`);
      throw error;
    }
  }

  #unreserve({ info, profile }: QueuedPod, node: Node): void {
    for (const { plugin } of profile.at.reserve.toReversed()) plugin.unreserve?.(info, node);
    this.#cache.forget(info.uid);
  }

  /** The binding cycle. Plugins prepare side by side; what they wait for ends it, and `#checkWait` goes on behind that. */
  async #bind(queued: QueuedPod, node: Node, isReady = false): Promise<void> {
    const { info, profile } = queued;
    const name = node.metadata.name ?? '';
    let at = '';
    try {
      if (!isReady) {
        await this.#announce(queued, name);
        const waits: PluginWait[] = [];
        for (const entry of profile.at.preBind) {
          at = `PreBind plugin "${entry.name}"`;
          const waitsFor = await entry.plugin.preBind?.(info.pod, name);
          if (waitsFor === undefined) continue;
          waits.push({ plugin: entry.name, waitsFor, untilMs: this.#environment.loop.nowMs() + (entry.plugin.bindTimeoutMs ?? 0) });
        }
        if (waits.length > 0) return this.#wait(info, { node: name, waits });
      }
      at = '';
      const binders = this.#extenders.filter((extender) => extender.options.bindVerb !== '' && extender.isInterested(info.pod));
      if (binders.length === 0 || !(await this.#boundOutside(binders, info.pod, name))) {
        const [binder] = profile.at.bind;
        at = `Bind plugin ${JSON.stringify(binder?.name ?? '')}`;
        await binder?.plugin.bind?.(info.pod, name);
      }
    } catch (error) {
      if (error instanceof StatusError || error instanceof PluginError)
        this.#after(() => this.#bindFailed(queued, node, this.#bindingFault(at, error.message)));
      else this.#after(() => this.#crashed(queued, error, node));
      return;
    }
    this.#environment
      .recorderOf(profile.schedulerName)
      .event(
        info.pod,
        'Normal',
        'Scheduled',
        `Successfully assigned ${info.namespace}/${info.pod.metadata.name ?? ''} to ${name}`,
        queued.causes,
        this.#acting('Binding'),
      );
    for (const { plugin } of profile.at.postBind) plugin.postBind?.(info.pod, name);
  }

  /** Records that a pod did not come to the node that was chosen for it. */
  #turnedBack({ info, profile, attempts }: QueuedPod, result: 'unschedulable' | 'error', node: string, at: string, message: string): void {
    const { schedulerName } = profile;
    const head = { pod: podKey(info), uid: info.uid, schedulerName, virtualMs: this.#environment.loop.nowMs(), attempt: attempts };
    this.#environment.onDecision({ ...head, result, node, message, at, evaluatedNodes: 0, feasibleNodes: 0, filtered: {} });
  }

  #bindingFault(at: string, message: string): string {
    if (this.options.policy !== undefined) return `Binding rejected: ${message}`;
    return at === '' ? message : `running ${at}: ${message}`;
  }

  async #boundOutside(binders: readonly Extender[], pod: Pod, node: string): Promise<boolean> {
    const asking = boundBy(binders, pod, node);
    for (let step = asking.next(noAnswer); ; ) {
      if (step.done === true) return step.value;
      const question = step.value;
      step = asking.next(await new Promise<Answer>((resolve) => this.#environment.ask?.(question, resolve)));
    }
  }

  #bindFailed(queued: QueuedPod, node: Node | undefined, message: string): void {
    if (node === undefined) this.#cache.forget(queued.info.uid);
    else this.#unreserve(queued, node);
    this.#placeFreed(queued.info.pod, queued.causes);
    this.#turnedBack(queued, 'error', node?.metadata.name ?? '', 'Bind', message);
    const reason = this.options.policy === undefined ? 'SchedulerError' : 'BindingRejected';
    this.#failed(queued, { message, rejectors: [], nominatedNodeName: '' }, reason);
  }

  /** Tells others where a pod is about to go, where it takes a while. */
  async #announce({ info, profile, causes }: QueuedPod, node: string): Promise<void> {
    if (!this.options.announcesNodes || !profile.at.preBind.some(({ plugin }) => plugin.preBindPreFlight?.(info.pod, node) === true)) return;
    const patch = statusPatch(info.pod, this.#environment.loop.nowMs(), undefined, node);
    if (patch !== undefined) await this.#sendPatch(info.pod, patch, causes);
  }

  #wait({ uid, namespace, pod }: PodInfo, wait: Pick<WaitingBind, 'node' | 'waits'>): void {
    this.#waiting.add(uid, { namespace, name: pod.metadata.name ?? '', ...wait });
    this.#environment.loop.setTimer(this.name, this.#environment.loop.nowMs() + bindPollMs, bindTimer, uid);
  }

  /** A pod that went, or was let go because it ends, is not bound any more. */
  #checkWait(uid: string): void {
    const wait = this.#waiting.get(uid);
    if (wait === undefined) return;
    const queued = this.#queue.get(uid);
    if (queued === undefined || !this.#cache.isAssumed(uid)) {
      this.#waiting.delete(uid);
      this.#claims.podGone(uid);
      return;
    }
    const { loop } = this.#environment;
    // As after a restore: what is bound is the pod as it is now.
    const latest = this.#listers.pods.get(wait.namespace, wait.name);
    if (latest?.metadata.uid === uid) queued.info = newPodInfo(latest);
    const node = this.#cache.get(wait.node)?.node;
    const fault = this.#bindFault(queued, wait, node);
    if (fault === 'waiting') {
      loop.setTimer(this.name, loop.nowMs() + bindPollMs, bindTimer, uid);
      return;
    }
    this.#waiting.delete(uid);
    if (fault === undefined && node !== undefined) loop.track(this.#bind(queued, node, true), this.name, `binding of ${wait.namespace}/${wait.name}`);
    else this.#bindFailed(queued, node, fault ?? '');
  }

  /** What ends the wait with a failure; undefined when all that it waits for has come about. */
  #bindFault({ info, profile }: QueuedPod, { node: nodeName, waits }: WaitingBind, node: Node | undefined): string | undefined {
    let isWaiting = false;
    for (const { plugin: name, waitsFor, untilMs } of waits) {
      const head = `running PreBind plugin "${name}"`;
      if (node === undefined) return `${head}: binding volumes: failed to get node "${nodeName}": node "${nodeName}" not found`;
      const plugin = profile.entries.find((entry) => entry.name === name)?.plugin;
      const bindable = plugin?.isBindable?.(info.pod, node, waitsFor) ?? { state: 'ready' };
      if (bindable.state === 'failed') return `${head}: ${bindable.error}`;
      if (bindable.state === 'waiting' && this.#environment.loop.nowMs() >= untilMs)
        return `${head}: ${plugin?.bindTimeoutText ?? 'context deadline exceeded'}`;
      isWaiting ||= bindable.state === 'waiting';
    }
    return isWaiting ? 'waiting' : undefined;
  }

  async #postBinding(pod: Pod, node: string): Promise<void> {
    const { namespace, name, uid } = pod.metadata;
    const metadata = {
      ...(namespace === undefined ? {} : { namespace }),
      ...(name === undefined ? {} : { name }),
      ...(uid === undefined ? {} : { uid }),
    };
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata, target: { kind: 'Node', name: node } } as KubeObject;
    const causes = this.#queue.get(uid ?? '')?.causes ?? [];
    await this.#environment.client.because(causes).post(podsType, namespace, name ?? '', 'binding', binding);
  }

  #failed(queued: QueuedPod, result: Pick<CycleResult, 'message' | 'rejectors' | 'nominatedNodeName' | 'victims'>, reason = 'Unschedulable'): void {
    const { info, causes } = queued;
    const { namespace, name } = info.pod.metadata;
    const latest = this.#listers.pods.get(namespace, name ?? '');
    const message = result.message ?? '';
    let pod = info.pod;
    if (latest !== undefined && !isAssigned(latest)) {
      if (latest.metadata.uid !== info.uid) return;
      pod = latest;
      if (result.victims !== undefined) this.#preempt(queued, result.victims);
      // Policies do not know what may help whom.
      this.#queue.putBack(queued, latest, this.options.policy === undefined || result.rejectors.length === 0 ? result.rejectors : [extenderRejector]);
      this.#nominator.set(queued.info, result.nominatedNodeName);
    } else this.#queue.delete(info.uid);
    this.#note(
      pod,
      queued.profile.schedulerName,
      'FailedScheduling',
      message.length <= noteMax ? message : `${message.slice(0, noteMax - 4)} ...`,
      causes,
    );
    this.#patch(pod, { type: 'PodScheduled', status: 'False', reason, message }, result.nominatedNodeName, causes);
  }

  #note(pod: Pod, schedulerName: string, reason: string, message: string, causes: readonly Cause[]): void {
    this.#environment.recorderOf(schedulerName).event(pod, 'Warning', reason, message, causes, this.#acting('Scheduling'));
  }

  /** Events say what was done; those of releases that go by policies do not. */
  #acting(action: string): EventOptions {
    return this.options.policy === undefined ? { action } : {};
  }

  #patch(pod: Pod, condition: ConditionText | undefined, nominated: string | undefined, causes: readonly Cause[]): void {
    const patch = statusPatch(pod, this.#environment.loop.nowMs(), condition, nominated);
    if (patch !== undefined) this.#environment.loop.track(this.#sendPatch(pod, patch, causes), this.name, `status of ${pod.metadata.name ?? ''}`);
  }

  /** Upstream logs a refusal and goes on: the next attempt writes the status again. */
  async #sendPatch(pod: Pod, patch: JsonObject, causes: readonly Cause[]): Promise<void> {
    try {
      await this.#environment.client
        .because(causes)
        .patch(podsType, pod.metadata.namespace, pod.metadata.name ?? '', 'strategic', patch, { subresource: 'status' });
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
    }
  }

  /** Pods of lower priority that were promised the node are told to look elsewhere. */
  #preempt(queued: QueuedPod, victims: Victims): void {
    const { info, causes } = queued;
    if (!victims.pods.some(({ terminating }) => !terminating)) return;
    for (const other of this.#nominator.on(victims.node)?.pods.values() ?? [])
      if (other.priority < info.priority) this.#patch(other.pod, undefined, '', causes);
    this.#environment.loop.track(this.#evict(queued, victims), this.name, `preemption by ${info.pod.metadata.name ?? ''}`);
  }

  async #evict(queued: QueuedPod, victims: Victims): Promise<void> {
    const { info, causes, profile } = queued;
    const done = await this.#evictions.run({ uid: info.uid, name: podKey(info), schedulerName: profile.schedulerName, causes }, victims);
    if (!done) this.#after(() => this.#queue.activate(info.uid));
  }
}

function isAssigned(pod: Pod): boolean {
  return Boolean(pod.spec?.nodeName);
}

function isTerminal(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
}

function asksForLess(old: Pod, next: Pod): boolean {
  if (old.spec?.containers === next.spec?.containers && old.status?.containerStatuses === next.status?.containerStatuses) return false;
  const [before, after] = [podRequests(old), podRequests(next)];
  return after.milliCpu < before.milliCpu || after.memory < before.memory;
}
