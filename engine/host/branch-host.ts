/** What a branch lends its cluster of the process and of whom it can reach. */
import { randomUUID } from 'node:crypto';
import type { Cluster } from '../cluster/cluster.ts';
import type { ClusterHost } from '../cluster/cluster-host.ts';
import { settingsResource } from '../cluster/host-kinds.ts';
import { createAsk } from './asking.ts';
import { reachIssuers } from './authentication.ts';
import type { BranchOptions } from './branch.ts';
import { clockResource } from './clock-resource.ts';
import type { Keys } from './home.ts';
import { type Pacer, wallClock } from './pacing.ts';
import { processHost } from './process-host.ts';
import { processMetrics } from './process-metrics.ts';
import { createReach } from './reach.ts';
import { createAggregatedReach } from './reach-aggregated.ts';
import type { ReviewReach } from './reach-review.ts';
import type { ClusterTokens } from './tokens.ts';

type HostOptions = Pick<BranchOptions, 'log' | 'reach' | 'audit' | 'ways' | 'metrics' | 'access' | 'address'>;

const watchWindowMs = 300_000;
const lateLookMs = 5;
const lateMaxMs = 60_000;

/** Frames of a stream leave when what they show is on disk. */
export function createHost(
  keys: Keys,
  tokens: ClusterTokens,
  cluster: () => Cluster,
  pacer: () => Pacer,
  { log, reach, audit, ways, metrics, access, address }: HostOptions,
  reviews: ReviewReach,
): ClusterHost {
  const aggregated = createAggregatedReach(() => keys.frontProxy?.client);
  const outside = reach ?? reviews.before(createReach(aggregated));
  return {
    ...processHost(keys, tokens),
    processMetrics: () => processMetrics() + (ways?.metrics?.() ?? '') + (metrics?.() ?? ''),
    watchWindowMs,
    ...(address === undefined ? {} : { address }),
    newId: () => randomUUID(),
    after: (delayMs, call) => wallClock.after(delayMs, call),
    isRushing: () => pacer().speed === 'max',
    isStanding: () => pacer().speed === 'paused' && pacer().rushUntilMs === undefined,
    knownToken: (token, audiences, ask) => tokens.known(cluster(), token, audiences, ask),
    authenticators: tokens.authenticators(cluster),
    ...(ways === undefined ? {} : { anonymous: ways.anonymous }),
    ...(ways?.passwords === undefined ? {} : { passwords: ways.passwords }),
    ...(ways?.requestHeader === undefined ? {} : { requestHeader: ways.requestHeader }),
    computed: (cluster) => [clockResource(cluster, pacer), settingsResource(cluster, access)],
    until: (virtualMs, wallMostMs) => until(cluster(), pacer(), virtualMs, wallMostMs),
    ask: createAsk(ways === undefined ? outside : reachIssuers(ways, outside), wallClock),
    followStream: (stream, sink) => aggregated.follow(stream, sink),
    ...(log === undefined ? {} : { log }),
    ...(audit === undefined ? {} : { audit }),
  };
}

/** Looks now and then; a client waits a minute at most. */
async function until({ loop }: Cluster, pacer: Pacer, virtualMs: number, wallMostMs = lateMaxMs): Promise<boolean> {
  const giveUpMs = wallClock.nowMs() + wallMostMs;
  for (;;) {
    pacer.catchUp();
    if (loop.nowMs() >= virtualMs) return true;
    if (wallClock.nowMs() >= giveUpMs) return false;
    await new Promise<void>((resolve) => void wallClock.after(lateLookMs, resolve));
  }
}
