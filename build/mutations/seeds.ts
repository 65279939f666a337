/**
 * Runs seeds of the swarm one after another until one of them breaks a rule: what a mutation is tried with. One JSON line for each seed;
 * what the engine itself throws counts as caught by the engine's own assertions.
 */
import { parseArgs } from 'node:util';
import { runSwarm } from '../../test/simulation/swarm-run.ts';

const { values } = parseArgs({
  options: {
    from: { type: 'string', default: '1' },
    through: { type: 'string', default: '20' },
    minutes: { type: 'string', default: '4' },
    all: { type: 'boolean' },
  },
});

for (let seed = Number(values.from); seed <= Number(values.through); seed++) {
  const startedMs = performance.now();
  let violations: readonly string[];
  try {
    ({ violations } = await runSwarm({ seed, minutes: Number(values.minutes), first: true }));
  } catch (error) {
    violations = [`the engine's assertions: ${textOf(error)}`];
  }
  console.log(JSON.stringify({ seed, ms: Math.round(performance.now() - startedMs), violations: violations.slice(0, 5) }));
  if (violations.length > 0 && values.all !== true) break;
}
process.exit(0);

/** The first cause says where it began. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error
    ? textOf(error.cause)
    : `${error.message} ${error.stack?.split('\n').slice(1, 4).join(' ').replaceAll(/\s+/g, ' ') ?? ''}`;
}
