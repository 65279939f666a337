/**
 * Runs scenarios: a ScenarioRun object starts one, its status tells how it goes. Steps are driven by the scenario's machine;
 * expectations are looked at when something they speak of changes, and at their deadlines. A component of the loop.
 */
import type { Scenario, ScenarioExpectation, ScenarioRun } from '../api/sim/v1alpha1/scenario.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import { StatusError } from '../apimachinery/status.ts';
import { type Cause, timerCause } from '../base/causes.ts';
import type { Component, TaskLoop } from '../base/task-loop.ts';
import type { Client, ResourceType } from '../client/client.ts';
import type { Informer, InformerFactory } from '../client/informer.ts';
import { resourceType } from '../client/resources.ts';
import { NotOursError, performStep } from './actions.ts';
import { checkExpectation } from './check.ts';
import { decideExpectations, newExpectations, nextDeadline } from './expectations.ts';
import { type Effect, type RunEvent, ScenarioMachine } from './machine.ts';
import { resourceTypeOf, UnknownKindError } from './resource-types.ts';
import { copyRun, type RunState, statusOf } from './run-state.ts';

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

export const scenarioResource = resourceType<Scenario>('sim.wavetank.dev', 'v1alpha1', 'scenarios', 'Scenario', false);
export const scenarioRunResource = resourceType<ScenarioRun>('sim.wavetank.dev', 'v1alpha1', 'scenarioruns', 'ScenarioRun', false);

const componentName = 'scenarios';
const delayedTimer = 'delayed';
const checkTimer = 'check';
const deadlineTimer = 'deadline';
const statusTimer = 'status';
/** Changes that come close together are looked at together. */
const checkDelayMs = 5;
const retryMs = 1000;

class ScenarioRunner implements Component {
  readonly name = componentName;
  readonly #options: ScenarioRunnerOptions;
  readonly #runs = new Map<string, RunState>();
  readonly #machines = new Map<string, ScenarioMachine>();
  readonly #watched = new Map<string, Informer<KubeObject>>();
  readonly #starting = new Set<string>();
  readonly #writing = new Set<string>();
  #checkTimer = 0;
  #deadlineTimer = 0;

  constructor(options: ScenarioRunnerOptions) {
    this.#options = options;
    options.informers.informer(scenarioRunResource).addHandler(({ type, object, causes }) => {
      if (type === 'delete') this.#forget(object);
      else this.#consider(object, causes);
    });
  }

  onTimer(name: string, payload: JsonValue): void {
    switch (name) {
      case delayedTimer: {
        const { run, id, event } = payload as { run: string; id: string; event: string };
        const state = this.#runs.get(run);
        if (state === undefined) return;
        delete state.timers[id];
        return this.#send(state, { type: event });
      }
      case checkTimer:
        this.#checkTimer = 0;
        return this.#checkAll();
      case deadlineTimer:
        this.#deadlineTimer = 0;
        return this.#checkAll();
      default: {
        const state = this.#runs.get(payload as string);
        if (state !== undefined) this.#report(state);
      }
    }
  }

