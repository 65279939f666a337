/** Law 9 under a swarm: restored in the middle of faults, retries and deletions, the cluster goes on with the same history. */
import { expect, it } from 'vitest';
import { Random } from '../../engine/base/random.ts';
import { madeCluster } from '../support/cluster.ts';
import { acts, type Swarm } from './swarm-acts.ts';

const actCount = 40;

it.each([41, 42, 43, 44])('seed %i', async (seed) => {
  const made = madeCluster({ seed });
  await made.cluster.start();
  const chance = new Random(seed).stream('swarm');
  const swarm: Swarm = { made, below: (bound) => chance.integer(bound), refusals: new Map() };
  for (let i = 0; i < actCount; i++) {
    acts[swarm.below(acts.length)]?.(swarm);
    await made.advance(swarm.below(5_000));
  }
  await made.quiet();
  const restored = madeCluster({ seed });
  restored.cluster.restore(JSON.parse(JSON.stringify(made.cluster.save())));
  const untilMs = made.cluster.loop.nowMs() + 600_000;
  await made.cluster.loop.run(untilMs);
  await restored.cluster.loop.run(untilMs);
  expect(restored.cluster.digest).toBe(made.cluster.digest);
});
