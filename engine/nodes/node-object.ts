/**
 * The Node object of a machine, in schema order. Mirrors pkg/kubelet/kubelet_node_status.go and nodestatus/setters.go; it says
 * that the machine is simulated (law 7).
 */
import type { Node, NodeCondition, NodeStatus, Taint } from '../api/core/v1/types.gen.ts';
import { formatTime } from '../apimachinery/time.ts';
import { getOwn } from '../base/dictionary.ts';
import { deepEqual } from '../base/equal.ts';
import { diskDriver, diskTopologyKey, disksPerNodeMax, migratedPluginNames } from '../component-helpers/storage.ts';
import type { CSINode } from '../api/storage/v1/types.gen.ts';
import { maySetNodeLabel } from '../component-helpers/node-labels.ts';
import { quantityAmount } from '../component-helpers/quantity-amount.ts';
import { isExtendedResource } from '../component-helpers/resource-names.ts';
import type { NodesOptions } from './context.ts';
import { runtimeVersion } from './kubelet/speech.ts';
import type { Machine } from './machine.ts';
import { clockAt } from './machine-clock.ts';
import { imagesReportedMax, relistMs, relistSilenceMs, runtimeAskMs, runtimeSilenceMs } from './physics.ts';
import { addressesOf } from './pod-ranges.ts';
import { durationText } from './timestamps.ts';

export const architecture = 'amd64';
const runtimeDown = 'container runtime is down';
const runtimeNotUp = 'container runtime status check may not have completed yet';

/** Set by kubelets in a cloud, taken away by the cloud-node controller. */
const uninitialized = { key: 'node.cloudprovider.kubernetes.io/uninitialized', value: 'true', effect: 'NoSchedule' };

/** In a cloud, provider id, zone, region and type are left to the cloud-node controller. */
export function buildNode(machine: Machine, nowMs: number, options: NodesOptions = {}): Node {
  const { name, zone, region, podCidr, otherCidr } = machine;
  const { cloud: inCloud = false, formerNodeLabels: formerly = [] } = options;
  const labels: Record<string, string> = {
    'beta.kubernetes.io/arch': architecture,
    'beta.kubernetes.io/os': 'linux',
    'kubernetes.io/arch': architecture,
    'kubernetes.io/hostname': name,
    'kubernetes.io/os': 'linux',
    ...(inCloud ? {} : { 'node.kubernetes.io/instance-type': machine.instanceType }),
    ...(region === '' || inCloud ? {} : { 'topology.kubernetes.io/region': region }),
    ...(zone === '' || inCloud ? {} : { 'topology.kubernetes.io/zone': zone }),
    'sim.wavetank.dev/pool': machine.pool,
    ...Object.fromEntries(Object.entries(machine.labels).filter(([key]) => maySetNodeLabel(key))),
  };
  const former = formerly.flatMap(([label, name]) => (labels[label] === undefined ? [] : [[name, labels[label]] as const]));
  const taints = [
    ...(inCloud ? [uninitialized] : []),
    ...machine.taints,
    { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' },
  ] as unknown as readonly Taint[];
  return {
    kind: 'Node',
    apiVersion: 'v1',
    metadata: {
      name,
      labels: Object.fromEntries(Object.entries({ ...Object.fromEntries(former), ...labels }).sort(([a], [b]) => (a < b ? -1 : 1))),
      annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' },
    },
    spec: {
      podCIDR: podCidr,
      podCIDRs: [podCidr, ...(otherCidr === undefined ? [] : [otherCidr])],
      ...(inCloud ? {} : { providerID: `wavetank://${zone === '' ? '' : `${zone}/`}${name}` }),
      taints,
    },
    status: buildNodeStatus(machine, undefined, nowMs, options),
  } as unknown as Node;
}

/** What the node says of its CSI drivers: the one that ships with the cluster, and the in-tree plugins whose drivers took over. */
export function buildCsiNode(name: string, node: Node): CSINode {
  return {
    kind: 'CSINode',
    apiVersion: 'storage.k8s.io/v1',
    metadata: {
      name,
      annotations: { 'storage.alpha.kubernetes.io/migrated-plugins': migratedPluginNames.join() },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid: node.metadata.uid ?? '' }],
    },
    spec: { drivers: [{ name: diskDriver, nodeID: name, topologyKeys: [diskTopologyKey], allocatable: { count: disksPerNodeMax } }] },
  };
}

