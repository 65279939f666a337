/**
 * kube-scheduler as a component of the task loop: takes pods from the queue one cycle at a time (scheduler.go, schedule_one.go).
 * What changes about nodes and pods is `Changes`, the way from a node to a binding `Bindings`, what does not get there `Outcomes`.
 */
import { assert } from '../base/assert.ts';
import { flag, list, mapOf, nullable, number, pair, text } from '../base/codecs.ts';
import type { JsonValue } from '../base/json.ts';
import { Slots } from '../base/slots.ts';
import type { Component } from '../base/task-loop.ts';
import type { Node } from '../api/core/v1/types.gen.ts';
import type { Answer } from '../contracts/questions.ts';
import { bindTimer, Bindings, noAnswer, permitTimer } from './binding.ts';
import { SchedulerCache } from './cache.ts';
import { Changes } from './changes.ts';
import { ClaimCache } from './claims.ts';
import { Cycle, type CycleResult } from './cycle.ts';
import { type Asking, type Extender, extendersOf } from './extenders/extender.ts';
import { groupNameOf } from './framework/groups.ts';
import type { Handle } from './framework/plugin.ts';
import type { PodInfo } from './framework/pod-info.ts';
import { GroupCycles } from './group-cycle.ts';
import { GroupCache, noGroups } from './groups.ts';
import { createHandle } from './handle.ts';
import { Listers } from './listers.ts';
import type { SavedTree } from './node-tree.ts';
import { Nominator } from './nominator.ts';
import { defaultSchedulerOptions, type SchedulerOptions } from './options.ts';
import { Outcomes } from './outcomes.ts';
import { isAssigned, isTerminal, type SchedulerEnvironment, type SchedulerParts, schedulerName } from './parts.ts';
import { schedulingCycleMs, unschedulableFlushMs } from './physics.ts';
import { classKey, PodClass, PodClasses } from './pod-class.ts';
import { plugins } from './plugins/index.gen.ts';
import { pluginsOf } from './policy/plugins.ts';
import { createProfiles, type Profile } from './profile.ts';
import { SchedulingQueue, type QueuedPod } from './queue.ts';
import { restorePods, savePods, savedPod, savedTree } from './saved.ts';
import { VolumeCache } from './volumes.ts';
import { WaitingBinds } from './waiting-binds.ts';

