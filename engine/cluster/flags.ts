/**
 * The options of the simulated control plane under their upstream flag names: one table for the command line, scenario files, the
 * library and `kubectl get --raw …/settings/cluster`. Defaults are those of release 1.36; profile 1.13 differs where the seeds do.
 * Options of upstream's daemons that have nothing to act on in a simulation (certificate files, profiling, log flags) are not here;
 * docs/differences.md lists them.
 */
export type FlagType = 'duration' | 'integer' | 'number' | 'boolean' | 'string' | 'list' | 'map';

export interface Flag {
  readonly name: string;
  readonly type: FlagType;
  /** As a user would write it on the command line. */
  readonly default: string;
  readonly component: 'controller-manager' | 'scheduler' | 'apiserver' | 'kubelet';
  readonly help: string;
  readonly min?: number;
}

function flag(component: Flag['component'], name: string, type: FlagType, standard: string, help: string, min?: number): Flag {
  return { component, name, type, default: standard, help, ...(min === undefined ? {} : { min }) };
}

const controllerManager = (name: string, type: FlagType, standard: string, help: string, min?: number): Flag =>
  flag('controller-manager', name, type, standard, help, min);

export const flags: readonly Flag[] = [
  controllerManager('controllers', 'list', '*', "Controllers to run: '*' for all on by default, 'name' or '-name'"),
  controllerManager('concurrent-cron-job-syncs', 'integer', '5', 'CronJobs synced at the same time', 1),
  controllerManager('concurrent-deployment-syncs', 'integer', '5', 'Deployments synced at the same time', 1),
  controllerManager('concurrent-endpoint-syncs', 'integer', '5', 'Endpoints synced at the same time', 1),
  controllerManager('concurrent-gc-syncs', 'integer', '20', 'Garbage collector workers', 1),
  controllerManager('concurrent-job-syncs', 'integer', '5', 'Jobs synced at the same time', 1),
  controllerManager('concurrent-namespace-syncs', 'integer', '10', 'Namespaces synced at the same time', 1),
  controllerManager('concurrent-replicaset-syncs', 'integer', '5', 'ReplicaSets synced at the same time', 1),
  controllerManager('concurrent-service-endpoint-syncs', 'integer', '5', 'Services whose endpoint slices are synced at the same time', 1),
  controllerManager('concurrent-serviceaccount-syncs', 'integer', '1', 'Namespaces whose service accounts are synced at the same time', 1),
  controllerManager('concurrent-ttl-after-finished-syncs', 'integer', '5', 'Finished jobs looked at at the same time', 1),
  controllerManager('enable-garbage-collector', 'boolean', 'true', 'Delete dependents of deleted owners'),
  controllerManager('enable-taint-manager', 'boolean', 'true', 'Evict pods that do not tolerate NoExecute taints'),
  controllerManager('kube-api-qps', 'number', '20', "Requests a second of each controller's client; 0 does not limit", 0),
  controllerManager('kube-api-burst', 'integer', '30', "Burst of each controller's client", 0),
  controllerManager('large-cluster-size-threshold', 'integer', '50', 'Nodes above which a zone is large', 0),
  controllerManager('max-endpoints-per-slice', 'integer', '100', 'Endpoints in one EndpointSlice', 1),
  controllerManager('min-resync-period', 'duration', '12h0m0s', 'Shortest resync of informers'),
  controllerManager('namespace-sync-period', 'duration', '5m0s', 'Resync of namespaces'),
  controllerManager('node-eviction-rate', 'number', '0.1', 'Nodes a second whose pods are evicted while the zone is healthy', 0),
  controllerManager('node-monitor-grace-period', 'duration', '50s', 'Silence after which a node counts as unhealthy'),
  controllerManager('node-monitor-period', 'duration', '5s', 'How often node health is looked at'),
  controllerManager('node-startup-grace-period', 'duration', '1m0s', 'Silence allowed to a node that is starting'),
  controllerManager('secondary-node-eviction-rate', 'number', '0.01', 'Eviction rate while a large zone is unhealthy', 0),
  controllerManager('terminated-pod-gc-threshold', 'integer', '12500', 'Terminated pods kept'),
  controllerManager('unhealthy-zone-threshold', 'number', '0.55', 'Share of unhealthy nodes that makes a zone unhealthy', 0),
  flag('scheduler', 'scheduler-name', 'string', 'default-scheduler', 'spec.schedulerName of pods it places'),
  flag('scheduler', 'scheduler-kube-api-qps', 'number', '50', "Requests a second of the scheduler's client; 0 does not limit", 0),
  flag('scheduler', 'scheduler-kube-api-burst', 'integer', '100', "Burst of the scheduler's client", 0),
  flag('scheduler', 'pod-initial-backoff-seconds', 'integer', '1', 'First back-off of an unschedulable pod', 0),
  flag('scheduler', 'pod-max-backoff-seconds', 'integer', '10', 'Longest back-off of an unschedulable pod', 1),
  flag('scheduler', 'percentage-of-nodes-to-score', 'integer', '0', 'Share of nodes looked for; 0 adapts to the size of the cluster', 0),
  flag('apiserver', 'event-ttl', 'duration', '1h0m0s', 'How long Events are kept'),
  flag('apiserver', 'feature-gates', 'map', '', 'Feature gates as Name=true,…'),
  flag('apiserver', 'runtime-config', 'map', '', 'API groups and versions as group/version=true,…'),
  flag('apiserver', 'etcd-compaction-interval', 'duration', '5m0s', 'How long old revisions can be listed and watched from'),
  flag('apiserver', 'default-not-ready-toleration-seconds', 'integer', '300', 'Toleration of not-ready that pods get', 0),
  flag('apiserver', 'default-unreachable-toleration-seconds', 'integer', '300', 'Toleration of unreachable that pods get', 0),
  flag('apiserver', 'service-cluster-ip-range', 'string', '10.96.0.0/12', 'Addresses of Services'),
  flag('apiserver', 'service-node-port-range', 'string', '30000-32767', 'Ports of NodePort Services'),
  flag('kubelet', 'cluster-cidr', 'string', '10.244.0.0/16', 'Addresses of pods'),
  flag('kubelet', 'max-pods', 'integer', '110', 'Pods on a node', 1),
  flag('kubelet', 'node-status-update-frequency', 'duration', '10s', 'How often kubelets compute their status'),
  flag('kubelet', 'node-lease-duration-seconds', 'integer', '40', 'Lease of a node; renewed at a quarter of it', 1),
];

const byName: ReadonlyMap<string, Flag> = new Map(flags.map((entry) => [entry.name, entry]));

export function getFlag(name: string): Flag | undefined {
  return byName.get(name);
}
