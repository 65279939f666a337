/**
 * The options of the simulated control plane under their upstream flag names: one table for the command line, scenario files, the
 * library and `kubectl get --raw …/settings/cluster`. Defaults that differ from release to release are the release's (`defaultOf`).
 * Options of upstream's daemons that have nothing to act on in a simulation (certificate files, profiling, log flags) are not here;
 * docs/differences.md lists them. Those of single controllers stand in `controllers/options/`.
 */
import type { Release } from '../contracts/release.ts';
import { type Flag, type FlagType, flag, idleFlag } from '../contracts/flags.ts';
import { defaultHardThresholds } from '../component-helpers/eviction-thresholds.ts';
import { controllerFlags } from '../controllers/options/index.gen.ts';

export type { Flag, FlagType } from '../contracts/flags.ts';

const controllerManager = (name: string, type: FlagType, standard: string, help: string, min?: number): Flag =>
  flag('controller-manager', name, type, standard, help, min);

/** What replicas of daemons and their ports have, and a cluster in one process has not. */
const ofDaemons = '`wavetank controller-manager` and `wavetank scheduler` go by it';

function idleFlags(): readonly Flag[] {
  const ofManager = (name: string, type: FlagType, standard: string, help: string, why = ofDaemons): Flag =>
    idleFlag(why, 'controller-manager', name, type, standard, help);
  return [
    ofManager('authentication-skip-lookup', 'boolean', 'false', 'Do not look up authentication configuration in the cluster'),
    ofManager('authorization-always-allow-paths', 'list', '/healthz', 'Paths of the daemons that need no authorization'),
    ofManager('kube-api-content-type', 'string', 'application/vnd.kubernetes.protobuf', "Content type of the daemons' requests"),
    ofManager('leader-elect', 'boolean', 'true', 'Elect a leader among replicas of the daemons'),
    ofManager('leader-elect-lease-duration', 'duration', '15s', 'How long a leader is trusted'),
    ofManager('leader-elect-renew-deadline', 'duration', '10s', 'How long a leader tries to renew; at most the lease duration'),
    ofManager('leader-elect-resource-lock', 'string', '', 'What the leader holds'),
    ofManager('leader-elect-retry-period', 'duration', '2s', 'Wait between two tries to become leader'),
    ofManager(
      'min-resync-period',
      'duration',
      '12h0m0s',
      'Shortest resync of informers',
      'informers miss nothing, and a second look at the same writes nothing',
    ),
    idleFlag(
      '`wavetank scheduler` goes by it',
      'scheduler',
      'policy-configmap-namespace',
      'string',
      'kube-system',
      "Releases that go by policies: where a daemon's policy lies",
    ),
  ];
}

