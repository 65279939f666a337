/** One run of the swarm: a cluster, acts drawn from the seed, checkers beside them, then healing and rest. */
import { Random } from '../../engine/base/random.ts';
import type { KubeObject } from '../../engine/apimachinery/object.ts';
import { madeCluster, testConfig } from '../support/cluster.ts';
import { Checkers } from './checkers/checker.ts';
import { addressesAreUnique, countsAreKept, danglingOwners, nodesAreNotOverfull, podsAreBoundOnce } from './checkers/pod-checkers.ts';
import { fieldsAreManaged, revisionsRise, watchIsGapless, writesHaveCauses } from './checkers/store-checkers.ts';
import { acts, type Swarm } from './swarm-acts.ts';

export interface SwarmOptions {
  readonly seed: number;
  readonly minutes: number;
  readonly nodes: number;
}

export interface SwarmResult {
  readonly digest: string;
  readonly violations: readonly string[];
  readonly refusals: ReadonlyMap<string, number>;
  readonly revisions: number;
}

const waitMsMax = 9_000;
/** Longest of: a fault, its grace period and tolerations, back-off of pulls and crashes. */
const restMs = 15 * 60_000;

export async function runSwarm({ seed, minutes, nodes }: SwarmOptions): Promise<SwarmResult> {
  const { startMs } = testConfig();
  const made = madeCluster({ seed, nodes, startMs });
  const checkers = new Checkers(made.cluster, [
    revisionsRise(),
    watchIsGapless(),
    writesHaveCauses(),
    fieldsAreManaged(),
    podsAreBoundOnce(),
    addressesAreUnique(),
    nodesAreNotOverfull(),
    countsAreKept(),
  ]);
  await made.cluster.start();
  const chance = new Random(seed).stream('swarm');
  const swarm: Swarm = { made, below: (bound) => chance.integer(bound), refusals: new Map() };
  const endMs = made.cluster.loop.nowMs() + minutes * 60_000;
  while (made.cluster.loop.nowMs() < endMs && checkers.violations.length === 0) {
    acts[swarm.below(acts.length)]?.(swarm);
    await made.advance(swarm.below(waitMsMax));
    checkers.inspect();
  }
  await made.advance(restMs);
  await made.quiet();
  checkers.inspect();
  const all = made.cluster.store.range({ prefix: '' }).items.map(({ value }) => value as KubeObject);
  return {
    digest: made.cluster.digest,
    violations: [...checkers.violations, ...danglingOwners(all)],
    refusals: swarm.refusals,
    revisions: made.cluster.store.currentRevision(),
  };
}
