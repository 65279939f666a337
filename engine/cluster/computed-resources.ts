/** What a cluster answers without storing it, and who looks whether it has changed. */
import type { RequestLog } from '../apiserver/requests/request-log.ts';
import { parseTime } from '../apimachinery/time.ts';
import type { ComputedResource } from '../contracts/computed-resource.ts';
import type { CronLedger } from '../history/cron-runs/ledger.ts';
import type { NodeVerdicts } from '../history/node-verdicts.ts';
import { createHistoryResources } from '../history/virtual-kinds.ts';
import { withDrivenMetrics } from '../kwok/driven/connections.ts';
import type { DrivenSources } from '../kwok/driven/world.ts';
import { createMetricsResources } from '../nodes/metrics/metrics-api.ts';
import type { Nodes } from '../nodes/kubelets.ts';
import type { Tallies } from '../overview/tallies.ts';
import type { ProblemBoard } from '../problems/board.ts';
import { requestResources } from './api-requests.ts';
import { changeSources } from './change-sources.ts';
import type { Cluster } from './cluster.ts';
import type { ClusterHost } from './cluster-host.ts';
import { componentStatusesResource } from './component-statuses.ts';
import type { ControlPlane } from './control-plane.ts';
import { faultTypesResource } from './fault-types.ts';
import { Lookout } from './lookout.ts';
import { createClusterMap } from './map-sources.ts';
import { overviewResources } from './overview-sources.ts';

/** Of which nobody tells changes. */
const lookedAt: ReadonlySet<string> = new Set(['problems', 'overviews', 'cronjobruns']);
/** And those that requests of clients change. */
const ofRequests: ReadonlySet<string> = new Set(['apirequests', 'apiclients']);

export interface ComputedSources {
  readonly host: ClusterHost;
  readonly driven: DrivenSources;
  readonly problems: ProblemBoard;
  readonly cronRuns: CronLedger;
  readonly verdicts: NodeVerdicts;
  readonly tallies: Tallies;
  readonly requests: RequestLog;
  readonly metrics: Nodes['metrics'];
  readonly webhooks: () => ControlPlane['webhooks'];
}

/** `cluster` is being made: it is asked when somebody asks. What the host computes takes the place of what the cluster would. */
export function computedResources(cluster: Cluster, sources: ComputedSources): readonly ComputedResource[] {
  const { host, driven, problems, cronRuns, verdicts, tallies, requests, metrics, webhooks } = sources;
  const ofHost = host.computed?.(cluster) ?? [];
  const lookout = createLookout(cluster, sources);
  const own = [
    ...createHistoryResources({
      ...changeSources(cluster, requests),
      ...{ decisions: cluster.decisions, verdicts, crashes: cluster.crashes, cronRuns },
      nodeCreatedMs: (name) => parseTime(cluster.store.get(`/registry/minions/${name}`)?.value.metadata.creationTimestamp ?? ''),
    }),
    ...overviewResources(cluster, { board: problems, cronRuns, tallies, requests, webhooks }),
    ...requestResources(requests),
    createClusterMap(cluster),
    faultTypesResource(() => cluster.settings),
    componentStatusesResource(
      () => ({ controllers: cluster.settings.list('controllers').length > 0, scheduler: cluster.settings.boolean('scheduler') }),
      !cluster.release.ratchets.FoundComponents,
    ),
    ...withDrivenMetrics(driven, createMetricsResources(metrics)),
  ];
  const all = [...own.filter(({ kind }) => !ofHost.some((other) => other.kind === kind)), ...ofHost];
  return all.map((one) => {
    if (lookout !== undefined && lookedAt.has(one.kind.plural)) return lookout.over(one);
    return lookout !== undefined && ofRequests.has(one.kind.plural) ? lookout.over(one, () => String(requests.version)) : one;
  });
}

/** Where nobody lends wall time, nobody waits for what it brings. */
function createLookout(cluster: Cluster, { host, webhooks }: ComputedSources): Lookout | undefined {
  const { after } = host;
  if (after === undefined) return undefined;
  return new Lookout({
    after,
    wallMs: () => host.wallMs(),
    isQuiet: () => cluster.loop.quiet,
    isRushing: () => host.isRushing?.() === true,
    isStanding: () => host.isStanding?.() === true,
    nowMs: () => cluster.loop.nowMs(),
    place: () => `${cluster.store.currentRevision()} ${cluster.loop.nowMs()} ${webhooks().version}`,
  });
}