/** `old` is the status the API has: conditions of others stay, transition times are kept, and addresses where a cloud gives them. */
export function buildNodeStatus(machine: Machine, old: NodeStatus | undefined, nowMs: number, options: NodesOptions = {}): NodeStatus {
  const { cloud: inCloud = false, declaredFeatures = [] } = options;
  const shownMs = clockAt(machine, nowMs);
  const own = conditions(machine, nowMs).map((finding) => condition(finding, old, shownMs));
  const others = old?.conditions?.filter((one) => !own.some((mine) => mine.type === one.type)) ?? [];
  return {
    ...resources(machine, old),
    ...(old?.phase === undefined ? {} : { phase: old.phase }),
    conditions: [...others, ...own],
    addresses: (inCloud ? old?.addresses : undefined) ?? [
      ...addressesOf(machine, machine.address).map((address) => ({ type: 'InternalIP', address })),
      { type: 'Hostname', address: machine.name },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    nodeInfo: {
      machineID: machine.machineId,
      systemUUID: machine.machineId,
      bootID: machine.bootId,
      kernelVersion: '6.8.0-wavetank-simulated',
      osImage: 'Wavetank simulated Linux',
      containerRuntimeVersion: runtimeVersion(options.speech),
      kubeletVersion: machine.kubeletVersion,
      kubeProxyVersion: '',
      operatingSystem: 'linux',
      architecture,
    },
    ...(machine.images.size === 0 ? {} : { images: images(machine) }),
    ...(machine.volumesInUse.length === 0 ? {} : { volumesInUse: machine.volumesInUse }),
    ...(old?.volumesAttached === undefined ? {} : { volumesAttached: old.volumesAttached }),
    runtimeHandlers,
    features: runtimeFeatures,
    ...(declaredFeatures.length === 0 ? {} : { declaredFeatures }),
  } as unknown as NodeStatus;
}

/** The one way to run containers, without a name; and what the runtime does whatever the way. */
const runtimeHandlers = Object.freeze([
  Object.freeze({ name: '', features: Object.freeze({ recursiveReadOnlyMounts: true, userNamespaces: true }) }),
]);
const runtimeFeatures = Object.freeze({ supplementalGroupsPolicy: true });
type ResourceList = { readonly [resource: string]: string };

/** What others advertise (patched in as capacity) stays and may be taken whole; what they say of the machine's own does not. */
function resources({ capacity }: Machine, old: NodeStatus | undefined): { readonly capacity: ResourceList; readonly allocatable: ResourceList } {
  const others = Object.keys(old?.capacity ?? {}).filter((name) => !Object.hasOwn(capacity, name));
  const kept = Object.keys(old?.allocatable ?? {}).filter(
    (name) => !Object.hasOwn(capacity, name) && !others.includes(name) && !isExtendedResource(name),
  );
  if (others.length + kept.length === 0) return { capacity, allocatable: capacity };
  const whole = { ...capacity, ...Object.fromEntries(others.map((name) => [name, old?.capacity?.[name] ?? '0'])) };
  return { capacity: whole, allocatable: { ...whole, ...Object.fromEntries(kept.map((name) => [name, old?.allocatable?.[name] ?? '0'])) } };
}

function sameResources(ours: ResourceList, theirs: ResourceList | undefined): boolean {
  const names = Object.keys(ours);
  return (
    Object.keys(theirs ?? {}).length === names.length &&
    names.every((name) => {
      const text = theirs === undefined ? undefined : getOwn(theirs, name);
      return text !== undefined && (text === ours[name] || quantityAmount(name, text) === quantityAmount(name, ours[name] ?? '0'));
    })
  );
}

/** Whether the API has another opinion of this node's conditions or resources than its kubelet. */
export function differs(machine: Machine, node: Node, nowMs: number): boolean {
  if (!deepEqual(node.status?.volumesInUse ?? [], machine.volumesInUse)) return true;
  const { capacity, allocatable } = resources(machine, node.status);
  if (!sameResources(capacity, node.status?.capacity) || !sameResources(allocatable, node.status?.allocatable)) return true;
  return conditions(machine, nowMs).some(({ type, status, message }) => {
    const told = node.status?.conditions?.find((one) => one.type === type);
    return told?.status !== status || (type === 'Ready' && told.message !== message);
  });
}

interface Finding {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

const healthy: readonly Finding[] = [
  { type: 'MemoryPressure', status: 'False', reason: 'KubeletHasSufficientMemory', message: 'kubelet has sufficient memory available' },
  { type: 'DiskPressure', status: 'False', reason: 'KubeletHasNoDiskPressure', message: 'kubelet has no disk pressure' },
  { type: 'PIDPressure', status: 'False', reason: 'KubeletHasSufficientPID', message: 'kubelet has sufficient PID available' },
];
const ready: Finding = { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' };
const notReady: Finding = { type: 'Ready', status: 'False', reason: 'KubeletNotReady', message: runtimeNotUp };
const shuttingDown: Finding = { ...notReady, message: 'node is shutting down' };
const memoryPressure: Finding = {
  type: 'MemoryPressure',
  status: 'True',
  reason: 'KubeletHasInsufficientMemory',
  message: 'kubelet has insufficient memory available',
};
const diskPressure: Finding = { type: 'DiskPressure', status: 'True', reason: 'KubeletHasDiskPressure', message: 'kubelet has disk pressure' };
const pidPressure: Finding = {
  type: 'PIDPressure',
  status: 'True',
  reason: 'KubeletHasInsufficientPID',
  message: 'kubelet has insufficient PID available',
};
const pressures: readonly Finding[] = [memoryPressure, diskPressure, pidPressure];
const whenUp: readonly Finding[] = [...healthy, ready];
const whenShuttingDown: readonly Finding[] = [...healthy, shuttingDown];
const whenStarting: readonly Finding[] = [...healthy, notReady];

function conditions(machine: Machine, nowMs: number): readonly Finding[] {
  const { runtimeUp, pressure, shutdown } = machine;
  const errors = runtimeErrors(machine, nowMs);
  const running = errors === undefined ? whenUp : [...healthy, { ...notReady, message: errors }];
  const usual = shutdown !== null ? whenShuttingDown : runtimeUp ? running : whenStarting;
  if (pressure.conditions.length === 0) return usual;
  return usual.map((finding) =>
    pressure.conditions.includes(finding.type) ? (pressures.find(({ type }) => type === finding.type) ?? finding) : finding,
  );
}

/** What the kubelet misses of its runtime, in upstream's words: its answers for 30 s, then its list of pods for three minutes. */
function runtimeErrors({ kubeletSinceMs, runtimeDownMs, relistPhaseMs }: Machine, nowMs: number): string | undefined {
  if (kubeletSinceMs === null || runtimeDownMs === null) return undefined;
  const askedMs = lastBefore(runtimeDownMs, kubeletSinceMs, runtimeAskMs);
  if (nowMs < askedMs + runtimeSilenceMs) return undefined;
  const silentMs = nowMs - lastBefore(runtimeDownMs, relistPhaseMs, relistMs);
  if (silentMs < relistSilenceMs) return runtimeDown;
  const silence = `pleg was last seen active ${durationText(silentMs)} ago; threshold is ${durationText(relistSilenceMs)}`;
  return `[${runtimeDown}, PLEG is not healthy: ${silence}]`;
}

/** The last time at or before an instant at which something happens that began at `fromMs` and comes again after each period. */
function lastBefore(ms: number, fromMs: number, periodMs: number): number {
  return fromMs + Math.floor((ms - fromMs) / periodMs) * periodMs;
}

function condition(finding: Finding, old: NodeStatus | undefined, nowMs: number): NodeCondition {
  const before = old?.conditions?.find((one) => one.type === finding.type);
  const now = formatTime(nowMs);
  return {
    type: finding.type,
    status: finding.status,
    lastHeartbeatTime: now,
    lastTransitionTime: before?.status === finding.status && before.lastTransitionTime ? before.lastTransitionTime : now,
    reason: finding.reason,
    message: finding.message,
  } as NodeCondition;
}

/** The largest first, as upstream sorts them. */
function images(machine: Machine): readonly { readonly names: readonly string[]; readonly sizeBytes: number }[] {
  return [...machine.images.values()]
    .sort((a, b) => b.sizeBytes - a.sizeBytes || (a.id < b.id ? -1 : 1))
    .slice(0, imagesReportedMax)
    .map(({ names, sizeBytes }) => ({ names, sizeBytes }));
}
