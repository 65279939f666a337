/**
 * The options of the simulated control plane under their upstream flag names: one table for the command line, scenario files, the
 * library and `kubectl get --raw …/settings/cluster`. Defaults that differ from release to release are the release's (`defaultOf`).
 * Options of upstream's daemons that have nothing to act on in a simulation (certificate files, profiling, log flags) are not here;
 * docs/differences.md lists them.
 */
import type { Release } from '../contracts/release.ts';
import { defaultHardThresholds } from '../component-helpers/eviction-thresholds.ts';

export type FlagType = 'duration' | 'integer' | 'number' | 'boolean' | 'string' | 'list' | 'map';

export interface Flag {
  readonly name: string;
  readonly type: FlagType;
  /** As a user would write it on the command line; empty where the release says it. */
  readonly default: string;
  readonly component: 'controller-manager' | 'scheduler' | 'apiserver' | 'kubelet';
  readonly help: string;
  readonly min?: number;
  readonly max?: number;
  /** Accepted, checked and shown; nothing of the simulation reads it yet. */
  readonly idle?: true;
}

function flag(component: Flag['component'], name: string, type: FlagType, standard: string, help: string, min?: number): Flag {
  return { component, name, type, default: standard, help, ...(min === undefined ? {} : { min }) };
}

/** Options that upstream's daemons know and nothing here acts on yet. */
const idle = (component: Flag['component'], name: string, type: FlagType, standard: string, help: string, min?: number): Flag => ({
  ...flag(component, name, type, standard, help, min),
  idle: true,
});

const controllerManager = (name: string, type: FlagType, standard: string, help: string, min?: number): Flag =>
  flag('controller-manager', name, type, standard, help, min);

function idleFlags(): readonly Flag[] {
  const ofManager = (name: string, type: FlagType, standard: string, help: string, min?: number): Flag =>
    idle('controller-manager', name, type, standard, help, min);
  return [
    ofManager('attach-detach-reconcile-sync-period', 'duration', '1m0s', 'Resync of attached volumes; more than one second'),
    ofManager('authentication-skip-lookup', 'boolean', 'false', 'Do not look up authentication configuration in the cluster'),
    ofManager('authentication-token-webhook-cache-ttl', 'duration', '10s', 'How long answers of a token webhook are kept'),
    ofManager('authorization-always-allow-paths', 'list', '/healthz', 'Paths of the daemons that need no authorization'),
    ofManager('authorization-webhook-cache-authorized-ttl', 'duration', '10s', "How long a webhook's permissions are kept"),
    ofManager('authorization-webhook-cache-unauthorized-ttl', 'duration', '10s', "How long a webhook's refusals are kept"),
    ofManager('concurrent-serviceaccount-token-syncs', 'integer', '5', 'Token secrets synced at the same time', 1),
    ofManager('deployment-controller-sync-period', 'duration', '30s', 'Resync of Deployments'),
    ofManager('kube-api-content-type', 'string', 'application/vnd.kubernetes.protobuf', "Content type of the daemons' requests"),
    ofManager('leader-elect', 'boolean', 'true', 'Elect a leader among replicas of the daemons'),
    ofManager('leader-elect-lease-duration', 'duration', '15s', 'How long a leader is trusted'),
    ofManager('leader-elect-renew-deadline', 'duration', '10s', 'How long a leader tries to renew; at most the lease duration'),
    ofManager('leader-elect-resource-lock', 'string', '', 'What the leader holds'),
    ofManager('leader-elect-retry-period', 'duration', '2s', 'Wait between two tries to become leader'),
    ofManager('min-resync-period', 'duration', '12h0m0s', 'Shortest resync of informers'),
    ofManager('namespace-sync-period', 'duration', '5m0s', 'Resync of namespaces'),
    ofManager('pod-eviction-timeout', 'duration', '5m0s', 'Grace of pods on failed nodes; upstream ignores it too since evictions go by taints'),
    idle('scheduler', 'policy-configmap-namespace', 'string', 'kube-system', "Where the scheduler's policy lies"),
  ];
}

