/** `wavetank run SCENARIO|FILE`: a cluster of its own, the scenario, its verdict as the exit code. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Scenario, ScenarioRun } from '../../api/sim/v1alpha1/scenario.ts';
import { parseScenario } from '../../scenarios/load.ts';
import { CommandError } from '../command-error.ts';
import { createHeadlessHost } from '../headless-host.ts';
import { Pacer, wallClock } from '../pacing.ts';
import { refuseExtenders, runScenarioOn, scenarioConfig } from '../scenario-run.ts';
import { type Given, isJson, text } from './given.ts';
import { controlPlaneOptions, releaseOf, speed, wholeNumber } from './options.ts';

const progressMs = 500;

export async function runScenario(nameOrFile: string, given: Given): Promise<number> {
  const json = isJson(given);
  const scenario = loadScenario(nameOrFile);
  const pace = speed(given, 'max');
  if (pace === 'paused') throw new CommandError('a scenario cannot run at --speed paused');
  const seed = wholeNumber(given, 'seed', scenario.spec.seed ?? 1, 0, Number.MAX_SAFE_INTEGER);
  const started = performance.now();
  const config = scenarioConfig(scenario, seed, controlPlaneOptions(given), releaseOf(given)?.name);
  refuseExtenders(config);
  let last = '';
  const run = await runScenarioOn(
    config,
    scenario,
    createHeadlessHost(),
    (loop, onFailure) => new Pacer({ loop, wall: wallClock, speed: pace, onFailure }),
    {
      everyMs: progressMs,
      onProgress: (status, virtualSeconds) => {
        const line = `  ${virtualSeconds.toFixed(0)} s virtual, state ${status?.state ?? 'starting'}`;
        if (!json && line !== last) process.stderr.write(`${line}\n`);
        last = line;
      },
    },
  );
  const { status } = run.object;
  const verdict = status?.phase === 'Passed' ? 'passed' : 'failed';
  const result = {
    scenario: scenario.metadata.name,
    seed,
    verdict,
    digest: status?.digest ?? run.digest,
    virtualSeconds: run.virtualSeconds,
    wallSeconds: (performance.now() - started) / 1000,
  };
  if (json) process.stdout.write(`${JSON.stringify(result)}\n`);
  else process.stdout.write(describe(run.object, result));
  return verdict === 'passed' ? 0 : 1;
}

function describe(
  { status }: ScenarioRun,
  result: { readonly verdict: string; readonly digest: string; readonly virtualSeconds: number; readonly wallSeconds: number },
): string {
  const expectations = (status?.expectations ?? []).map(
    ({ name, result: outcome, decidedAt, message }) =>
      `  ${outcome === 'Met' ? 'met   ' : 'missed'}  ${name}${decidedAt === undefined ? '' : ` at ${decidedAt}`}${message ? `: ${message}` : ''}`,
  );
  const head = `${result.verdict}${status?.message ? `: ${status.message}` : ''}`;
  return `${[...expectations, head, `  ${result.virtualSeconds.toFixed(0)} virtual seconds in ${result.wallSeconds.toFixed(1)} s; digest ${result.digest}`].join('\n')}\n`;
}

/** A file, or a shipped scenario by its name. */
export function loadScenario(nameOrFile: string): Scenario {
  const file = existsSync(nameOrFile) ? nameOrFile : listScenarios().get(nameOrFile);
  if (file === undefined)
    throw new CommandError(`no scenario ${JSON.stringify(nameOrFile)}: it is neither a file nor one of ${[...listScenarios().keys()].join(', ')}`);
  try {
    return parseScenario(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new CommandError(`${text({ file }, 'file')}: ${(error as Error).message}`);
  }
}

/** Shipped scenarios: name to file. */
export function listScenarios(): ReadonlyMap<string, string> {
  const here = dirname(fileURLToPath(import.meta.url));
  const root = [join(here, 'scenarios'), join(here, '..', '..', '..', 'scenarios')].find((folder) => existsSync(folder));
  if (root === undefined) return new Map();
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('scenario.yaml'))
    .sort();
  return new Map(files.map((file) => [file.split(/[\\/]/).at(-2) ?? file, join(root, file)]));
}
