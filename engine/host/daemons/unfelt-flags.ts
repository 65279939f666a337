/** Options of the real daemons that are read and checked here, and why nothing can be seen of them. Names, types and defaults are those of 1.36.3. */
import { section } from './common-flags.ts';
import type { DaemonFlag } from './flag-set.ts';
import type { FlagType } from './go-values.ts';

const misc = section('Misc');

type Row = readonly [name: string, type: FlagType, standard: string];

function unfelt(reason: string, rows: readonly Row[]): readonly DaemonFlag[] {
  return rows.map(([name, type, standard]) => misc(name, type, standard, 'As upstream', { noEffect: reason }));
}

/** Of both daemons. */
export const unfeltFlags: readonly DaemonFlag[] = [
  ...unfelt('all metrics that there are are shown', [
    ['allow-metric-labels', 'labels', ''],
    ['allow-metric-labels-manifest', 'string', ''],
    ['disabled-metrics', 'strings', ''],
    ['show-hidden-metrics-for-version', 'string', ''],
  ]),
  ...unfelt('--emulate says which release it is', [
    ['emulated-version', 'strings', ''],
    ['min-compatibility-version', 'strings', ''],
  ]),
  ...unfelt('lines are written whole and at once', [
    ['log-json-info-buffer-size', 'quantity', '0'],
    ['log-json-split-stream', 'bool', 'false'],
    ['log-text-info-buffer-size', 'quantity', '0'],
    ['log-text-split-stream', 'bool', 'false'],
  ]),
  ...unfelt('Node.js sets them by itself', [
    ['permit-address-sharing', 'bool', 'false'],
    ['permit-port-sharing', 'bool', 'false'],
    ['tls-curve-preferences', 'ints', ''],
  ]),
  ...unfelt('identities have no uid from headers', [['requestheader-uid-headers', 'strings', '']]),
];

/** Of the controller manager. */
export const unfeltManagerFlags: readonly DaemonFlag[] = [
  ...unfelt('the simulated cloud has no configuration, and there is no other', [
    ['cloud-config', 'string', ''],
    ['external-cloud-volume-plugin', 'string', ''],
  ]),
  ...unfelt('names of load balancers and routes do not hold it', [['cluster-name', 'string', 'kubernetes']]),
  ...unfelt('leaders do not change from one program to another', [
    ['enable-leader-migration', 'bool', 'false'],
    ['leader-migration-config', 'string', ''],
  ]),
  ...unfelt('changes of endpoints are gathered by a named latency', [
    ['endpoint-updates-batch-period', 'duration', '0s'],
    ['endpointslice-updates-batch-period', 'duration', '0s'],
  ]),
  ...unfelt('there are no plugins of that kind', [
    ['enable-hostpath-provisioner', 'bool', 'false'],
    ['flex-volume-plugin-dir', 'string', '/usr/libexec/kubernetes/kubelet-plugins/volume/exec/'],
  ]),
  ...unfelt('a recycler is the pod that upstream makes without a template', [
    ['pv-recycler-pod-template-filepath-hostpath', 'string', ''],
    ['pv-recycler-pod-template-filepath-nfs', 'string', ''],
  ]),
  ...unfelt('ranges of nodes are /64 for IPv6, and of --node-cidr-mask-size for IPv4', [
    ['node-cidr-mask-size-ipv4', 'int32', '0'],
    ['node-cidr-mask-size-ipv6', 'int32', '0'],
  ]),
  ...unfelt('controllers hear of every change, and a second look at the same finds the same', [
    ['disable-attach-detach-reconcile-sync', 'bool', 'false'],
    ['resource-quota-sync-period', 'duration', '5m0s'],
    ['route-reconciliation-period', 'duration', '10s'],
  ]),
  ...unfelt('no API server shows CEL types', [['concurrent-validating-admission-policy-status-syncs', 'int32', '5']]),
  ...unfelt('a stop waits for what is under way', [['controller-shutdown-timeout', 'duration', '10s']]),
];
