/**
 * `npm run mutations`: applies one small wrong after another to the engine and lets the swarm look for it. Prints which checker caught it,
 * at which seed and how fast; the last line says `caught=N of M`. `--only NAME`, `--seeds N`, `--jobs N`; `--list` names them all,
 * `--check` says whether each still fits the source.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundle, edited } from './bundle.ts';
import { mutations } from './list.ts';
import type { Mutation } from './mutation.ts';

const root = join(import.meta.dirname, '../..');
const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    seeds: { type: 'string', default: '20' },
    jobs: { type: 'string', default: String(Math.min(2, availableParallelism())) },
    list: { type: 'boolean' },
    check: { type: 'boolean' },
  },
});
/** Before one seed is given up as hung, which is caught as well. */
const seedTimeoutMs = 180_000;

interface SeedLine {
  readonly seed: number;
  readonly ms: number;
  readonly violations: readonly string[];
}

interface Outcome {
  readonly caught: boolean;
  readonly text: string;
}

const chosen = mutations.filter(({ name }) => values.only === undefined || values.only.includes(name));
if (chosen.length === 0) throw new Error(`no mutation is called ${values.only?.join(', ')}; --list names them all`);

function list(): void {
  let unfit = 0;
  for (const { name, breaks, edits } of chosen) {
    let state = '';
    try {
      edited(root, edits);
    } catch (error) {
      unfit++;
      state = `  DOES NOT FIT: ${error instanceof Error ? error.message : String(error)}`;
    }
    console.log(`${name}: ${breaks}${state}`);
  }
  console.log(`${chosen.length - unfit} of ${chosen.length} fit the source`);
  if (unfit > 0) process.exitCode = 1;
}

async function run(): Promise<void> {
  // Beside the sources, so that packages are found.
  const folder = mkdtempSync(join(root, 'node_modules', '.mutations-'));
  const waiting = [...chosen];
  let caught = 0;
  const work = async (): Promise<void> => {
    for (let mutation = waiting.shift(); mutation !== undefined; mutation = waiting.shift()) {
      const outcome = await attempt(mutation, folder);
      if (outcome.caught) caught++;
      console.log(`${outcome.caught ? 'caught  ' : 'SURVIVED'} ${mutation.name}: ${outcome.text}`);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.max(1, Number(values.jobs)) }, work));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`caught=${caught} of ${chosen.length}`);
  if (caught < chosen.length) process.exitCode = 1;
}

async function attempt({ name, edits }: Mutation, folder: string): Promise<Outcome> {
  const file = join(folder, `${name}.mjs`);
  try {
    await bundle(root, file, edits);
  } catch (error) {
    return { caught: false, text: error instanceof Error ? error.message : String(error) };
  }
  const startedMs = performance.now();
  const lines = await runSeeds(file);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
  const last = lines.at(-1);
  if (last === undefined) return { caught: true, text: `the process ended before a seed did, ${seconds} s` };
  const [violation] = last.violations;
  if (violation === undefined) return { caught: false, text: `${lines.length} seeds, ${seconds} s` };
  if (!(await isClean(last.seed, folder)))
    return { caught: false, text: `seed ${last.seed} breaks a rule without any mutation: ${violation.slice(0, 200)}` };
  return { caught: true, text: `seed ${last.seed}, ${seconds} s, ${violation.slice(0, 200)}` };
}

const clean = new Map<number, Promise<boolean>>();
let plainBundle: Promise<void> | undefined;

/** A seed that catches something must catch nothing where there is nothing. */
function isClean(seed: number, folder: string): Promise<boolean> {
  const file = join(folder, 'plain.mjs');
  plainBundle ??= bundle(root, file, []);
  const known =
    clean.get(seed) ?? plainBundle.then(async () => (await runSeeds(file, seed, seed)).every(({ violations }) => violations.length === 0));
  clean.set(seed, known);
  return known;
}

function runSeeds(file: string, from = 1, through = Number(values.seeds)): Promise<readonly SeedLine[]> {
  return new Promise((resolve) => {
    const timeout = seedTimeoutMs * (through - from + 1);
    execFile(process.execPath, [file, '--from', String(from), '--through', String(through)], { timeout, maxBuffer: 1 << 26 }, (_error, stdout) => {
      const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
      resolve(lines.map((line) => JSON.parse(line) as SeedLine));
    });
  });
}

if (values.list === true || values.check === true) list();
else await run();
