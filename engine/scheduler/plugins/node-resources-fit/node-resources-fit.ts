/**
 * Requests must fit into what is free; nodes score by how full the pod would leave them (framework/plugins/noderesources/fit.go,
 * least_allocated.go, most_allocated.go, requested_to_capacity_ratio.go).
 */
import type { Node, Pod } from '../../../api/core/v1/types.gen.ts';
import type { JsonObject } from '../../../base/json.ts';
import { Action } from '../../framework/cluster-events.ts';
import { DeviceCounts } from '../../framework/device-counts.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import { definePlugin, nodeScoreMax } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { parseResources, podRequests, type ResourceList, type Resources } from '../../framework/resources.ts';
import { type Status, unresolvable, unschedulable } from '../../framework/status.ts';

const name = 'NodeResourcesFit';

interface State {
  readonly requests: Resources;
  readonly nonZero: Resources;
  readonly empty: boolean;
}

interface Strategy {
  readonly type: 'LeastAllocated' | 'MostAllocated' | 'RequestedToCapacityRatio';
  readonly resources: readonly { readonly name: string; readonly weight: number }[];
  readonly shape: readonly { readonly utilization: number; readonly score: number }[];
}

export const nodeResourcesFit = definePlugin<State>({
  name,
  order: 80,
  defaultWeight: 1,
  points: ['PreFilter', 'Filter', 'PreScore', 'Score'],
  needs: { preFilter: { text: 'error reading "PreFilterNodeResourcesFit" from cycleState: not found', points: ['Filter'] } },
  args: {
    ignoredResources: [],
    ignoredResourceGroups: [],
    scoringStrategy: {
      type: 'LeastAllocated',
      resources: [
        { name: 'cpu', weight: 1 },
        { name: 'memory', weight: 1 },
      ],
    },
  },
  reasons: ['Too many pods', 'Insufficient cpu', 'Insufficient memory', 'Insufficient ephemeral-storage', 'Insufficient <resource>'],
  create: ({ claims }, args) => {
    const isIgnored = ignoredBy(args);
    const isBacked = (resource: string): boolean => claims.classFor(resource) !== undefined;
    const ignored = (resource: string, offered: number): boolean => isIgnored(resource) || (offered === 0 && isBacked(resource));
    const strategy = strategyOf(args);
    const devices = new DeviceCounts(claims);
    claims.scoreBy(strategy.resources.map(({ name: resource }) => resource));
    return {
      events: [
        { resource: 'Pod', action: Action.delete | Action.updatePodScaleDown, worth: frees },
        { resource: 'Node', action: Action.add | Action.updateNodeAllocatable, worth: (pod, change) => fitsEmpty(pod, change.new as Node, isBacked) },
      ],
      classState: ({ requests, nonZeroRequests, pod }) => ({
        requests,
        // Upstream's score counts the containers of the pod that is to be placed, whatever it asks for as a whole.
        nonZero: pod.spec?.resources === undefined ? nonZeroRequests : podRequests(pod, true, false),
        empty: requests.milliCpu === 0 && requests.memory === 0 && requests.ephemeralStorage === 0 && requests.scalar === undefined,
      }),
      filter: (state, node) => fit(state, node, ignored),
      preScore: () => true,
      score: (state, node) => scoreNode(strategy, state, node, devices),
      scorePlacement: (nodes, pods) => scorePlacement(strategy.resources, nodes, pods),
    };
  },
});

/** `ignored` where nothing is offered here, and others look for it. */
function fit(state: State, node: NodeInfo, ignored: (resource: string, offered: number) => boolean): Status | undefined {
  const { requests } = state;
  const { allocatable, requested } = node;
  let reasons: string[] | undefined;
  let hopeless = false;
  const check = (resource: string, wanted: number, total: number, used: number): void => {
    if (wanted === 0 || wanted <= total - used) return;
    (reasons ??= []).push(`Insufficient ${resource}`);
    if (wanted > total) hopeless = true;
  };
  if (node.pods.size + 1 > node.podsMax) reasons = ['Too many pods'];
  if (!state.empty) {
    check('cpu', requests.milliCpu, allocatable.milliCpu, requested.milliCpu);
    check('memory', requests.memory, allocatable.memory, requested.memory);
    check('ephemeral-storage', requests.ephemeralStorage, allocatable.ephemeralStorage, requested.ephemeralStorage);
    if (requests.scalar !== undefined) {
      for (const [resource, wanted] of requests.scalar) {
        const offered = allocatable.scalar?.get(resource) ?? 0;
        if (!ignored(resource, offered)) check(resource, wanted, offered, requested.scalar?.get(resource) ?? 0);
      }
    }
  }
  if (reasons === undefined) return undefined;
  return hopeless ? unresolvable(name, ...reasons) : unschedulable(name, ...reasons);
}

function ignoredBy(args: JsonObject): (resource: string) => boolean {
  const resources = new Set((args['ignoredResources'] as readonly string[] | undefined) ?? []);
  const groups = new Set((args['ignoredResourceGroups'] as readonly string[] | undefined) ?? []);
  return (resource) => resource.includes('/') && (resources.has(resource) || groups.has(resource.split('/')[0] as string));
}

function strategyOf(args: JsonObject): Strategy {
  const given = args['scoringStrategy'] as JsonObject;
  const ratio = given['requestedToCapacityRatio'] as JsonObject | undefined;
  const resources = (given['resources'] as Strategy['resources'] | undefined) ?? [];
  return {
    type: (given['type'] as Strategy['type'] | undefined) ?? 'LeastAllocated',
    resources: (resources.length > 0
      ? resources
      : [
          { name: 'cpu', weight: 1 },
          { name: 'memory', weight: 1 },
        ]
    ).map((r) => ({ name: r.name, weight: r.weight || 1 })),
    shape: ((ratio?.['shape'] as Strategy['shape'] | undefined) ?? []).map(({ utilization, score }) => ({ utilization, score: score * 10 })),
  };
}

