/** Who looks for a mutation: the swarm, over seeds, or the tests that a mutation names. Both must find nothing where there is nothing. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from './bundle.ts';
import type { Mutation } from './mutation.ts';

export interface Outcome {
  readonly caught: boolean;
  readonly text: string;
}

interface SeedLine {
  readonly seed: number;
  readonly ms: number;
  readonly violations: readonly string[];
}

interface Report {
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string; readonly failureMessages: readonly string[] }[];
  }[];
}

/** Before one seed, or one run of tests, is given up as hung, which is caught as well. */
const timeoutMs = 180_000;
const textMax = 200;

export class Judges {
  readonly #root: string;
  readonly #folder: string;
  readonly #seeds: number;
  readonly #cleanSeeds = new Map<number, Promise<boolean>>();
  readonly #cleanTests = new Map<string, Promise<boolean>>();
  #plainBundle: Promise<void> | undefined;

  /** `folder` is for bundles and reports; it lies beside the sources, so that packages are found. */
  constructor(root: string, folder: string, seeds: number) {
    this.#root = root;
    this.#folder = folder;
    this.#seeds = seeds;
  }

  async judge(mutation: Mutation): Promise<Outcome> {
    const startedMs = performance.now();
    const seconds = (): string => `${((performance.now() - startedMs) / 1000).toFixed(0)} s`;
    return mutation.caughtBy === undefined ? this.#bySwarm(mutation, seconds) : this.#byTests(mutation.name, mutation.caughtBy, seconds);
  }

  async #byTests(name: string, paths: readonly string[], seconds: () => string): Promise<Outcome> {
    const found = await this.#runTests(name, paths);
    if (found === undefined) return { caught: false, text: `${paths.join(' ')}, ${seconds()}` };
    const key = paths.join(' ');
    const clean = this.#cleanTests.get(key) ?? this.#runTests('', paths).then((failure) => failure === undefined);
    this.#cleanTests.set(key, clean);
    if (!(await clean)) return { caught: false, text: `${key} fails without any mutation` };
    return { caught: true, text: `${key}, ${seconds()}, ${found.slice(0, textMax)}` };
  }

  /** What failed first. */
  async #runTests(name: string, paths: readonly string[]): Promise<string | undefined> {
    const report = join(this.#folder, `${name === '' ? 'plain' : name}-${paths.join('-').replaceAll('/', '-')}.json`);
    const vitest = join(this.#root, 'node_modules/vitest/vitest.mjs');
    const config = join(this.#root, 'build/mutations/vitest.config.ts');
    const args = [vitest, 'run', '--config', config, '--reporter=json', `--outputFile=${report}`, ...paths];
    const env = { ...process.env, WAVETANK_MUTATION: name };
    const failed = await new Promise<boolean>((resolve) => {
      execFile(process.execPath, args, { cwd: this.#root, env, timeout: timeoutMs, maxBuffer: 1 << 26 }, (error) => resolve(error !== null));
    });
    return failed ? firstFailure(report) : undefined;
  }

  async #bySwarm({ name, edits }: Mutation, seconds: () => string): Promise<Outcome> {
    const file = join(this.#folder, `${name}.mjs`);
    try {
      await bundle(this.#root, file, edits);
    } catch (error) {
      return { caught: false, text: error instanceof Error ? error.message : String(error) };
    }
    const lines = await runSeeds(file, 1, this.#seeds);
    const last = lines.at(-1);
    if (last === undefined) return { caught: true, text: `the process ended before a seed did, ${seconds()}` };
    const [violation] = last.violations;
    if (violation === undefined) return { caught: false, text: `${lines.length} seeds, ${seconds()}` };
    if (!(await this.#isClean(last.seed)))
      return { caught: false, text: `seed ${last.seed} breaks a rule without any mutation: ${violation.slice(0, textMax)}` };
    return { caught: true, text: `seed ${last.seed}, ${seconds()}, ${violation.slice(0, textMax)}` };
  }

  #isClean(seed: number): Promise<boolean> {
    const file = join(this.#folder, 'plain.mjs');
    this.#plainBundle ??= bundle(this.#root, file, []);
    const known =
      this.#cleanSeeds.get(seed) ??
      this.#plainBundle.then(async () => (await runSeeds(file, seed, seed)).every(({ violations }) => violations.length === 0));
    this.#cleanSeeds.set(seed, known);
    return known;
  }
}

function firstFailure(report: string): string {
  let results: Report['testResults'];
  try {
    ({ testResults: results } = JSON.parse(readFileSync(report, 'utf8')) as Report);
  } catch {
    return 'the tests ended without a report';
  }
  const failed = results.flatMap(({ assertionResults }) => assertionResults).find(({ status }) => status === 'failed');
  if (failed === undefined) return results.find(({ message }) => message !== '')?.message.split('\n')[0] ?? 'an error outside of tests';
  return `${failed.fullName}: ${failed.failureMessages[0]?.split('\n')[0] ?? ''}`;
}

function runSeeds(file: string, from: number, through: number): Promise<readonly SeedLine[]> {
  return new Promise((resolve) => {
    const timeout = timeoutMs * (through - from + 1);
    execFile(process.execPath, [file, '--from', String(from), '--through', String(through)], { timeout, maxBuffer: 1 << 26 }, (_error, stdout) => {
      const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
      resolve(lines.map((line) => JSON.parse(line) as SeedLine));
    });
  });
}
