/** A host without endpoint and pacing: for runs and replays at full speed. */
import type { Cluster } from '../cluster/cluster.ts';
import type { ClusterHost } from '../cluster/cluster-host.ts';
import { settingsResource } from '../cluster/host-kinds.ts';
import { loadKeys } from './home.ts';
import { processHost } from './process-host.ts';
import { createClusterTokens } from './tokens.ts';

export function createHeadlessHost(): ClusterHost {
  const keys = loadKeys();
  return { ...processHost(keys, createClusterTokens(keys, '')), computed: (cluster: Cluster) => [settingsResource(cluster)] };
}