export const flags: readonly Flag[] = [
  controllerManager('controllers', 'list', '*', "Controllers to run: '*' for all on by default, 'name' or '-name'"),
  controllerManager(
    'cloud-provider',
    'string',
    '',
    'The cloud to run in: wavetank for the simulated one; empty for none; external leaves it to programs outside',
  ),
  controllerManager('kube-api-qps', 'number', '20', "Requests a second of each controller's client; 0 or less does not limit"),
  controllerManager('kube-api-burst', 'integer', '30', "Burst of each controller's client", 0),
  ...controllerFlags,
  flag('scheduler', 'scheduler', 'boolean', 'true', 'Place pods on nodes; false leaves that to a scheduler outside'),
  flag('scheduler', 'scheduler-name', 'string', 'default-scheduler', 'spec.schedulerName of pods it places'),
  flag(
    'scheduler',
    'scheduler-config',
    'string',
    '',
    'A KubeSchedulerConfiguration: profiles, extenders, back-offs. On the command line a file; elsewhere, and in the session, its text. It wins over flags',
  ),
  flag(
    'scheduler',
    'policy-config-file',
    'string',
    '',
    'Releases that go by policies: a Policy, the predicates and priorities to go by. On the command line a file; elsewhere, and in the session, its text',
  ),
  flag(
    'scheduler',
    'algorithm-provider',
    'string',
    '',
    'Releases that go by policies: the policy where no file says one, or ClusterAutoscalerProvider',
  ),
  flag(
    'scheduler',
    'hard-pod-affinity-symmetric-weight',
    'integer',
    '1',
    'Releases that go by policies: weight of required affinity the other way round, 1 to 100',
    1,
  ),
  flag('scheduler', 'scheduler-kube-api-qps', 'number', '50', "Requests a second of the scheduler's client; 0 or less does not limit"),
  flag('scheduler', 'scheduler-kube-api-burst', 'integer', '100', "Burst of the scheduler's client", 0),
  flag('scheduler', 'pod-initial-backoff-seconds', 'integer', '1', 'First back-off of an unschedulable pod', 0),
  flag('scheduler', 'pod-max-backoff-seconds', 'integer', '10', 'Longest back-off of an unschedulable pod', 1),
  flag(
    'scheduler',
    'pod-max-in-unschedulable-pods-duration',
    'duration',
    '5m0s',
    'How long an unschedulable pod waits for a change before it is tried anyway',
  ),
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
  flag(
    'apiserver',
    'admission-control-config-file',
    'string',
    '',
    'An AdmissionConfiguration: what admission plugins go by. On the command line a file, and folders of manifests that it names, which count as they are now; elsewhere, and in the session, its text',
  ),
  flag(
    'apiserver',
    'authorization-mode',
    'list',
    'Node,RBAC',
    'Who decides what somebody may, asked in turn: Node, RBAC, ABAC, Webhook, AlwaysAllow, AlwaysDeny',
  ),
  flag(
    'apiserver',
    'authorization-config',
    'string',
    '',
    'An AuthorizationConfiguration: who decides, in order, and webhooks that do. On the command line a file, which counts as it is now; elsewhere, and in the session, its text',
  ),
  flag(
    'apiserver',
    'authorization-webhook-config-file',
    'string',
    '',
    'Mode Webhook: a kubeconfig that says who is asked; the session holds its path',
  ),
  flag('apiserver', 'authorization-webhook-cache-authorized-ttl', 'duration', '5m0s', "How long a webhook's permissions are kept"),
  flag('apiserver', 'authorization-webhook-cache-unauthorized-ttl', 'duration', '30s', "How long a webhook's refusals are kept"),
  flag('apiserver', 'authorization-webhook-version', 'string', 'v1beta1', 'Mode Webhook: version of the SubjectAccessReview: v1 or v1beta1'),
  flag(
    'apiserver',
    'authorization-policy-file',
    'string',
    '',
    'Policies of mode ABAC, a JSON object a line. On the command line a file; elsewhere, and in the session, its text',
  ),
  flag('apiserver', 'enable-admission-plugins', 'list', '', 'Admission plugins that are on besides those that are by default'),
  flag('apiserver', 'disable-admission-plugins', 'list', '', 'Admission plugins that are off though they are on by default'),
  flag('apiserver', 'event-ttl', 'duration', '1h0m0s', 'How long Events are kept'),
  flag('apiserver', 'feature-gates', 'map', '', 'Feature gates as Name=true,…'),
  flag('apiserver', 'runtime-config', 'map', '', 'API groups and versions as group/version=true,… and resources as group/version/resource=true,…'),
  flag('apiserver', 'quota-backend-bytes', 'integer', '2147483648', "Memory for what is stored, as etcd's option; writes beyond it are refused", 1),
  flag('apiserver', 'etcd-compaction-interval', 'duration', '5m0s', 'How long old revisions can be listed and watched from'),
  flag('apiserver', 'default-not-ready-toleration-seconds', 'integer', '300', 'Toleration of not-ready that pods get', 0),
  flag('apiserver', 'default-unreachable-toleration-seconds', 'integer', '300', 'Toleration of unreachable that pods get', 0),
  flag(
    'apiserver',
    'service-cluster-ip-range',
    'string',
    '10.96.0.0/12',
    'Addresses of Services: one range, or two of different families with a comma',
  ),
  flag('apiserver', 'cors-allowed-origins', 'list', '', 'Regular expressions for the origins whose pages may read answers'),
  flag('apiserver', 'strict-transport-security-directives', 'list', '', 'What browsers are told of TLS: max-age=SECONDS, includeSubDomains, preload'),
  flag('apiserver', 'service-node-port-range', 'string', '30000-32767', 'Ports of NodePort Services'),
  flag('kubelet', 'cluster-cidr', 'string', '10.244.0.0/16', 'Addresses of pods: one range, or two of different families with a comma'),
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
  flag('kubelet', 'max-container-restart-period', 'string', '', 'Longest back-off of a container that fails, 1s to 300s; 300s without it'),
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
