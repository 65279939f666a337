/** A short swarm: a few seeds, all checkers. `npm run swarm -- --seed N` runs one by hand, `npm run mutations` says what they catch. */
import { expect, it } from 'vitest';
import { runSwarm } from './swarm-run.ts';

const minutes = 4;

it.each([1, 2, 3, 4, 5, 6])('seed %i breaks no rule', async (seed) => {
  expect((await runSwarm({ seed, minutes })).violations).toEqual([]);
});

it('makes the same history of the same seed', async () => {
  const first = await runSwarm({ seed: 7, minutes });
  expect((await runSwarm({ seed: 7, minutes })).digest).toBe(first.digest);
});
