/** One scenario in a cluster of its own: made from the scenario's configuration, run until there is a verdict. */
import type { Scenario, ScenarioRun, ScenarioRunStatus } from '../api/sim/v1alpha1/scenario.ts';
import type { TaskLoop } from '../base/task-loop.ts';
import { Cluster } from '../cluster/cluster.ts';
import type { ClusterHost } from '../cluster/cluster-host.ts';
import { type ClusterConfig, defaultConfig, documentedStartMs, parseStart } from '../cluster/config.ts';
import { schedulerOptions } from '../cluster/component-options.ts';
import { adminIdentity } from '../cluster/identities.ts';
import { Settings } from '../cluster/settings.ts';
import type { Door } from '../cluster/door.ts';
import { FeatureGates } from '../releases/feature-gates.ts';
import { defaultRelease, getRelease, mustGetRelease, releaseNames } from '../releases/releases.ts';
import { CommandError } from './command-error.ts';
import type { Pacer } from './pacing.ts';
import { createSimObject } from './sim-objects.ts';

export interface FinishedRun {
  readonly object: ScenarioRun;
  readonly digest: string;
  readonly virtualSeconds: number;
}

export interface Progress {
  readonly everyMs: number;
  onProgress(status: ScenarioRunStatus | undefined, virtualSeconds: number): void;
}

/** `spec.cluster` of a scenario. YAML reads `1.13` as a number. */
interface Configuration {
  readonly nodes?: number;
  readonly zones?: number;
  readonly startTime?: string;
  readonly emulate?: string | number;
  readonly options?: Readonly<Record<string, string | number | boolean>>;
}

const runName = 'run';
const runKey = `/registry/sim.wavetank.dev/scenarioruns/${runName}`;

/** A run that keeps no answers asks nobody outside: its seed would not say any more what comes of it. Throws CommandError. */
export function refuseExtenders({ release, options = {} }: ClusterConfig): void {
  const known = release === undefined ? defaultRelease : mustGetRelease(release);
  const settings = new Settings(options, known);
  const { extenders = [] } = schedulerOptions(settings, known, new FeatureGates(known.featureGates, settings.text('feature-gates')));
  const [first] = extenders;
  if (first !== undefined)
    throw new CommandError(
      `the scheduler's extender ${first.urlPrefix} is not asked in a run without a session: the same seed could come to another end. Begin a ScenarioRun in a cluster of \`wavetank up\`, which keeps its answers`,
    );
}

/** Configuration of a scenario's cluster: its own, then what the command line says. */
export function scenarioConfig(scenario: Scenario, seed: number, options: Readonly<Record<string, string>>, emulate?: string): ClusterConfig {
  const { nodes, zones, startTime, emulate: ownRelease, options: own } = (scenario.spec.cluster ?? {}) as Configuration;
  const release = emulate ?? (ownRelease === undefined ? undefined : String(ownRelease));
  if (release !== undefined && getRelease(release) === undefined)
    throw new CommandError(
      `scenario ${scenario.metadata.name}: cluster.emulate ${JSON.stringify(release)} is no release: expected ${releaseNames()}`,
    );
  const startMs = startTime === undefined ? documentedStartMs : parseStart(startTime);
  if (startMs === undefined)
    throw new CommandError(`scenario ${scenario.metadata.name}: cluster.startTime ${JSON.stringify(startTime)} is not an RFC 3339 time before 2250`);
  const texts = Object.fromEntries(Object.entries(own ?? {}).map(([name, value]) => [name, String(value)]));
  return {
    ...defaultConfig,
    name: 'scenario',
    seed,
    startMs,
    nodes: nodes ?? defaultConfig.nodes,
    zones: zones ?? defaultConfig.zones,
    options: { ...texts, ...options },
    ...(release === undefined ? undefined : { release }),
  };
}

export async function runScenarioOn(
  config: ClusterConfig,
  scenario: Scenario,
  host: ClusterHost,
  pacerOf: (loop: TaskLoop, onFailure: (error: Error) => void) => Pacer,
  progress: Progress,
): Promise<FinishedRun> {
  const cluster = new Cluster(config, host);
  await cluster.start();
  await post(cluster.door, 'scenarios', scenario);
  await post(cluster.door, 'scenarioruns', {
    apiVersion: 'sim.wavetank.dev/v1alpha1',
    kind: 'ScenarioRun',
    metadata: { name: runName },
    spec: { scenario: scenario.metadata.name ?? '' },
  });
  const read = (): ScenarioRun => cluster.store.get(runKey)?.value as unknown as ScenarioRun;
  const virtualSeconds = (): number => (cluster.loop.nowMs() - config.startMs) / 1000;
  await new Promise<void>((resolve, reject) => {
    const pacer = pacerOf(cluster.loop, reject);
    const timer = setInterval(() => progress.onProgress(read()?.status, virtualSeconds()), progress.everyMs);
    cluster.store.watch({
      key: runKey,
      onChanges: () => {
        if (!isFinished(read())) return;
        clearInterval(timer);
        cluster.loop.stop();
        void pacer.close().then(resolve, reject);
      },
    });
    pacer.start();
  });
  return { object: read(), digest: cluster.digest, virtualSeconds: virtualSeconds() };
}

function isFinished(run: ScenarioRun): boolean {
  return run.status?.phase === 'Passed' || run.status?.phase === 'Failed';
}

async function post(door: Door, resource: 'scenarios' | 'scenarioruns', object: object): Promise<void> {
  const maker = { identity: adminIdentity, fieldManager: 'wavetank' };
  const refusal = await createSimObject((request) => door.serve(request), resource, object, maker);
  if (refusal !== undefined) throw new CommandError(`the scenario was refused: ${refusal}`);
}