export const flags: readonly Flag[] = [
  controllerManager('controllers', 'list', '*', "Controllers to run: '*' for all on by default, 'name' or '-name'"),
  controllerManager('cloud-provider', 'string', '', 'The cloud to run in: wavetank for the simulated one; empty for none'),
  controllerManager('concurrent-cron-job-syncs', 'integer', '5', 'CronJobs synced at the same time', 1),
  controllerManager('allocate-node-cidrs', 'boolean', 'false', 'Give nodes that have none a range of pod addresses, and routes of the cloud'),
  controllerManager('cidr-allocator-type', 'string', 'RangeAllocator', 'How ranges of pod addresses are given to nodes'),
  controllerManager('cluster-signing-duration', 'duration', '8760h0m0s', 'The longest that a signed certificate is valid'),
  controllerManager('experimental-cluster-signing-duration', 'duration', '8760h0m0s', 'The older name of --cluster-signing-duration'),
  controllerManager(
    'legacy-service-account-token-clean-up-period',
    'duration',
    '8760h0m0s',
    'How long unused tokens in Secrets are kept before they are marked, and then before they are deleted',
  ),
  controllerManager('concurrent-service-syncs', 'integer', '1', 'Services synced with load balancers at the same time', 1),
  controllerManager('configure-cloud-routes', 'boolean', 'true', 'Configure routes of the cloud'),
  controllerManager('concurrent-daemonset-syncs', 'integer', '2', 'DaemonSets synced at the same time', 1),
  controllerManager('concurrent-deployment-syncs', 'integer', '5', 'Deployments synced at the same time', 1),
  controllerManager('concurrent-endpoint-syncs', 'integer', '5', 'Endpoints synced at the same time', 1),
  controllerManager('concurrent-ephemeralvolume-syncs', 'integer', '5', 'Pods whose ephemeral volumes are synced at the same time', 1),
  controllerManager('concurrent-gc-syncs', 'integer', '20', 'Garbage collector workers', 1),
  controllerManager('concurrent-horizontal-pod-autoscaler-syncs', 'integer', '5', 'Autoscalers synced at the same time', 1),
  controllerManager(
    'horizontal-pod-autoscaler-cpu-initialization-period',
    'duration',
    '5m0s',
    'Time after a start in which CPU samples may be skipped',
  ),
  controllerManager(
    'horizontal-pod-autoscaler-downscale-stabilization',
    'duration',
    '5m0s',
    'How long the autoscaler looks back before it scales down',
  ),
  controllerManager(
    'horizontal-pod-autoscaler-initial-readiness-delay',
    'duration',
    '30s',
    'Time after a start in which changes of readiness are the first one',
  ),
  controllerManager('horizontal-pod-autoscaler-sync-period', 'duration', '15s', 'How often the autoscaler looks at metrics'),
  controllerManager('horizontal-pod-autoscaler-tolerance', 'number', '0.1', 'Change of a ratio that the autoscaler answers', 0),
  controllerManager('concurrent-job-syncs', 'integer', '5', 'Jobs synced at the same time', 1),
  controllerManager('concurrent-namespace-syncs', 'integer', '10', 'Namespaces synced at the same time', 1),
  controllerManager('concurrent-rc-syncs', 'integer', '5', 'ReplicationControllers synced at the same time', 1),
  controllerManager('concurrent-resource-quota-syncs', 'integer', '5', 'ResourceQuotas synced at the same time', 1),
  controllerManager('concurrent-replicaset-syncs', 'integer', '5', 'ReplicaSets synced at the same time', 1),
  controllerManager('concurrent-service-endpoint-syncs', 'integer', '5', 'Services whose endpoint slices are synced at the same time', 1),
  controllerManager('concurrent-serviceaccount-syncs', 'integer', '1', 'Namespaces whose service accounts are synced at the same time', 1),
  controllerManager('concurrent-statefulset-syncs', 'integer', '5', 'StatefulSets synced at the same time', 1),
  controllerManager('concurrent-ttl-after-finished-syncs', 'integer', '5', 'Finished jobs looked at at the same time', 1),
  controllerManager('disable-force-detach-on-timeout', 'boolean', 'false', 'Leave volumes attached to lost nodes'),
  controllerManager('enable-dynamic-provisioning', 'boolean', 'true', 'Make volumes for claims'),
  controllerManager('pv-recycler-increment-timeout-nfs', 'integer', '30', 'Seconds added for each Gi of a recycled NFS volume', 0),
  controllerManager('pv-recycler-minimum-timeout-hostpath', 'integer', '60', 'Least seconds to recycle a host path volume', 0),
  controllerManager('pv-recycler-minimum-timeout-nfs', 'integer', '300', 'Least seconds to recycle an NFS volume', 0),
  controllerManager('pv-recycler-timeout-increment-hostpath', 'integer', '30', 'Seconds added for each Gi of a recycled host path volume', 0),
  controllerManager('pvclaimbinder-sync-period', 'duration', '15s', 'Resync of volumes and claims'),
  controllerManager('enable-garbage-collector', 'boolean', 'true', 'Delete dependents of deleted owners'),
  controllerManager('enable-taint-manager', 'boolean', 'true', 'Evict pods that do not tolerate NoExecute taints'),
  controllerManager('kube-api-qps', 'number', '20', "Requests a second of each controller's client; 0 does not limit", 0),
  controllerManager('kube-api-burst', 'integer', '30', "Burst of each controller's client", 0),
  controllerManager('large-cluster-size-threshold', 'integer', '50', 'Nodes above which a zone is large', 0),
  controllerManager('max-endpoints-per-slice', 'integer', '100', 'Endpoints in one EndpointSlice', 1),
  { ...controllerManager('mirroring-concurrent-service-endpoint-syncs', 'integer', '5', 'Endpoints mirrored at the same time', 1), max: 50 },
  controllerManager('mirroring-endpointslice-updates-batch-period', 'duration', '0s', 'How long changes of mirrored slices are gathered'),
  { ...controllerManager('mirroring-max-endpoints-per-subset', 'integer', '1000', 'Addresses mirrored of one subset', 1), max: 1000 },
  { ...controllerManager('node-cidr-mask-size', 'integer', '24', 'Size of the range of pod addresses of a node', 16), max: 28 },
  controllerManager('node-eviction-rate', 'number', '0.1', 'Nodes a second whose pods are evicted while the zone is healthy', 0),
  controllerManager('node-monitor-grace-period', 'duration', '', 'Silence after which a node counts as unhealthy'),
  controllerManager('node-monitor-period', 'duration', '5s', 'How often node health is looked at'),
  controllerManager('node-startup-grace-period', 'duration', '1m0s', 'Silence allowed to a node that is starting'),
  controllerManager('secondary-node-eviction-rate', 'number', '0.01', 'Eviction rate while a large zone is unhealthy', 0),
  controllerManager('terminated-pod-gc-threshold', 'integer', '12500', 'Terminated pods kept'),
  controllerManager('unhealthy-zone-threshold', 'number', '0.55', 'Share of unhealthy nodes that makes a zone unhealthy', 0),
  flag('scheduler', 'scheduler', 'boolean', 'true', 'Place pods on nodes; false leaves that to a scheduler outside'),
  flag('scheduler', 'scheduler-name', 'string', 'default-scheduler', 'spec.schedulerName of pods it places'),
  flag('scheduler', 'scheduler-kube-api-qps', 'number', '50', "Requests a second of the scheduler's client; 0 does not limit", 0),
  flag('scheduler', 'scheduler-kube-api-burst', 'integer', '100', "Burst of the scheduler's client", 0),
  flag('scheduler', 'pod-initial-backoff-seconds', 'integer', '1', 'First back-off of an unschedulable pod', 0),
  flag('scheduler', 'pod-max-backoff-seconds', 'integer', '10', 'Longest back-off of an unschedulable pod', 1),
  flag('scheduler', 'percentage-of-nodes-to-score', 'integer', '0', 'Share of nodes looked for; 0 adapts to the size of the cluster', 0),
  flag(
    'apiserver',
    'enable-priority-and-fairness',
    'boolean',
    'true',
    'Requests queue and are served by priority and fairness; else the two limits count',
  ),
  flag(
    'apiserver',
    'max-requests-inflight',
    'integer',
    '400',
    'Requests from outside served at once that only read; with the next one, seats of priority and fairness',
    0,
  ),
  flag('apiserver', 'max-mutating-requests-inflight', 'integer', '200', 'Requests from outside served at once that write', 0),
  flag('apiserver', 'event-ttl', 'duration', '1h0m0s', 'How long Events are kept'),
  flag('apiserver', 'feature-gates', 'map', '', 'Feature gates as Name=true,…'),
  flag('apiserver', 'runtime-config', 'map', '', 'API groups and versions as group/version=true,…'),
  flag('apiserver', 'quota-backend-bytes', 'integer', '2147483648', "Memory for what is stored, as etcd's option; writes beyond it are refused", 1),
  flag('apiserver', 'etcd-compaction-interval', 'duration', '5m0s', 'How long old revisions can be listed and watched from'),
  flag('apiserver', 'default-not-ready-toleration-seconds', 'integer', '300', 'Toleration of not-ready that pods get', 0),
  flag('apiserver', 'default-unreachable-toleration-seconds', 'integer', '300', 'Toleration of unreachable that pods get', 0),
  flag('apiserver', 'service-cluster-ip-range', 'string', '10.96.0.0/12', 'Addresses of Services'),
  flag('apiserver', 'cors-allowed-origins', 'list', '', 'Regular expressions for the origins whose pages may read answers'),
  flag('apiserver', 'service-node-port-range', 'string', '30000-32767', 'Ports of NodePort Services'),
  flag('kubelet', 'cluster-cidr', 'string', '10.244.0.0/16', 'Addresses of pods'),
  flag('kubelet', 'eviction-hard', 'string', defaultHardThresholds, 'Thresholds at which kubelets evict pods at once, SIGNAL<VALUE'),
  flag('kubelet', 'eviction-max-pod-grace-period', 'integer', '0', 'Seconds that pods get at a soft threshold', 0),
  flag('kubelet', 'eviction-minimum-reclaim', 'string', '', 'How much more than a threshold has to be free again, SIGNAL=VALUE'),
  flag('kubelet', 'eviction-pressure-transition-period', 'duration', '5m0s', 'How long a condition stands after it was last observed'),
  flag('kubelet', 'eviction-soft', 'string', '', 'Thresholds at which kubelets evict pods after a grace period, SIGNAL<VALUE'),
  flag('kubelet', 'eviction-soft-grace-period', 'string', '', 'Grace periods of soft thresholds, SIGNAL=DURATION'),
  flag('kubelet', 'image-gc-high-threshold', 'integer', '85', 'Percent of the disk at which unused images are removed', 0),
  flag('kubelet', 'image-gc-low-threshold', 'integer', '80', 'Percent of the disk down to which they are', 0),
  flag('kubelet', 'minimum-image-ttl-duration', 'duration', '2m0s', 'Age below which an unused image stays'),
  flag('kubelet', 'shutdown-grace-period', 'duration', '0s', 'How long pods have in all when their machine is shut down'),
  flag('kubelet', 'shutdown-grace-period-by-pod-priority', 'map', '', 'The same by priority, PRIORITY=DURATION, instead of the other two'),
  flag('kubelet', 'shutdown-grace-period-critical-pods', 'duration', '0s', 'What of that is for critical pods'),
  flag('kubelet', 'max-pods', 'integer', '110', 'Pods on a node', 1),
  flag('kubelet', 'node-status-update-frequency', 'duration', '10s', 'How often kubelets compute their status'),
  flag('kubelet', 'node-lease-duration-seconds', 'integer', '40', 'Lease of a node; renewed at a quarter of it', 1),
  ...idleFlags(),
];

const byName: ReadonlyMap<string, Flag> = new Map(flags.map((entry) => [entry.name, entry]));

export function getFlag(name: string): Flag | undefined {
  return byName.get(name);
}

/** What the option is when nobody says anything. */
export function defaultOf({ name, default: standard }: Flag, { flagDefaults }: Pick<Release, 'flagDefaults'>): string {
  return flagDefaults[name] ?? standard;
}
