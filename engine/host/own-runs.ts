/**
 * Scenario runs in clusters of their own. A ScenarioRun of the cluster that people look at starts a further branch of the endpoint, made
 * from the scenario's configuration; its status is told back as inputs of the first, so that a replay of the first needs no second.
 */
import { keepAnnotation, type Scenario, type ScenarioRun, type ScenarioRunStatus } from '../api/sim/v1alpha1/scenario.ts';
import { scenariosIdentity } from '../cluster/identities.ts';
import type { Watcher } from '../store/store.ts';
import type { Ways } from './authentication.ts';
import { Branch } from './branch.ts';
import type { Endpoint } from './endpoint.ts';
import type { Keys } from './home.ts';
import { scenarioConfig } from './scenario-run.ts';
import { createSimObject } from './sim-objects.ts';

export interface OwnRunsOptions {
  readonly endpoint: Endpoint;
  /** Whose ScenarioRuns are run. */
  readonly branch: Branch;
  readonly keys: Keys;
  /** The same as the user's cluster: they stand behind one endpoint. */
  readonly ways?: Ways;
}

interface Run {
  readonly name: string;
  readonly uid: string;
  branch: Branch | undefined;
  timer: NodeJS.Timeout | undefined;
  told: string;
  isOver: boolean;
}

const runsPrefix = '/registry/sim.wavetank.dev/scenarioruns/';
const scenariosPrefix = '/registry/sim.wavetank.dev/scenarios/';
const innerRun = 'run';
const maker = { identity: scenariosIdentity, fieldManager: 'wavetank', userAgent: 'wavetank-scenario' };
const tellEveryMs = 250;
/** Clusters of runs that have ended and can still be looked at: the newest, and before others those that somebody keeps. */
const keptMax = 3;
/** Runs at one time; those that come later wait. */
const runningMax = 4;
/** Of the process's heap: all runs that stand at one time and the user's own cluster, which has half, fit into it together. */
const memoryShare = 1 / 16;

export class OwnRuns {
  readonly #options: OwnRunsOptions;
  readonly #runs = new Map<string, Run>();
  readonly #watcher: Watcher;
  readonly #running = new Set<Run>();
  readonly #waiting: (() => void)[] = [];
  #isClosed = false;

