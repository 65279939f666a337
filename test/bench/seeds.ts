/**
 * Determinism over seeds: both shipped scenarios, each seed twice, at two speeds, each run in a process of its own; the digests must
 * be equal. One JSON line per seed: `node test/bench/seeds.ts [--seeds 20] [--first 1] [--speed 2000] [--scenarios a,b]`.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { scriptOptions } from '../../build/script-options.ts';

const root = join(import.meta.dirname, '..', '..');
const bundle = process.env['WAVETANK_BUNDLE'] ?? join(root, 'dist', 'wavetank.js');
const entry = existsSync(bundle) ? bundle : join(root, 'engine', 'host', 'entry.ts');
const { values } = scriptOptions(import.meta.filename, {
  options: {
    seeds: { type: 'string', default: '20' },
    first: { type: 'string', default: '1' },
    speed: { type: 'string', default: '2000' },
    scenarios: { type: 'string', default: 'node-power-loss,cronjob-day' },
  },
});

interface Result {
  readonly verdict: string;
  readonly digest: string;
  readonly virtualSeconds: number;
  readonly wallSeconds: number;
}

const first = Number(values.first);
let differences = 0;
for (const scenario of values.scenarios.split(',')) {
  for (let seed = first; seed < first + Number(values.seeds); seed++) {
    const runs: Result[] = [];
    for (const speed of ['max', values.speed, 'max', values.speed]) runs.push(await run(scenario, seed, speed));
    const equal = runs.every(({ digest, verdict }) => digest === runs[0]?.digest && verdict === 'passed');
    if (!equal) differences++;
    const wallSeconds = runs.map((result) => Math.round(result.wallSeconds * 100) / 100);
    console.log(
      JSON.stringify({
        bench: 'seeds',
        scenario,
        seed,
        equal,
        digest: runs[0]?.digest,
        ...(equal ? {} : { runs }),
        virtualSeconds: runs[0]?.virtualSeconds,
        wallSeconds,
      }),
    );
  }
}
console.log(JSON.stringify({ bench: 'seeds', differences }));
process.exitCode = differences === 0 ? 0 : 1;

function run(scenario: string, seed: number, speed: string): Promise<Result> {
  const child = spawn(process.execPath, [entry, 'run', scenario, '--seed', String(seed), '--speed', speed, '--output', 'json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve, reject) => {
    child.once('close', (code) => {
      const last = Buffer.concat(chunks).toString().trim().split('\n').at(-1) ?? '';
      if (last.startsWith('{')) resolve(JSON.parse(last) as Result);
      else reject(new Error(`${scenario} with seed ${seed} ended with ${code}`));
    });
  });
}