  save(): JsonValue {
    const watched = [...this.#watched.values()].map(({ type }) => ({ apiVersion: apiVersionOf(type), kind: type.kind }));
    return {
      runs: [...this.#runs.values()].map(copyRun),
      watched,
      checkTimer: this.#checkTimer,
      deadlineTimer: this.#deadlineTimer,
    } as unknown as JsonValue;
  }

  restore(value: JsonValue): void {
    const saved = value as unknown as {
      runs: readonly RunState[];
      watched: readonly { apiVersion: string; kind: string }[];
      checkTimer: number;
      deadlineTimer: number;
    };
    this.#runs.clear();
    this.#machines.clear();
    for (const run of saved.runs) this.#runs.set(run.name, copyRun(run));
    for (const object of saved.watched) this.#watch(resourceTypeOf(object), true);
    this.#checkTimer = saved.checkTimer;
    this.#deadlineTimer = saved.deadlineTimer;
  }

  #consider(run: ScenarioRun, causes: readonly Cause[]): void {
    const { name = '', uid = '', deletionTimestamp } = run.metadata;
    const phase = run.status?.phase;
    if (
      (this.#options.leavesOwnRuns && run.spec.cluster !== 'Present') ||
      deletionTimestamp !== undefined ||
      (phase !== undefined && phase !== 'Pending') ||
      this.#runs.get(name)?.uid === uid ||
      this.#starting.has(uid)
    )
      return;
    this.#starting.add(uid);
    this.#options.loop.track(
      this.#start(run, causes).finally(() => this.#starting.delete(uid)),
      componentName,
      `start of run ${name}`,
    );
  }

  async #start({ metadata: { name = '', uid = '' }, spec }: ScenarioRun, causes: readonly Cause[]): Promise<void> {
    let scenario: Scenario;
    try {
      scenario = await this.#options.client.get(scenarioResource, undefined, spec.scenario);
      for (const { object } of statementsOf(scenario)) this.#watch(resourceTypeOf(object), false);
    } catch (error) {
      if (!(error instanceof StatusError) && !(error instanceof UnknownKindError)) throw error;
      const why = error instanceof StatusError ? (error.status.message ?? '') : error.message;
      return this.#writeStatus(name, { phase: 'Failed', message: `scenario ${spec.scenario} cannot run: ${why}` }, causes);
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
      steps: [],
      expectations: newExpectations(scenario.spec.expectations),
      timers: {},
      phase: 'Running',
      finishedMs: 0,
      message: '',
      digest: '',
      dirty: true,
    };
    this.#runs.set(name, state);
    const { state: first, effects } = this.#machineOf(state).start();
    state.state = first;
    for (const effect of effects) this.#perform(state, effect);
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
        run.steps.push({ name: run.spec.steps[effect.step]?.name ?? '', startedMs: nowMs, finishedMs: 0 });
        return this.#checkSoon();
      case 'end': {
        const last = run.steps.at(-1);
        if (last !== undefined) last.finishedMs = nowMs;
        return;
      }
      case 'act':
        return loop.track(this.#act(run, effect.step), componentName, `step ${run.spec.steps[effect.step]?.name ?? ''} of run ${run.name}`);
      case 'delay':
        run.timers[effect.id] = loop.setTimer(componentName, nowMs + effect.delayMs, delayedTimer, {
          run: run.name,
          id: effect.id,
          event: effect.event,
        });
        return;
      case 'cancel':
        loop.cancelTimer(run.timers[effect.id] ?? 0);
        delete run.timers[effect.id];
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
    try {
      const client = this.#options.client.because([...run.causes, timerCause(componentName, step.name)]);
      await performStep(step, client, run.touchesOwnOnly ? run.uid : undefined);
      this.#send(run, { type: 'ACTED' });
    } catch (error) {
      if (!(error instanceof StatusError) && !(error instanceof UnknownKindError) && !(error instanceof NotOursError)) throw error;
      const why = error instanceof StatusError ? (error.status.message ?? '') : error.message;
      this.#send(run, { type: 'REFUSED', message: `step ${step.name}: ${why}` });
    }
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
    if (run.dirty) this.#report(run);
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
    for (const timer of Object.values(run.timers)) loop.cancelTimer(timer);
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
    for (const timer of Object.values(run.timers)) this.#options.loop.cancelTimer(timer);
    this.#runs.delete(name);
    this.#machines.delete(run.uid);
  }

  /** One writer per run; what changes meanwhile is written next. */
  #report(run: RunState): void {
    if (this.#writing.has(run.uid)) return;
    this.#writing.add(run.uid);
    this.#options.loop.track(
      this.#reportAll(run).finally(() => this.#writing.delete(run.uid)),
      componentName,
      `status of run ${run.name}`,
    );
  }

  async #reportAll(run: RunState): Promise<void> {
    while (run.dirty && this.#runs.get(run.name) === run) {
      run.dirty = false;
      await this.#writeStatus(run.name, statusOf(run) as unknown as JsonObject, run.causes);
    }
  }

  async #writeStatus(name: string, status: JsonObject, causes: readonly Cause[]): Promise<void> {
    const { client, loop } = this.#options;
    try {
      await client.because(causes).patch(scenarioRunResource, undefined, name, 'merge', { status }, { subresource: 'status' });
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      if (error.status.code === 404) return;
      const run = this.#runs.get(name);
      if (run === undefined) return;
      loop.setTimer(componentName, loop.nowMs() + retryMs, statusTimer, name);
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
