/**
 * Runs scenarios: a ScenarioRun object starts one, its status tells how it goes. Steps are driven by the scenario's machine;
 * expectations are looked at when something they speak of changes, and at their deadlines. A component of the loop.
 */
import type { PolicyRule } from '../api/rbac/v1/types.gen.ts';
import type { Scenario, ScenarioExpectation, ScenarioRun } from '../api/sim/v1alpha1/scenario.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import { isNotFound } from '../apimachinery/errors.ts';
import { StatusError } from '../apimachinery/status.ts';
import { type Cause, timerCause } from '../base/causes.ts';
import { list, number, record, text } from '../base/codecs.ts';
import { Slots } from '../base/slots.ts';
import type { Component, TaskLoop } from '../base/task-loop.ts';
import type { Client, ResourceType } from '../client/client.ts';
import type { Informer, InformerFactory } from '../client/informer.ts';
import { resourceType } from '../client/resources.ts';
import { KeyedWorkers } from '../controller-runtime/keyed-workers.ts';
import { NotOursError, performStep } from './actions.ts';
import { checkExpectation } from './check.ts';
import { decideExpectations, newExpectations, nextDeadline } from './expectations.ts';
import { type Effect, type RunEvent, ScenarioMachine, type Transitioned } from './machine.ts';
import { resourceTypeOf, UnknownKindError } from './resource-types.ts';
import { type RunState, runCodec, statusOf } from './run-state.ts';

export interface ScenarioRunnerOptions {
  readonly loop: TaskLoop;
  readonly client: Client;
  /** `restoreInformer` fills the cache of a restored cluster at once. */
  readonly informers: InformerFactory & { restoreInformer?<T extends KubeObject>(type: ResourceType<T>): Informer<T> };
  /** Runs that ask for a cluster of their own are made by the host, not here. */
  readonly leavesOwnRuns: boolean;
  /** Hash of the history so far. */
  digest(): string;
}

const scenarioResource = resourceType<Scenario>('sim.wavetank.dev', 'v1alpha1', 'scenarios', 'Scenario', false);
const scenarioRunResource = resourceType<ScenarioRun>('sim.wavetank.dev', 'v1alpha1', 'scenarioruns', 'ScenarioRun', false);

const componentName = 'scenarios';
const delayedTimer = 'delayed';
const checkTimer = 'check';
const deadlineTimer = 'deadline';
const queueTimer = 'queue';
/** Keys of the queue: a run's start and its steps, and its status. */
const runPrefix = 'run/';
const statusPrefix = 'status/';
/** Changes that come close together are looked at together. */
const checkDelayMs = 5;
const backoff = { baseMs: 1_000, maxMs: 60_000 };
const watchedCodec = list(record({ apiVersion: text, kind: text }));

