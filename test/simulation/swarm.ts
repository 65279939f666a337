/**
 * `npm run swarm -- --seed N [--minutes M] [--nodes N]`: one run; the same options print the same digest.
 * `--through N` runs all seeds up to that one, one line each, and says at the end how many broke no rule.
 */
import { execFileSync } from 'node:child_process';
import { runSwarm, type SwarmOptions } from './swarm-run.ts';
import { scriptOptions } from '../../build/script-options.ts';

const { values } = scriptOptions(import.meta.filename, {
  options: {
    seed: { type: 'string', default: '1' },
    through: { type: 'string' },
    minutes: { type: 'string', default: '4' },
    nodes: { type: 'string' },
  },
});
const options = {
  seed: Number(values.seed),
  minutes: Number(values.minutes),
  ...(values.nodes === undefined ? {} : { nodes: Number(values.nodes) }),
};
if (values.through === undefined) await runOne(options);
else await runMany(options, Number(values.through));

async function runOne(one: SwarmOptions): Promise<void> {
  console.log(
    `swarm ${Object.entries(one)
      .map(([name, value]) => `--${name} ${value}`)
      .join(' ')}`,
  );
  try {
    const { digest, violations, refusals, revisions, themes } = await runSwarm(one);
    console.log(`  plays ${themes.join(', ')}`);
    for (const [text, times] of [...refusals].toSorted((a, b) => b[1] - a[1]).slice(0, 8)) console.log(`  refused ${times} times: ${text}`);
    for (const violation of violations.slice(0, 10)) console.error(`VIOLATED ${violation}`);
    console.log(`${revisions} revisions, digest ${digest}`);
    if (violations.length > 0) fail();
  } catch (error) {
    console.error(error);
    fail();
  }
}

async function runMany(one: SwarmOptions, through: number): Promise<void> {
  let right = 0;
  for (let { seed } = one; seed <= through; seed++) {
    try {
      const { violations, revisions, themes } = await runSwarm({ ...one, seed });
      console.log(`${violations.length === 0 ? 'right' : 'WRONG'} seed ${seed}: ${themes.join(', ')}; ${revisions} revisions`);
      for (const violation of violations.slice(0, 3)) console.log(`    ${violation}`);
      if (violations.length === 0) right++;
    } catch (error) {
      console.log(`CRASH seed ${seed}:`, error);
    }
  }
  const all = through - one.seed + 1;
  console.log(`right=${right} of ${all}`);
  if (right < all) process.exitCode = 1;
}

function fail(): void {
  console.error(`failed: seed ${options.seed}, commit ${execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()}`);
  process.exitCode = 1;
}
