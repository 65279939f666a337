/** `npm run swarm -- --seed N [--minutes M] [--nodes N]`: one run; the same options print the same digest. */
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { runSwarm } from './swarm-run.ts';

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, minutes: { type: 'string', default: '4' }, nodes: { type: 'string' } },
});
const options = {
  seed: Number(values.seed),
  minutes: Number(values.minutes),
  ...(values.nodes === undefined ? {} : { nodes: Number(values.nodes) }),
};
console.log(
  `swarm ${Object.entries(options)
    .map(([name, value]) => `--${name} ${value}`)
    .join(' ')}`,
);
try {
  const { digest, violations, refusals, revisions, themes } = await runSwarm(options);
  console.log(`  plays ${themes.join(', ')}`);
  for (const [text, times] of [...refusals].toSorted((a, b) => b[1] - a[1]).slice(0, 8)) console.log(`  refused ${times} times: ${text}`);
  for (const violation of violations.slice(0, 10)) console.error(`VIOLATED ${violation}`);
  console.log(`${revisions} revisions, digest ${digest}`);
  if (violations.length > 0) fail();
} catch (error) {
  console.error(error);
  fail();
}

function fail(): void {
  console.error(`failed: seed ${options.seed}, commit ${execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()}`);
  process.exitCode = 1;
}