  /** Runs what has not ended too: a run that a crash of the process broke off starts again. */
  constructor(options: OwnRunsOptions) {
    this.#options = options;
    const { store } = options.branch.cluster;
    for (const { value } of store.range({ prefix: runsPrefix }).items) {
      this.#consider(value as ScenarioRun);
      this.#forgetBranch(value as ScenarioRun);
    }
    this.#watcher = store.watch({
      prefix: runsPrefix,
      onChanges: (changes) => {
        for (const { current, previous } of changes) {
          if (current !== undefined) this.#consider(current.value as ScenarioRun);
          else this.#forget(previous?.value.metadata.uid ?? '');
        }
      },
    });
  }

  /** Ends what runs; the branches stay the endpoint's to close. */
  close(): void {
    this.#isClosed = true;
    this.#watcher.cancel();
    for (const run of this.#runs.values()) clearInterval(run.timer);
  }

  #consider({ metadata: { name = '', uid = '' }, spec, status }: ScenarioRun): void {
    if (spec.cluster === 'Present' || isFinished(status) || this.#runs.has(uid)) return;
    const run: Run = { name, uid, branch: undefined, timer: undefined, told: '', isOver: false };
    this.#runs.set(uid, run);
    // Not inside the write that made it: the run's own cluster starts beside the tasks of this one.
    setImmediate(() => this.#enter(run, spec.scenario));
  }

  /** Clusters of runs that have ended are of the process that ran them. */
  #forgetBranch({ metadata: { name = '', uid = '' }, status }: ScenarioRun): void {
    if (status?.branch === undefined || !isFinished(status)) return;
    const run: Run = { name, uid, branch: undefined, timer: undefined, told: '', isOver: true };
    setImmediate(() => this.#tell(run, { branch: null }));
  }

  /** At once, or when one of those that run has ended. */
  #enter(run: Run, scenarioName: string): void {
    if (this.#isClosed || run.isOver) return;
    if (this.#running.size >= runningMax) {
      this.#waiting.push(() => this.#enter(run, scenarioName));
      return;
    }
    this.#running.add(run);
    void this.#start(run, scenarioName).catch((error: unknown) => this.#fail(run, error));
  }

  #leave(run: Run): void {
    run.isOver = true;
    clearInterval(run.timer);
    if (!this.#running.delete(run)) return;
    while (this.#running.size < runningMax && this.#waiting.length > 0) this.#waiting.shift()?.();
  }

  async #start(run: Run, scenarioName: string): Promise<void> {
    const { branch: outer, endpoint, keys, ways } = this.#options;
    const scenario = outer.cluster.store.get(`${scenariosPrefix}${scenarioName}`)?.value as Scenario | undefined;
    if (scenario === undefined) {
      this.#tell(run, { phase: 'Failed', message: `there is no scenario ${scenarioName}` });
      return this.#leave(run);
    }
    const config = scenarioConfig(scenario, scenario.spec.seed ?? 1, {});
    const branch = await Branch.start({
      config,
      keys,
      speed: 'max',
      memoryShare,
      ...(ways && { ways }),
      onFailure: (error) => this.#fail(run, error),
    });
    if (this.#isClosed || run.isOver) return branch.close();
    run.branch = branch;
    endpoint.addBranch(branchName(run), branch);
    await post(branch, 'scenarios', { ...scenario, metadata: { name: scenarioName } });
    await post(branch, 'scenarioruns', {
      apiVersion: 'sim.wavetank.dev/v1alpha1',
      kind: 'ScenarioRun',
      metadata: { name: innerRun },
      spec: { scenario: scenarioName },
    });
    // It may have been deleted while a webhook was asked.
    if (this.#isClosed || run.isOver) return;
    run.timer = setInterval(() => this.#look(run), tellEveryMs);
    branch.cluster.store.watch({
      key: `${runsPrefix}${innerRun}`,
      onChanges: () => {
        if (isFinished(readInner(branch))) branch.cluster.loop.stop();
        if (isFinished(readInner(branch))) setImmediate(() => this.#look(run));
      },
    });
    branch.run();
  }

  #look(run: Run): void {
    if (run.branch === undefined || run.isOver || this.#isClosed) return;
    const status = readInner(run.branch) ?? { phase: 'Running' };
    this.#tell(run, { ...status, branch: `/branches/${branchName(run)}` });
    if (isFinished(status)) this.#end(run);
  }

  /** What ended stands still and can be looked at until its ScenarioRun goes, or newer runs have ended. */
  #end(run: Run): void {
    this.#leave(run);
    run.branch?.pacer.setSpeed('paused');
    const ended = [...this.#runs.values()].filter((one) => one.isOver && one.branch !== undefined && one !== run);
    const byWorth = [...ended.filter((one) => !this.#isKept(one)), ...ended.filter((one) => this.#isKept(one))];
    for (const old of byWorth.slice(0, Math.max(0, ended.length + 1 - keptMax))) {
      this.#drop(old);
      if (old.branch === undefined) this.#tell(old, { branch: null });
    }
  }

  #isKept({ name }: Run): boolean {
    const { store } = this.#options.branch.cluster;
    return store.get(`${runsPrefix}${name}`)?.value.metadata.annotations?.[keepAnnotation] === 'true';
  }

  #fail(run: Run, error: unknown): void {
    if (run.isOver) return;
    this.#leave(run);
    this.#tell(run, { phase: 'Failed', message: `the run's cluster stopped: ${error instanceof Error ? error.message : String(error)}` });
  }

  #forget(uid: string): void {
    const run = this.#runs.get(uid);
    if (run === undefined) return;
    this.#leave(run);
    this.#runs.delete(uid);
    setImmediate(() => this.#drop(run));
  }

  #drop(run: Run): void {
    const { branch } = run;
    const { endpoint } = this.#options;
    const name = branchName(run);
    if (branch === undefined || this.#isClosed || endpoint.shownName === name || endpoint.branch(name) !== branch) return;
    run.branch = undefined;
    endpoint.removeBranch(name);
    void branch.close();
  }

  /** `branch: null`: there is none any more. */
  #tell(run: Run, status: ScenarioRunStatus | { readonly branch: null }): void {
    const text = JSON.stringify({ status });
    if (text === run.told || this.#isClosed) return;
    run.told = text;
    const path = `/apis/sim.wavetank.dev/v1alpha1/scenarioruns/${encodeURIComponent(run.name)}/status`;
    // A webhook of the user's may be asked; the answer is nobody's concern here.
    void this.#options.branch.handle({
      method: 'PATCH',
      path,
      query: 'fieldManager=wavetank-scenario',
      headers: { 'content-type': 'application/merge-patch+json', accept: 'application/json', 'user-agent': 'wavetank-scenario' },
      body: new TextEncoder().encode(text),
      identity: scenariosIdentity,
    });
  }
}

function branchName({ name, uid }: Run): string {
  return `run-${name}-${uid.slice(0, 8)}`;
}

function readInner(branch: Branch): ScenarioRunStatus | undefined {
  return (branch.cluster.store.get(`${runsPrefix}${innerRun}`)?.value as ScenarioRun | undefined)?.status;
}

function isFinished(status: ScenarioRunStatus | undefined): boolean {
  return status?.phase === 'Passed' || status?.phase === 'Failed';
}

async function post(branch: Branch, resource: 'scenarios' | 'scenarioruns', object: object): Promise<void> {
  const refusal = await createSimObject((request) => branch.handle(request), resource, object, maker);
  if (refusal !== undefined) throw new Error(`${resource} was refused: ${refusal}`);
}
