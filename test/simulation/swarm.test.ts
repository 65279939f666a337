/** A short swarm: a few seeds, all checkers. `npm run swarm -- --seed N` runs one by hand. */
import { expect, it } from 'vitest';
import { runSwarm } from './swarm-run.ts';

const minutes = 5;
const nodes = 4;

it.each([1, 2, 3, 4, 5])('seed %i breaks no rule', async (seed) => {
  expect((await runSwarm({ seed, minutes, nodes })).violations).toEqual([]);
});

it('makes the same history of the same seed', async () => {
  const first = await runSwarm({ seed: 6, minutes, nodes });
  expect((await runSwarm({ seed: 6, minutes, nodes })).digest).toBe(first.digest);
});
