/** What the overview and the list of problems look at in a cluster. */
import type { KubeObject } from '../apimachinery/object.ts';
import { parseGroupVersion } from '../apimachinery/object.ts';
import type { WebhookHealth } from '../apiserver/admission/webhooks/health.ts';
import type { RequestLog } from '../apiserver/requests/request-log.ts';
import type { ProblemBoard } from '../problems/board.ts';
import { isCustom } from '../contracts/kind.ts';
import type { ComputedResource } from '../contracts/computed-resource.ts';
import { resourceType } from '../history/row.ts';
import { overviewResource } from '../overview/resource.ts';
import type { Tallies } from '../overview/tallies.ts';
import type { CronLedger } from '../history/cron-runs/ledger.ts';
import { cronEntries } from '../problems/cron-entries.ts';
import type { Entry } from '../problems/grouping.ts';
import { type ProblemSources, problemsResource } from '../problems/resource.ts';
import { objectKey, type Resource } from '../registry/resource.ts';
import type { Cluster } from './cluster.ts';

interface Configuration extends KubeObject {
  readonly webhooks?: readonly { readonly name: string; readonly failurePolicy?: string }[];
}

const configurations = ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations'];

/** Group and plural. */
const makersOfPods = [
  ['apps', 'deployments'],
  ['apps', 'statefulsets'],
  ['apps', 'daemonsets'],
  ['apps', 'replicasets'],
  ['', 'replicationcontrollers'],
  ['batch', 'jobs'],
  ['batch', 'cronjobs'],
] as const;

/** What observes history for them. */
interface Observers {
  readonly board: ProblemBoard;
  readonly cronRuns: CronLedger;
  readonly tallies: Tallies;
  readonly requests: Pick<RequestLog, 'perSecond' | 'arrivals'>;
  readonly webhooks: () => WebhookHealth;
}

export function overviewResources(cluster: Cluster, observers: Observers): readonly ComputedResource[] {
  const { tallies, requests } = observers;
  const sources = problemSources(cluster, observers);
  const overview = overviewResource({
    ...{ recorder: sources.recorder, tallies, requests, nowMs: sources.nowMs },
    workloads: () => makersOfPods.reduce((sum, [group, plural]) => sum + countOf(cluster, group, plural), 0),
    cronJobsLate: () => sources.late().length,
  });
  return [problemsResource(sources), overview];
}

function countOf(cluster: Cluster, group: string, plural: string): number {
  const resource = cluster.registry.table.findStored(group, plural);
  return resource === undefined ? 0 : cluster.store.count(resource.prefix);
}

function problemSources(cluster: Cluster, { board, cronRuns, webhooks }: Observers): ProblemSources {
  const find = (resource: string): Resource | undefined => {
    const dot = resource.indexOf('.');
    const [plural, group] = dot < 0 ? [resource, ''] : [resource.slice(0, dot), resource.slice(dot + 1)];
    return cluster.registry.table.findStored(group, plural);
  };
  const stored = (key: string): KubeObject | undefined => cluster.store.get(key)?.value;
  const findObject = (name: string, namespace: string | undefined, objectName: string): KubeObject | undefined => {
    const resource = find(name);
    return resource === undefined ? undefined : stored(objectKey(resource, namespace, objectName));
  };
  let late: { readonly place: string; readonly entries: readonly Entry[] } | undefined;
  return {
    ...{ board, webhooks },
    recorder: cluster.history,
    nowMs: () => cluster.loop.nowMs(),
    revision: () => cluster.store.currentRevision(),
    graceMs: () => cluster.settings.milliseconds('node-monitor-grace-period'),
    stored,
    nodes: () => cluster.stored('minions'),
    find: findObject,
    // The overview and the list of problems are read together.
    late: () => {
      const nowMs = cluster.loop.nowMs();
      const place = `${cluster.store.currentRevision()} ${nowMs}`;
      if (late?.place !== place) late = { place, entries: cronEntries(cronRuns, nowMs, (...named) => findObject('cronjobs.batch', ...named)) };
      return late.entries;
    },
    resourceOf: (apiVersion, kind) => {
      const { group, version } = parseGroupVersion(apiVersion) ?? { group: '', version: apiVersion };
      const plural = cluster.registry.table.findKind(group, version, kind)?.kind.plural;
      return plural === undefined ? undefined : resourceType({ group, resource: plural });
    },
    kindOf: (name) => {
      const resource = find(name);
      return resource === undefined ? undefined : { apiVersion: resource.apiVersion, kind: resource.kind.kind, isCustom: isCustom(resource.kind) };
    },
    webhook: (name) => {
      for (const plural of configurations) {
        const one = cluster.stored(plural).find((object) => (object as Configuration).webhooks?.some((hook) => hook.name === name));
        const hook = (one as Configuration | undefined)?.webhooks?.find((candidate) => candidate.name === name);
        if (one !== undefined && hook !== undefined)
          return {
            row: `${plural}.admissionregistration.k8s.io/${one.metadata.name ?? ''}`,
            object: one,
            isIgnored: hook.failurePolicy === 'Ignore',
          };
      }
      return undefined;
    },
  };
}