/** Runs apply whatever their scenarios hold and look at whatever these speak of; roles that these make may say more than this. */
export const scenariosRules: readonly PolicyRule[] = [
  { apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'] },
  { apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles', 'clusterroles'], verbs: ['escalate', 'bind'] },
];

class ScenarioRunner implements Component {
  readonly name = componentName;
  readonly #options: ScenarioRunnerOptions;
  readonly slots = new Slots();
  /** By name. */
  readonly #runs = this.slots.map('runs', runCodec);
  readonly #machines = new Map<string, ScenarioMachine>();
  readonly #watched = new Map<string, Informer<KubeObject>>();
  readonly #known: Informer<ScenarioRun>;
  readonly #workers: KeyedWorkers;
  #checkTimer = 0;
  #deadlineTimer = 0;

  constructor(options: ScenarioRunnerOptions) {
    this.#options = options;
    this.#workers = new KeyedWorkers({
      loop: options.loop,
      component: componentName,
      timer: queueTimer,
      slots: this.slots.part('queue'),
      backoff,
      work: (key, causes) =>
        key.startsWith(runPrefix) ? this.#advance(key.slice(runPrefix.length), causes) : this.#report(key.slice(statusPrefix.length)),
    });
    this.#declare();
    this.#known = options.informers.informer(scenarioRunResource);
    this.#known.addHandler(({ type, object, causes }) => {
      if (type === 'delete') this.#forget(object);
      else this.#consider(object, causes);
    });
  }

  #declare(): void {
    this.slots.field(
      'watched',
      watchedCodec,
      () => [...this.#watched.values()].map(({ type }) => ({ apiVersion: apiVersionOf(type), kind: type.kind })),
      (watched) => {
        for (const object of watched) this.#watch(resourceTypeOf(object), true);
      },
    );
    this.slots.field(
      'checkTimer',
      number,
      () => this.#checkTimer,
      (timer) => {
        this.#checkTimer = timer;
      },
    );
    this.slots.field(
      'deadlineTimer',
      number,
      () => this.#deadlineTimer,
      (timer) => {
        this.#deadlineTimer = timer;
      },
    );
    this.slots.onRestored(() => this.#machines.clear());
  }

  onTimer(name: string, payload: JsonValue): void {
    switch (name) {
      case delayedTimer: {
        const { run, id, event } = payload as { run: string; id: string; event: string };
        const state = this.#runs.get(run);
        if (state === undefined) return;
        state.timers.delete(id);
        return this.#send(state, { type: event });
      }
      case checkTimer:
        this.#checkTimer = 0;
        return this.#checkAll();
      case deadlineTimer:
        this.#deadlineTimer = 0;
        return this.#checkAll();
      default:
        this.#workers.onTimer(payload as string | null);
    }
  }

  #consider(run: ScenarioRun, causes: readonly Cause[]): void {
    if (this.#isToStart(run)) this.#workers.queue.add(runPrefix + run.metadata.name, causes);
  }

  #isToStart({ metadata: { name = '', uid, deletionTimestamp }, spec, status }: ScenarioRun): boolean {
    if (this.#options.leavesOwnRuns && spec.cluster !== 'Present') return false;
    return deletionTimestamp === undefined && (status?.phase ?? 'Pending') === 'Pending' && this.#runs.get(name)?.uid !== uid;
  }

  /** Starts a run, or performs the step that it is at. */
  async #advance(name: string, causes: readonly Cause[]): Promise<void> {
    const run = this.#runs.get(name);
    if (run !== undefined && run.acting !== null) return this.#act(run, run.acting);
    const known = this.#known.get(undefined, name);
    if (known !== undefined && this.#isToStart(known)) await this.#start(known, causes);
  }

  async #start({ metadata: { name = '', uid = '' }, spec }: ScenarioRun, causes: readonly Cause[]): Promise<void> {
    let scenario: Scenario;
    let machine: ScenarioMachine;
    let started: Transitioned;
    try {
      scenario = await this.#options.client.get(scenarioResource, undefined, spec.scenario);
      for (const { object } of statementsOf(scenario)) this.#watch(resourceTypeOf(object), false);
      machine = new ScenarioMachine(scenario.spec);
      started = machine.start();
    } catch (error) {
      return this.#writeStatus(name, { phase: 'Failed', message: `scenario ${spec.scenario} cannot run: ${this.#whyNot(error, name)}` }, causes);
    }
    const nowMs = this.#options.loop.nowMs();
    const state: RunState = {
      name,
      uid,
      touchesOwnOnly: spec.cluster === 'Present',
      spec: scenario.spec,
      causes,
      startedMs: nowMs,
      state: { value: '', context: {} },
      acting: null,
      steps: [],
      expectations: newExpectations(scenario.spec.expectations),
      timers: new Map(),
      phase: 'Running',
      finishedMs: 0,
      message: '',
      digest: '',
      dirty: true,
    };
    this.#runs.set(name, state);
    this.#machines.set(uid, machine);
    state.state = started.state;
    for (const effect of started.effects) this.#perform(state, effect);
    this.#afterwards(state);
  }

  #machineOf(run: RunState): ScenarioMachine {
    const known = this.#machines.get(run.uid);
    if (known !== undefined) return known;
    const machine = new ScenarioMachine(run.spec);
    this.#machines.set(run.uid, machine);
    return machine;
  }

  #send(run: RunState, event: RunEvent): void {
    if (run.phase !== 'Running') return;
    const before = run.state.value;
    const { state, effects } = this.#machineOf(run).next(run.state, event);
    run.state = state;
    if (state.value !== before) run.dirty = true;
    for (const effect of effects) this.#perform(run, effect);
    this.#afterwards(run);
  }

  #perform(run: RunState, effect: Effect): void {
    const { loop } = this.#options;
    const nowMs = loop.nowMs();
    switch (effect.type) {
      case 'begin':
        run.steps = [...run.steps, { name: run.spec.steps[effect.step]?.name ?? '', startedMs: nowMs, finishedMs: 0 }];
        return this.#checkSoon();
      case 'end': {
        const last = run.steps.at(-1);
        if (last !== undefined) last.finishedMs = nowMs;
        return;
      }
      case 'act':
        run.acting = effect.step;
        return this.#workers.queue.add(runPrefix + run.name, run.causes);
      case 'delay': {
        const payload = { run: run.name, id: effect.id, event: effect.event };
        run.timers.set(effect.id, loop.setTimer(componentName, nowMs + effect.delayMs, delayedTimer, payload));
        return;
      }
      case 'cancel':
        loop.cancelTimer(run.timers.get(effect.id) ?? 0);
        run.timers.delete(effect.id);
        return;
      case 'watch':
      case 'judge':
        return this.#checkSoon();
      case 'finish':
        return this.#finish(run);
    }
  }

  async #act(run: RunState, index: number): Promise<void> {
    const step = run.spec.steps[index];
    if (step === undefined) return;
    let outcome: RunEvent = { type: 'ACTED' };
    try {
      const client = this.#options.client.because([...run.causes, timerCause(componentName, step.name)]);
      await performStep(step, client, run.touchesOwnOnly ? run.uid : undefined);
    } catch (error) {
      outcome = { type: 'REFUSED', message: `step ${step.name}: ${this.#whyNot(error, run.name)}` };
    }
    run.acting = null;
    // It may have been deleted meanwhile.
    if (this.#runs.get(run.name) === run) this.#send(run, outcome);
  }

  /** What the user is told; what nobody refused is a crash besides. */
  #whyNot(error: unknown, run: string): string {
    if (error instanceof StatusError) return error.status.message ?? '';
    if (error instanceof UnknownKindError || error instanceof NotOursError) return error.message;
    this.#options.loop.crashed(componentName, `run ${run}`, error);
    return `it crashed: ${error instanceof Error ? error.message : String(error)}`;
  }

  #checkSoon(): void {
    const { loop } = this.#options;
    if (this.#checkTimer === 0) this.#checkTimer = loop.setTimer(componentName, loop.nowMs() + checkDelayMs, checkTimer);
  }

  #checkAll(): void {
    for (const run of this.#runs.values()) if (run.phase === 'Running') this.#check(run);
  }

  #check(run: RunState): void {
    if ([...this.#watched.values()].some((informer) => !informer.synced)) return this.#checkSoon();
    const nowMs = this.#options.loop.nowMs();
    const isJudging = run.state.value === 'judging';
    if (decideExpectations(run, nowMs, isJudging, (expectation) => this.#objectsOf(expectation))) run.dirty = true;
    if (isJudging) {
      if (run.expectations.every(({ result }) => result !== 'Pending')) return this.#send(run, judgement(run));
    } else {
      const waitFor = run.spec.steps.find(({ name }) => name === run.state.value)?.waitFor;
      if (waitFor !== undefined && checkExpectation(waitFor, this.#objectsOf(waitFor)).holds)
        return this.#send(run, { type: 'OBSERVED', held: true });
    }
    this.#afterwards(run);
  }

  #afterwards(run: RunState): void {
    if (run.dirty) this.#workers.queue.add(statusPrefix + run.name, run.causes);
    const { loop } = this.#options;
    const nowMs = loop.nowMs();
    const deadlines = [...this.#runs.values()].filter(({ phase }) => phase === 'Running').map((one) => nextDeadline(one, nowMs));
    const next = Math.min(...deadlines.map((deadline) => deadline ?? Number.POSITIVE_INFINITY));
    loop.cancelTimer(this.#deadlineTimer);
    this.#deadlineTimer = Number.isFinite(next) ? loop.setTimer(componentName, next, deadlineTimer) : 0;
  }

  #objectsOf({ object }: ScenarioExpectation): readonly KubeObject[] {
    const type = resourceTypeOf(object);
    return this.#watch(type, false).list(type.namespaced ? object.namespace : undefined);
  }

  #watch(type: ResourceType, isRestored: boolean): Informer<KubeObject> {
    const id = `${type.group}/${type.resource}`;
    let informer = this.#watched.get(id);
    if (informer === undefined) {
      const { informers } = this.#options;
      informer = isRestored && informers.restoreInformer !== undefined ? informers.restoreInformer(type) : informers.informer(type);
      this.#watched.set(id, informer);
      let isListening = !isRestored;
      informer.addHandler(() => {
        if (isListening) this.#noticed();
      });
      isListening = true;
    }
    return informer;
  }

  #noticed(): void {
    for (const run of this.#runs.values()) if (run.phase === 'Running') return this.#checkSoon();
  }

  #finish(run: RunState): void {
    const { loop } = this.#options;
    for (const timer of run.timers.values()) loop.cancelTimer(timer);
    run.finishedMs = loop.nowMs();
    run.phase = run.state.value === 'passed' ? 'Passed' : 'Failed';
    run.message = String(run.state.context['message'] ?? '');
    run.digest = this.#options.digest();
    run.dirty = true;
    this.#machines.delete(run.uid);
  }

  #forget({ metadata: { name = '', uid } }: ScenarioRun): void {
    const run = this.#runs.get(name);
    if (run === undefined || run.uid !== uid) return;
    for (const timer of run.timers.values()) this.#options.loop.cancelTimer(timer);
    this.#runs.delete(name);
    this.#machines.delete(run.uid);
  }

  /** What changes meanwhile is written next. */
  async #report(name: string): Promise<void> {
    for (let run = this.#runs.get(name); run?.dirty === true; run = this.#runs.get(name)) {
      run.dirty = false;
      try {
        await this.#writeStatus(name, statusOf(run) as unknown as JsonObject, run.causes);
      } catch (error) {
        run.dirty = true;
        throw error;
      }
    }
  }

  async #writeStatus(name: string, status: JsonObject, causes: readonly Cause[]): Promise<void> {
    try {
      await this.#options.client.because(causes).patch(scenarioRunResource, undefined, name, 'merge', { status }, { subresource: 'status' });
    } catch (error) {
      // The run was deleted meanwhile.
      if (!isNotFound(error)) throw error;
    }
  }
}

export function createScenarioRunner(options: ScenarioRunnerOptions): Component {
  return new ScenarioRunner(options);
}

/** Everything that a scenario says about the cluster. */
function statementsOf({ spec }: Scenario): readonly ScenarioExpectation[] {
  return [...spec.steps.flatMap(({ waitFor }) => (waitFor === undefined ? [] : [waitFor])), ...(spec.expectations ?? [])];
}

function judgement({ expectations }: RunState): RunEvent {
  const missed = expectations.filter(({ result }) => result === 'Missed');
  const message =
    missed.length === 0
      ? `${expectations.length} of ${expectations.length} expectations met`
      : missed.map(({ name, message: why }) => `${name}: ${why}`).join('; ');
  return { type: 'JUDGED', passed: missed.length === 0, message };
}

function apiVersionOf({ group, version }: ResourceType): string {
  return group === '' ? version : `${group}/${version}`;
}
