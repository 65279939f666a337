/**
 * Predicates of release 1.13, in its order and with its reasons (its pkg/scheduler/algorithm/predicates). They are one plugin: which of
 * them is asked depends on what those before it said. What is judged as today is asked of today's plugin.
 */
import type { Node } from '../../api/core/v1/types.gen.ts';
import { getOwn } from '../../base/dictionary.ts';
import type { JsonObject } from '../../base/json.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import type { Handle, Plugin, PluginDefinition } from '../framework/plugin.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import { interPodAffinity } from '../plugins/inter-pod-affinity/inter-pod-affinity.ts';
import { nodeAffinity } from '../plugins/node-affinity/node-affinity.ts';
import { nodeName } from '../plugins/node-name/node-name.ts';
import { nodePorts } from '../plugins/node-ports/node-ports.ts';
import { nodeResourcesFit } from '../plugins/node-resources-fit/node-resources-fit.ts';
import { nodeUnschedulable } from '../plugins/node-unschedulable/node-unschedulable.ts';
import { taintToleration } from '../plugins/taint-toleration/taint-toleration.ts';
import { volumeBinding } from '../plugins/volume-binding/volume-binding.ts';
import { volumeRestrictions } from '../plugins/volume-restrictions/volume-restrictions.ts';
import { volumeZone } from '../plugins/volume-zone/volume-zone.ts';
import type { ChosenPredicate, PolicyGates } from './policy.ts';
import { cloudDisks, driverVolumes } from './volume-counts.ts';

/** A plugin whose filter gives 1.13's reasons. */
export interface Predicate {
  readonly name: string;
  readonly plugin: Plugin;
}

/** Upstream asks them in this order, whatever the order in a policy. */
const order = [
  'CheckNodeCondition',
  'CheckNodeUnschedulable',
  'GeneralPredicates',
  'HostName',
  'PodFitsHostPorts',
  'MatchNodeSelector',
  'PodFitsResources',
  'NoDiskConflict',
  'PodToleratesNodeTaints',
  'PodToleratesNodeNoExecuteTaints',
  'CheckNodeLabelPresence',
  'CheckServiceAffinity',
  'MaxEBSVolumeCount',
  'MaxGCEPDVolumeCount',
  'MaxCSIVolumeCountPred',
  'MaxAzureDiskVolumeCount',
  'CheckVolumeBinding',
  'NoVolumeZoneConflict',
  'CheckNodeMemoryPressure',
  'CheckNodePIDPressure',
  'CheckNodeDiskPressure',
  'MatchInterPodAffinity',
];

/** What removing pods does not mend. */
const unresolvableReasons: ReadonlySet<string> = new Set([
  "node(s) didn't match node selector",
  "node(s) didn't match pod affinity rules",
  "node(s) didn't match the requested hostname",
  "node(s) had taints that the pod didn't tolerate",
  "node(s) didn't have the requested labels",
  'node(s) were not ready',
  'node(s) had unavailable network',
  'node(s) had disk pressure',
  'node(s) had pid pressure',
  'node(s) had memory pressure',
  'node(s) were out of disk space',
  'node(s) were unschedulable',
  'node(s) had unknown conditions',
  'node(s) had no available volume zone',
  'node(s) had volume node affinity conflict',
  "node(s) didn't find available persistent volumes to bind",
]);

export function isUnresolvable(reasons: readonly string[]): boolean {
  return reasons.some((reason) => unresolvableReasons.has(reason));
}

/**
 * Those of the policy that upstream ever asks: one under a name of its own is none of the order, so nobody asks it, which is upstream's
 * way too. `ignored` resources are not looked at.
 */
export function predicatesOf(
  chosen: readonly ChosenPredicate[],
  gates: PolicyGates,
  handle: Handle,
  ignored: readonly string[],
): readonly Predicate[] {
  const known = new Map(chosen.map((one) => [one.name, one]));
  return order.flatMap((name) => {
    const one = known.get(name);
    return one === undefined ? [] : [{ name, plugin: pluginOf(one, gates, handle, ignored) }];
  });
}