function scoreNode(strategy: Strategy, state: State, node: NodeInfo, devices: DeviceCounts): number {
  let sum = 0;
  let weights = 0;
  for (const { name: resource, weight } of strategy.resources) {
    const [total, used] = amounts(resource, state, node, devices);
    if (total === 0) continue;
    const score = scoreResource(strategy, used, total);
    if (strategy.type === 'RequestedToCapacityRatio' && score <= 0) continue;
    sum += score * weight;
    weights += weight;
  }
  if (weights === 0) return 0;
  return strategy.type === 'RequestedToCapacityRatio' ? Math.round(sum / weights) : Math.trunc(sum / weights);
}

/** The fuller the better: what the nodes and the pods of the group ask for, of what there is. Devices that stand for resources are not looked at. */
function scorePlacement(resources: Strategy['resources'], nodes: readonly NodeInfo[], pods: readonly PodInfo[]): number {
  let sum = 0;
  let weights = 0;
  for (const { name: resource, weight } of resources) {
    const wanted = pods.reduce(
      (total, { requests, nonZeroRequests }) => total + amountOf(resource, resource === 'cpu' || resource === 'memory' ? nonZeroRequests : requests),
      0,
    );
    let total = 0;
    let used = wanted;
    for (const { allocatable, requested, nonZeroRequested } of nodes) {
      total += amountOf(resource, allocatable);
      used += amountOf(resource, resource === 'cpu' || resource === 'memory' ? nonZeroRequested : requested);
    }
    if (total === 0) continue;
    sum += scoreResource({ type: 'MostAllocated', resources, shape: [] }, used, total) * weight;
    weights += weight;
  }
  return weights === 0 ? 0 : Math.trunc(sum / weights);
}

function amountOf(resource: string, { milliCpu, memory, ephemeralStorage, scalar }: Resources): number {
  if (resource === 'cpu') return milliCpu;
  if (resource === 'memory') return memory;
  return resource === 'ephemeral-storage' ? ephemeralStorage : (scalar?.get(resource) ?? 0);
}

/** What there is, and what would be used with this pod. CPU and memory count the default requests for pods that ask for none. */
function amounts(resource: string, { requests, nonZero }: State, node: NodeInfo, devices: DeviceCounts): readonly [number, number] {
  const { allocatable, requested, nonZeroRequested } = node;
  if (resource === 'cpu') return [allocatable.milliCpu, nonZeroRequested.milliCpu + nonZero.milliCpu];
  if (resource === 'memory') return [allocatable.memory, nonZeroRequested.memory + nonZero.memory];
  if (resource === 'ephemeral-storage') return [allocatable.ephemeralStorage, requested.ephemeralStorage + requests.ephemeralStorage];
  const wanted = requests.scalar?.get(resource) ?? 0;
  if (wanted === 0) return [0, 0];
  const offered = allocatable.scalar?.get(resource) ?? 0;
  const found = offered === 0 ? devices.of(resource, node) : undefined;
  return found !== undefined && found.total > 0 ? [found.total, found.used + wanted] : [offered, (requested.scalar?.get(resource) ?? 0) + wanted];
}

function scoreResource({ type, shape }: Strategy, used: number, total: number): number {
  switch (type) {
    case 'LeastAllocated':
      return used > total ? 0 : Math.trunc(((total - used) * nodeScoreMax) / total);
    case 'MostAllocated':
      return Math.trunc((Math.min(used, total) * nodeScoreMax) / total);
    case 'RequestedToCapacityRatio':
      return onShape(shape, used > total ? 100 : Math.trunc((used * 100) / total));
  }
}

/** The broken line through the shape's points. */
function onShape(shape: Strategy['shape'], utilization: number): number {
  for (let i = 0; i < shape.length; i++) {
    const point = shape[i] as Strategy['shape'][number];
    if (utilization > point.utilization) continue;
    const before = shape[i - 1];
    if (before === undefined) return point.score;
    return before.score + Math.trunc(((point.score - before.score) * (utilization - before.utilization)) / (point.utilization - before.utilization));
  }
  return shape[shape.length - 1]?.score ?? 0;
}

/** A pod that went, or now asks for less, frees something that this pod asks for. */
function frees(pod: Pod, change: { readonly old?: unknown; readonly new?: unknown }): boolean {
  const old = change.old as Pod | undefined;
  if (old === undefined) return true;
  if (!old.spec?.nodeName && old.metadata.uid !== pod.metadata.uid) return false;
  if (change.new === undefined) return true;
  const wanted = podRequests(pod);
  const [before, after] = [podRequests(old), podRequests(change.new as Pod)];
  return (
    (wanted.milliCpu > 0 && after.milliCpu < before.milliCpu) ||
    (wanted.memory > 0 && after.memory < before.memory) ||
    old.metadata.uid === pod.metadata.uid
  );
}

function fitsEmpty(pod: Pod, node: Node, isBacked: (resource: string) => boolean): boolean {
  const wanted = podRequests(pod);
  const total = parseResources(node.status?.allocatable as ResourceList | undefined);
  if (wanted.milliCpu > total.milliCpu || wanted.memory > total.memory || wanted.ephemeralStorage > total.ephemeralStorage) return false;
  return [...(wanted.scalar ?? [])].every(([resource, amount]) => {
    const offered = total.scalar?.get(resource) ?? 0;
    return amount <= offered || (offered === 0 && isBacked(resource));
  });
}
