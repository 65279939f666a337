/**
 * Where a group of pods that wants all of them in one place may go, as in one rack (plugins/topologyaware), and which of several places
 * that take it is the best (plugins/podgrouppodscount, and the plugins that score placements).
 */
import type { PodGroup } from '../api/scheduling/v1alpha2/types.gen.ts';
import type { SchedulerCache } from './cache.ts';
import { nodeScoreMax } from './framework/plugin.ts';
import type { NodeInfo } from './framework/node-info.ts';
import type { PodInfo } from './framework/pod-info.ts';
import type { Profile } from './profile.ts';

export interface Placement {
  readonly nodes: readonly NodeInfo[];
}

/** What a placement came to: the pods that found a node in it. */
export interface Assigned {
  readonly placement: Placement;
  readonly pods: readonly PodInfo[];
}

const noPlacements = 'no feasible placements found';

/** In the order of their first nodes (upstream: any). `rejected` and `error` are told of the group. */
export function placementsOf(
  group: PodGroup | undefined,
  name: string,
  cache: SchedulerCache,
  scheduled: readonly string[],
): readonly Placement[] | { readonly rejected: string } | { readonly error: string } {
  if (group === undefined) return { error: `podgroup.scheduling.k8s.io ${JSON.stringify(name)} not found` };
  const key = group.spec.schedulingConstraints?.topology?.[0]?.key;
  if (key === undefined) return [{ nodes: cache.nodes }];
  const domains = new Set<string>();
  for (const uid of scheduled) {
    const node = cache.get(cache.nodeOf(uid) ?? '');
    const domain = node?.node.metadata.labels?.[key];
    if (domain === undefined) return fault(`no topology domain found for pod ${podText(node, uid)}`);
    domains.add(domain);
    if (domains.size > 1) return fault(`more than 1 domain found for pod group: ${[...domains].join(', ')}`);
  }
  const byDomain = new Map<string, NodeInfo[]>();
  for (const node of cache.nodes) {
    const domain = node.node.metadata.labels?.[key];
    if (domain === undefined || (domains.size > 0 && !domains.has(domain))) continue;
    const nodes = byDomain.get(domain);
    if (nodes === undefined) byDomain.set(domain, [node]);
    else nodes.push(node);
  }
  if (byDomain.size === 0) return { rejected: noPlacements };
  return [...byDomain.values()].map((nodes) => ({ nodes }));
}

function podText(node: NodeInfo | undefined, uid: string): string {
  const { namespace = '', name = '' } = node?.pods.get(uid)?.pod.metadata ?? {};
  return `${namespace}/${name}`;
}

function fault(why: string): { readonly error: string } {
  return { error: `cannot determine domain for already scheduled pods: ${why}` };
}

/** Sums of what the profile's plugins and the count of pods make of each; `scheduled`: how many of the group have a place already. */
export function scoresOf(all: readonly Assigned[], profile: Profile, scheduled: number): readonly number[] {
  const counts = all.map(({ pods }) => scheduled + pods.length);
  const most = Math.max(...counts);
  return all.map(({ placement, pods }, i) => {
    let sum = most === 0 ? 0 : Math.trunc(((counts[i] as number) * nodeScoreMax) / most);
    for (const { plugin, weight } of profile.at.score) sum += weight * (plugin.scorePlacement?.(placement.nodes, pods) ?? 0);
    return sum;
  });
}