function pluginOf({ name, argument }: ChosenPredicate, gates: PolicyGates, handle: Handle, ignored: readonly string[]): Plugin {
  if (argument !== undefined && 'labelsPresence' in argument) return labelsPresence(name, argument.labelsPresence);
  if (argument !== undefined) return serviceAffinity(name, handle, argument.serviceAffinity);
  const resources = (): Plugin =>
    reworded(made(nodeResourcesFit, handle, { ignoredResources: ignored }), name, (reason) => [
      reason === 'Too many pods' ? 'Insufficient pods' : reason,
    ]);
  const host = (): Plugin => reworded(made(nodeName, handle), name, () => ["node(s) didn't match the requested hostname"]);
  const ports = (): Plugin => reworded(made(nodePorts, handle), name, (reason) => [reason]);
  const selector = (): Plugin => {
    // Which nodes need no look is today's knowledge.
    const { preFilter: _preFilter, ...plugin } = made(nodeAffinity, handle);
    return reworded(plugin, name, () => ["node(s) didn't match node selector"]);
  };
  switch (name) {
    case 'GeneralPredicates':
      return together(name, [resources(), host(), ports(), selector()]);
    case 'HostName':
      return host();
    case 'PodFitsHostPorts':
      return ports();
    case 'MatchNodeSelector':
      return selector();
    case 'PodFitsResources':
      return resources();
    case 'CheckNodeUnschedulable':
      return reworded(made(nodeUnschedulable, handle), name, (reason) => [reason]);
    case 'NoDiskConflict':
      return reworded(made(volumeRestrictions, handle), name, () => ['node(s) had no available disk']);
    case 'PodToleratesNodeTaints':
      return reworded(made(taintToleration, handle), name, () => ["node(s) had taints that the pod didn't tolerate"]);
    case 'MaxCSIVolumeCountPred':
      return driverVolumes(name, handle, gates.attachLimits);
    case 'CheckVolumeBinding':
      return reworded(made(volumeBinding, handle), name, (reason) => [getOwn(volumeWords, reason) ?? reason]);
    case 'NoVolumeZoneConflict':
      return reworded(made(volumeZone, handle), name, () => ['node(s) had no available volume zone']);
    case 'MatchInterPodAffinity':
      return reworded(made(interPodAffinity, handle), name, (reason) => ["node(s) didn't match pod affinity/anti-affinity", reason]);
    case 'CheckNodeCondition':
      return onNode(name, conditionReasons);
    case 'CheckNodeMemoryPressure':
      // Pods that ask for something are let in.
      return {
        ...underPressure(name, 'MemoryPressure', 'node(s) had memory pressure'),
        classState: ({ requests }) => requests.milliCpu > 0 || requests.memory > 0,
      };
    case 'CheckNodeDiskPressure':
      return underPressure(name, 'DiskPressure', 'node(s) had disk pressure');
    case 'CheckNodePIDPressure':
      return underPressure(name, 'PIDPressure', 'node(s) had pid pressure');
    default:
      return cloudDisks(name, handle, gates.attachLimits) ?? {};
  }
}

const volumeWords: { readonly [reason: string]: string } = {
  'node(s) had volume node affinity conflict': 'node(s) had volume node affinity conflict',
  "node(s) didn't match PersistentVolume's node affinity": 'node(s) had volume node affinity conflict',
};

function made(definition: PluginDefinition, handle: Handle, args: { readonly [name: string]: readonly string[] } = {}): Plugin {
  return definition.create(handle, { ...definition.args, ...args } as JsonObject);
}

function reworded(plugin: Plugin, name: string, words: (reason: string) => readonly string[]): Plugin {
  return {
    ...plugin,
    filter: (state, node) => {
      const status = plugin.filter?.(state, node);
      return status === undefined ? undefined : verdict(name, [...new Set(status.reasons.flatMap(words))]);
    },
  };
}

