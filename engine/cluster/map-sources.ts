/** What the map of the cluster looks at. */
import type { Lease } from '../api/coordination/v1/types.gen.ts';
import type { Pod } from '../api/core/v1/types.gen.ts';
import { parseTime } from '../apimachinery/time.ts';
import { ClusterFollower } from '../cluster-map/follower.ts';
import { clusterMapResource } from '../cluster-map/resource.ts';
import type { ComputedResource } from '../contracts/computed-resource.ts';
import type { HistoryRecorder } from '../history/recorder.ts';
import { ownerOf } from '../history/row.ts';
import { podUsage } from '../nodes/metrics/usage.ts';
import { listPrefix } from '../registry/resource.ts';
import type { StoredValue } from '../store/store.ts';
import type { Cluster } from './cluster.ts';

const leaseNamespace = 'kube-node-lease';
const second = 1000;
/** As of pods of now. */
const messageMax = 600;

/** `cluster` is being made: it is asked when somebody asks. */
export function createClusterMap(cluster: Cluster): ComputedResource {
  const owners = new Owners(cluster.history);
  const made: { follower?: ClusterFollower } = {};
  const resource = (group: string, plural: string) => cluster.registry.table.findStored(group, plural);
  const place = (plural: string): string => {
    const found = resource('', plural);
    return found === undefined ? '' : listPrefix(found, '');
  };
  return clusterMapResource({
    get follower() {
      return (made.follower ??= new ClusterFollower(cluster.store, { pods: place('pods'), nodes: place('nodes') }, (pod) => owners.of(pod)));
    },
    recorder: cluster.history,
    nowMs: () => cluster.loop.nowMs(),
    periods: () => ({
      graceMs: cluster.settings.milliseconds('node-monitor-grace-period'),
      unreachableMs: cluster.settings.number('default-unreachable-toleration-seconds') * second,
      notReadyMs: cluster.settings.number('default-not-ready-toleration-seconds') * second,
    }),
    renewals: (node) => {
      const leases = resource('coordination.k8s.io', 'leases');
      if (leases === undefined) return () => undefined;
      const prefix = listPrefix(leases, leaseNamespace);
      if (node !== undefined) return (name) => renewedMs(cluster.store.get(prefix + name));
      // Thousands of keys are sooner gone through than put together and looked up.
      const all = new Map(cluster.store.range({ prefix }).items.map((stored) => [stored.key.slice(prefix.length), stored]));
      return (name) => renewedMs(all.get(name));
    },
    refusalAt: ({ namespace, name, uid }, atMs) => cluster.decisions.refusalAt(namespace, name, uid, atMs).slice(0, messageMax),
    usesOn: (node) => {
      const { context, workersOn } = cluster.nodes.metrics;
      const machine = context.machines.get(node);
      const workers = machine === undefined ? [] : workersOn(machine);
      return new Map(workers.map((worker) => [worker.uid, podUsage(worker, cluster.loop.nowMs(), context).milliCpu]));
    },
  });
}

function renewedMs(lease: StoredValue | undefined): number | undefined {
  return parseTime((lease?.value as Lease | undefined)?.spec?.renewTime ?? '');
}

const ownersMax = 10_000;

/** Row ids of owners by their uids: thousands of pods have the same. */
class Owners {
  readonly #byUid = new Map<string, string>();
  readonly #history: Pick<HistoryRecorder, 'resourceOf'>;

  constructor(history: Pick<HistoryRecorder, 'resourceOf'>) {
    this.#history = history;
  }

  of(pod: Pod): string {
    const uid = pod.metadata.ownerReferences?.length === 1 ? pod.metadata.ownerReferences[0]?.uid : undefined;
    if (uid === undefined) return ownerOf(pod, this.#history.resourceOf);
    let id = this.#byUid.get(uid);
    if (id !== undefined) return id;
    if (this.#byUid.size >= ownersMax) this.#byUid.clear();
    this.#byUid.set(uid, (id = ownerOf(pod, this.#history.resourceOf)));
    return id;
  }
}