/** A cycle that asks, and what comes of it. */
interface AskingCycle<T> {
  readonly pods: readonly QueuedPod[];
  readonly asking: Asking<T>;
  readonly done: (value: T) => void;
}

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
  readonly #volumes: VolumeCache;
  readonly #claims: ClaimCache;
  readonly #waiting: WaitingBinds;
  readonly #outcomes: Outcomes;
  readonly #changes: Changes;
  readonly #bindings: Bindings;
  readonly #groups: GroupCache | undefined;
  readonly #groupCycles: GroupCycles;
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
    this.slots.onRestored(() => this.#bindings.resumeWaits());
    this.options = { ...defaultSchedulerOptions, ...environment.options };
    this.#extenders = extendersOf(this.options);
    assert(this.#extenders.length === 0 || environment.ask !== undefined, 'who has extenders can ask them');
    this.#listers = new Listers(environment.informers);
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
      extendedResources: this.options.extendedResources,
      deviceTaintRules: this.options.deviceTaintRules,
      sharesGroups: this.options.workloadClaims,
      causesOf: (pod) => this.#queue.get(pod.metadata.uid ?? '')?.causes ?? [],
      onChange: (change, causes) => this.#after(() => this.#queue.move(change, causes)),
    });
    this.#groups = this.options.podGroups ? this.#createGroups() : undefined;
    this.#cycle = new Cycle(this.#cache, this.#nominator, environment.random);
    const { policy } = this.options;
    this.profiles = createProfiles(
      this.options,
      policy === undefined ? [...plugins, ...(environment.plugins ?? [])] : pluginsOf(policy),
      this.#handle(),
    );
    if (policy !== undefined) this.#takeTurns();
    this.#queue = new SchedulingQueue({
      profiles: this.profiles,
      initialBackoffMs: this.options.podInitialBackoffSeconds * 1000,
      maxBackoffMs: this.options.podMaxBackoffSeconds * 1000,
      stayMs: this.options.unschedulableStayMs,
      nowMs: () => environment.loop.nowMs(),
    });
    const parts = this.#parts();
    this.#outcomes = new Outcomes(parts, (uid) => this.#bindings.preempt(uid));
    this.#changes = new Changes(parts, this.profiles, (uid) => this.#bindings.rejectGone(uid));
    this.#bindings = new Bindings(
      parts,
      {
        changes: this.#changes,
        outcomes: this.#outcomes,
        claims: this.#claims,
        extenders: this.#extenders,
        crashed: (queued, error, node) => this.#crashed(queued, error, node),
      },
      this.#waiting,
    );
    this.#groupCycles = new GroupCycles(parts, {
      cycle: this.#cycle,
      bindings: this.#bindings,
      outcomes: this.#outcomes,
      claims: this.#claims,
      extenders: this.#extenders,
      classOf: (info, profile) => this.#classOf(info, profile),
      skips: (queued) => this.#skips(queued),
    });
    this.#listers.nodes.addHandler((event) => this.#after(() => this.#changes.onNode(event)));
    this.#listers.pods.addHandler((event) => this.#after(() => this.#changes.onPod(event)));
  }

  #parts(): SchedulerParts {
    return {
      environment: this.#environment,
      options: this.options,
      listers: this.#listers,
      cache: this.#cache,
      nominator: this.#nominator,
      queue: this.#queue,
      groups: this.#groups,
      after: (work) => this.#after(work),
    };
  }

  #createGroups(): GroupCache {
    return new GroupCache({
      informers: this.#environment.informers,
      options: this.options,
      isPlaced: (uid) => this.#cache.nodeOf(uid) !== undefined,
      activate: (uid) => this.#queue.activate(uid),
      allow: (uid, plugin) => this.#bindings.allow(uid, plugin),
      onChange: (change, causes) => this.#after(() => this.#queue.move(change, causes)),
    });
  }

  /** Begins to work; before, pods only gather in the queue. */
  start(): void {
    this.#schedule();
  }

  onTimer(name: string, payload: JsonValue): void {
    this.#after(() => {
      if (name === bindTimer) this.#bindings.checkWait(payload as string);
      else if (name === permitTimer) this.#bindings.checkPermits(payload as string);
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
    if (this.#groups === undefined) return;
    this.#groups.clear();
    for (const pod of this.#listers.pods.list()) if (!isTerminal(pod) && this.#changes.belongs(pod)) this.#groups.add(pod);
  }

  #nominate(nominations: readonly (readonly [uid: string, node: string])[]): void {
    for (const [uid, node] of nominations) {
      const queued = this.#queue.get(uid);
      if (queued !== undefined) this.#nominator.set(queued.info, node);
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
    return createHandle({
      environment: this.#environment,
      cache: this.#cache,
      listers: this.#listers,
      volumes: this.#volumes,
      claims: this.#claims,
      groups: this.#groups ?? noGroups,
      filters: this.#cycle.filters,
      outcomes: () => this.#outcomes,
      bindings: () => this.#bindings,
    });
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
      this.#changes.placeFreed(info.pod, queued.causes);
    }
    const message = `running scheduling cycle: ${error instanceof Error ? error.message : String(error)}`;
    this.#outcomes.failed(queued, { message, rejectors: [], nominatedNodeName: '' }, 'SchedulerError');
  }

  #scheduleOne(queued: QueuedPod): void {
    const { info } = queued;
    if (this.#groups !== undefined && groupNameOf(info.pod) !== undefined) {
      this.#scheduleGroup(queued, this.#groups);
      return;
    }
    if (this.#skips(queued)) return;
    const podClass = this.#classOf(info, queued.profile);
    const asked = this.#extenders.length === 0 ? [] : this.#extenders.filter((extender) => extender.isInterested(info.pod));
    if (asked.length === 0) this.#decided(queued, this.#cycle.run(info, podClass));
    else
      this.#goOn({ pods: [queued], asking: this.#cycle.runAsking(info, podClass, asked), done: (result) => this.#decided(queued, result) }, noAnswer);
  }

  #scheduleGroup(first: QueuedPod, groups: GroupCache): void {
    const pods = this.#groupCycles.members(first, groups);
    this.#goOn({ pods, asking: this.#groupCycles.run(pods, groups), done: () => {} }, noAnswer);
  }

  /** A pod that has its place already, or goes, which it is told. */
  #skips({ info, profile, causes }: QueuedPod): boolean {
    if (this.#cache.nodeOf(info.uid) !== undefined) return true;
    if (!info.terminating) return false;
    const text = `skip schedule deleting pod: ${info.namespace}/${info.pod.metadata.name ?? ''}`;
    this.#outcomes.note(info.pod, profile.schedulerName, 'FailedScheduling', text, causes);
    return true;
  }

  /** Nothing changes for the scheduler until the last question of the cycle is answered. */
  #goOn<T>(cycle: AskingCycle<T>, answer: Answer): void {
    let asks = false;
    try {
      const step = cycle.asking.next(answer);
      if (step.done === true) cycle.done(step.value);
      else {
        asks = true;
        this.#deferred ??= [];
        this.#environment.ask?.(step.value, (next) => this.#goOn(cycle, next));
      }
    } catch (error) {
      for (const queued of cycle.pods) this.#crashed(queued, error);
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
      this.#outcomes.failed(queued, result, this.options.policy === undefined ? 'SchedulerError' : 'Unschedulable');
      return;
    }
    this.#environment.onDecision({ ...result.decision, virtualMs: this.#environment.loop.nowMs(), attempt: queued.attempts }, result.nodes);
    if (result.node === undefined) this.#outcomes.failed(queued, result);
    else this.#bindings.assumeAndBind(queued, result.node);
  }

  #classOf(info: PodInfo, profile: Profile): PodClass {
    const create = (): PodClass => new PodClass(profile, info, this.#cache.slots);
    if (!this.options.classCache) return create();
    const spreads = (info.pod.spec?.topologySpreadConstraints?.length ?? 0) === 0;
    const selector = spreads ? (this.#listers.defaultSelector(info.pod)?.toString() ?? '') : '';
    const version = `${this.#cache.topologyVersion}/${this.#listers.namespacesVersion}/${this.#claims.version}`;
    return this.#classes.get(version, classKey(profile, info, selector, this.#cache.podsWithAffinity), create);
  }
}