function verdict(plugin: string, reasons: readonly string[]): NonNullable<ReturnType<NonNullable<Plugin['filter']>>> {
  return { code: isUnresolvable(reasons) ? 'UnschedulableAndUnresolvable' : 'Unschedulable', reasons, plugin };
}

/** All of them are asked, whatever the others say. */
function together(name: string, parts: readonly Plugin[]): Plugin<readonly unknown[]> {
  return {
    classState: (pod) => parts.map((part) => part.classState?.(pod)),
    filter: (states, node) => {
      const reasons = parts.flatMap((part, i) => part.filter?.(states[i], node)?.reasons ?? []);
      return reasons.length === 0 ? undefined : verdict(name, reasons);
    },
  };
}

function onNode(name: string, reasonsOf: (node: Node) => readonly string[]): Plugin {
  return {
    filter: (_state, { node }) => {
      const reasons = reasonsOf(node);
      return reasons.length === 0 ? undefined : verdict(name, reasons);
    },
  };
}

function underPressure(name: string, type: string, reason: string): Plugin {
  const found = verdict(name, [reason]);
  return { filter: (isLetIn, { node }) => (isLetIn !== true && conditionOf(node, type) === 'True' ? found : undefined) };
}

function conditionOf(node: Node, type: string): string | undefined {
  return node.status?.conditions?.find((condition) => condition.type === type)?.status;
}

function conditionReasons(node: Node): readonly string[] {
  const reasons: string[] = [];
  for (const { type, status } of node.status?.conditions ?? []) {
    if (type === 'Ready' && status !== 'True') reasons.push('node(s) were not ready');
    else if (type === 'OutOfDisk' && status !== 'False') reasons.push('node(s) were out of disk space');
    else if (type === 'NetworkUnavailable' && status !== 'False') reasons.push('node(s) had unavailable network');
  }
  if (node.spec?.unschedulable === true) reasons.push('node(s) were unschedulable');
  return reasons;
}

function labelsPresence(name: string, { labels, presence }: { readonly labels: readonly string[]; readonly presence: boolean }): Plugin {
  const found = verdict(name, ["node(s) didn't have the requested labels"]);
  return {
    filter: (_state, { node }) => (labels.some((label) => (getOwn(node.metadata.labels, label) !== undefined) !== presence) ? found : undefined),
  };
}

/** Nodes must agree in these labels with the node of another pod of the same service, as far as the pod's own selector leaves them open. */
function serviceAffinity(name: string, handle: Handle, labels: readonly string[]): Plugin<{ wanted: { readonly [label: string]: string } }> {
  const found = verdict(name, ["node(s) didn't match service affinity"]);
  return {
    crossNode: true,
    classState: () => ({ wanted: {} }),
    preFilter: (state, pod) => {
      const own = labels.flatMap((label) => {
        const value = getOwn(pod.pod.spec?.nodeSelector, label);
        return value === undefined ? [] : [[label, value] as const];
      });
      const missing = labels.filter((label) => own.every(([known]) => known !== label));
      const peer = missing.length > 0 && handle.servicesOf(pod.pod).length > 0 ? nodeOfPeer(handle, pod) : undefined;
      const taken = missing.flatMap((label) => {
        const value = getOwn(peer?.node.metadata.labels, label);
        return value === undefined ? [] : [[label, value] as const];
      });
      state.wanted = Object.fromEntries([...own, ...taken]);
      return undefined;
    },
    filter: ({ wanted }, { node }) =>
      Object.entries(wanted).every(([label, value]) => getOwn(node.metadata.labels, label) === value) ? undefined : found,
  };
}

/** The first node with a pod of the same namespace that has all the labels of this one. */
function nodeOfPeer({ snapshot }: Handle, { namespace, labels, uid }: PodInfo): NodeInfo | undefined {
  const isPeer = (other: PodInfo): boolean =>
    other.uid !== uid && other.namespace === namespace && Object.entries(labels).every(([key, value]) => getOwn(other.labels, key) === value);
  return snapshot.nodes.find((node) => [...node.pods.values()].some(isPeer));
}
