/** Priorities of release 1.13: each scores nodes from 0 to 10 (its pkg/scheduler/algorithm/priorities). */
import type { Container, Node, Pod } from '../../api/core/v1/types.gen.ts';
import type { Selector } from '../../apimachinery/labels.ts';
import { getOwn } from '../../base/dictionary.ts';
import { definePlugin, type Handle, type Plugin, type PluginDefinition } from '../framework/plugin.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import { addResources, noResources, parseResources, type ResourceList, type Resources } from '../framework/resources.ts';
import { interPodAffinity } from '../plugins/inter-pod-affinity/inter-pod-affinity.ts';
import { nodeAffinity } from '../plugins/node-affinity/node-affinity.ts';
import { taintToleration } from '../plugins/taint-toleration/taint-toleration.ts';
import type { ChosenPriority, Policy, ShapePoint } from './policy.ts';
import { diskShares } from './volume-counts.ts';

const scoreMax = 10;
/** Of a score, what the spread over zones decides. */
const zoneShare = 2 / 3;
const mib = 1024 * 1024;
const imageBytesMin = 23 * mib;
const imageBytesMax = 1000 * mib;
const avoidAnnotation = 'scheduler.alpha.kubernetes.io/preferAvoidPods';

export function prioritiesOf(policy: Policy): readonly PluginDefinition[] {
  return policy.priorities.map((chosen, i) =>
    definePlugin<unknown>({
      name: chosen.name,
      order: 200 + i,
      defaultWeight: chosen.weight,
      points: ['PreScore', 'Score', 'NormalizeScore'],
      args: {},
      reasons: [],
      create: (handle) => pluginOf(chosen, handle, policy),
    }),
  );
}

function pluginOf({ name, argument }: ChosenPriority, handle: Handle, policy: Policy): Plugin {
  if (argument !== undefined && 'shape' in argument) return ofResources(ratioOn(argument.shape));
  if (argument !== undefined && 'labelPreference' in argument) return labelPreference(argument.labelPreference);
  if (argument !== undefined) return serviceAntiAffinity(handle, argument.serviceAntiAffinity) as Plugin;
  switch (name) {
    case 'LeastRequestedPriority':
      return ofResources((used, total) => (total === 0 || used > total ? 0 : Math.trunc(((total - used) * scoreMax) / total)));
    case 'MostRequestedPriority':
      return ofResources((used, total) => (total === 0 || used > total ? 0 : Math.trunc((used * scoreMax) / total)));
    case 'RequestedToCapacityRatioPriority':
      return ofResources(
        ratioOn([
          { utilization: 0, score: 10 },
          { utilization: 100, score: 0 },
        ]),
      );
    case 'BalancedResourceAllocation':
      return (policy.gates.balancesDisks ? balancedWithDisks(handle, policy) : balanced()) as Plugin;
    case 'ResourceLimitsPriority':
      return withinLimits() as Plugin;
    case 'SelectorSpreadPriority':
      return spread(handle, true) as Plugin;
    case 'ServiceSpreadingPriority':
      return spread(handle, false) as Plugin;
    case 'InterPodAffinityPriority':
      return scoring(
        interPodAffinity.create(handle, { ...interPodAffinity.args, hardPodAffinityWeight: policy.hardPodAffinityWeight }),
        betweenExtremes,
      );
    case 'NodeAffinityPriority':
      return scoring(nodeAffinity.create(handle, nodeAffinity.args), (scores) => byHighest(scores, false));
    case 'TaintTolerationPriority':
      return scoring(taintToleration.create(handle, taintToleration.args), (scores) => byHighest(scores, true));
    case 'ImageLocalityPriority':
      return imageLocality(handle) as Plugin;
    case 'NodePreferAvoidPodsPriority':
      return preferAvoidPods() as Plugin;
    default:
      return { score: () => 1 };
  }
}

/** What today's plugin counts, on the old scale. */
function scoring(plugin: Plugin, normalize: (scores: Float64Array) => void): Plugin {
  const { crossNode, classState, preScore, score } = plugin;
  return {
    ...(crossNode === undefined ? {} : { crossNode }),
    ...(classState === undefined ? {} : { classState }),
    ...(preScore === undefined ? {} : { preScore }),
    ...(score === undefined ? {} : { score }),
    normalize: (_state, scores) => normalize(scores),
  };
}

function byHighest(scores: Float64Array, reverse: boolean): void {
  const max = scores.reduce((most, score) => Math.max(most, score), 0);
  for (let i = 0; i < scores.length; i++) {
    const score = max === 0 ? 0 : Math.trunc((scoreMax * (scores[i] as number)) / max);
    scores[i] = reverse ? scoreMax - score : score;
  }
}

/** Zero is always between the two. */
function betweenExtremes(scores: Float64Array): void {
  const max = scores.reduce((most, score) => Math.max(most, score), 0);
  const min = scores.reduce((least, score) => Math.min(least, score), 0);
  for (let i = 0; i < scores.length; i++) scores[i] = max > min ? Math.trunc(scoreMax * (((scores[i] as number) - min) / (max - min))) : 0;
}

/** The mean of what is said of CPU and memory with the pod on the node. */
function ofResources(score: (used: number, total: number) => number): Plugin {
  const plugin: Plugin<Resources> = {
    classState: ({ nonZeroRequests }) => nonZeroRequests,
    score: (pod, { allocatable, nonZeroRequested }) =>
      Math.trunc(
        (score(nonZeroRequested.milliCpu + pod.milliCpu, allocatable.milliCpu) + score(nonZeroRequested.memory + pod.memory, allocatable.memory)) / 2,
      ),
  };
  return plugin as Plugin;
}

function balanced(): Plugin<Resources> {
  return { classState: ({ nonZeroRequests }) => nonZeroRequests, score: (pod, node) => evenness(pod, node) };
}

/** How alike the used parts of CPU and memory are, and of the places for disks where `disks` is said. */
function evenness(pod: Resources, { allocatable, nonZeroRequested }: NodeInfo, disks?: number): number {
  const fraction = (used: number, total: number): number => (total === 0 ? 1 : used / total);
  const cpu = fraction(nonZeroRequested.milliCpu + pod.milliCpu, allocatable.milliCpu);
  const memory = fraction(nonZeroRequested.memory + pod.memory, allocatable.memory);
  if (cpu >= 1 || memory >= 1 || (disks ?? 0) >= 1) return 0;
  if (disks === undefined) return Math.trunc((1 - Math.abs(cpu - memory)) * scoreMax);
  const mean = (cpu + memory + disks) / 3;
  const variance = ((cpu - mean) * (cpu - mean) + (memory - mean) * (memory - mean) + (disks - mean) * (disks - mean)) / 3;
  return Math.trunc((1 - variance) * scoreMax);
}

/** BalanceAttachedNodeVolumes: the disks that a pod brings, as a part of the places that the node has left for them. */
function balancedWithDisks(handle: Handle, { gates, predicates }: Policy): Plugin<Balanced> {
  const names = predicates.map(({ name }) => name);
  const sharesOf = diskShares(names, handle, gates.attachLimits);
  return {
    crossNode: true,
    classState: ({ pod, nonZeroRequests }) => ({ pod, requests: nonZeroRequests, share: undefined }),
    preScore: (state) => {
      state.share = sharesOf(state.pod);
      return true;
    },
    score: ({ requests, share }, node) => {
      const found = share?.(node);
      return evenness(requests, node, found === undefined || found.left <= 0 ? undefined : found.wanted / found.left);
    },
  };
}

interface Balanced {
  readonly pod: Pod;
  readonly requests: Resources;
  share: ReturnType<ReturnType<typeof diskShares>> | undefined;
}

/** One where a node has as much CPU or memory as the pod is limited to. */
function withinLimits(): Plugin<Resources> {
  const isWithin = (limit: number, there: number): boolean => limit !== 0 && there !== 0 && limit <= there;
  return {
    classState: ({ pod }) => podLimits(pod),
    score: (limits, { allocatable }) => (isWithin(limits.milliCpu, allocatable.milliCpu) || isWithin(limits.memory, allocatable.memory) ? 1 : 0),
  };
}

/** Containers add up; an init container counts where it alone has more. */
function podLimits({ spec }: Pod): Resources {
  const limitsOf = (container: Container): Resources => parseResources(container.resources?.limits as ResourceList | undefined);
  const total = noResources();
  for (const container of spec?.containers ?? []) addResources(total, limitsOf(container), 1);
  for (const limits of (spec?.initContainers ?? []).map(limitsOf)) {
    total.milliCpu = Math.max(total.milliCpu, limits.milliCpu);
    total.memory = Math.max(total.memory, limits.memory);
  }
  return total;
}

/** The broken line through the points, in whole numbers. */
function ratioOn(shape: readonly ShapePoint[]): (used: number, total: number) => number {
  const on = (utilization: number): number => {
    for (const [i, point] of shape.entries()) {
      if (utilization > point.utilization) continue;
      const before = shape[i - 1];
      if (before === undefined) return point.score;
      return (
        before.score + Math.trunc(((point.score - before.score) * (utilization - before.utilization)) / (point.utilization - before.utilization))
      );
    }
    return shape[shape.length - 1]?.score ?? 0;
  };
  return (used, total) => on(total === 0 || used > total ? 100 : 100 - Math.trunc(((total - used) * 100) / total));
}

/** Away from pods of the same services and controllers, first over zones, then over nodes. */
function spread(handle: Handle, heedsControllers: boolean): Plugin<readonly Selector[]> {
  return {
    classState: ({ pod }) => [...handle.servicesOf(pod), ...(heedsControllers ? handle.controllersOf(pod) : [])],
    ...counting<readonly Selector[]>((selectors, other) => selectors.some((selector) => selector.matches(other.labels)), spreadOver),
  };
}

/** Scores that begin with the number of pods on the node that count; their namespace is that of the cycle's pod. */
function counting<S>(
  counts: (state: S, other: PodInfo) => boolean,
  normalize: (scores: Float64Array, nodes: readonly NodeInfo[]) => void,
): Pick<Plugin<S>, 'crossNode' | 'preScore' | 'score' | 'normalize'> {
  let own: PodInfo | undefined;
  return {
    crossNode: true,
    preScore: (_state, pod) => {
      own = pod;
      return true;
    },
    score: (state, node) => {
      let count = 0;
      for (const other of node.pods.values()) if (other.namespace === own?.namespace && !other.terminating && counts(state, other)) count++;
      return count;
    },
    normalize: (_state, scores, nodes) => normalize(scores, nodes),
  };
}

function spreadOver(scores: Float64Array, nodes: readonly NodeInfo[]): void {
  const zones = nodes.map(({ node }) => zoneOf(node));
  const byZone = new Map<string, number>();
  zones.forEach((zone, i) => zone === '' || byZone.set(zone, (byZone.get(zone) ?? 0) + (scores[i] as number)));
  const most = scores.reduce((max, count) => Math.max(max, count), 0);
  const mostInZone = Math.max(0, ...byZone.values());
  const share = (count: number, max: number): number => (max > 0 ? scoreMax * ((max - count) / max) : scoreMax);
  for (let i = 0; i < scores.length; i++) {
    const zone = zones[i] as string;
    const alone = share(scores[i] as number, most);
    scores[i] = Math.trunc(zone === '' ? alone : alone * (1 - zoneShare) + zoneShare * share(byZone.get(zone) ?? 0, mostInZone));
  }
}

/** Region and zone together; empty where a node has neither. */
function zoneOf({ metadata: { labels } }: Node): string {
  const region = getOwn(labels, 'failure-domain.beta.kubernetes.io/region') ?? getOwn(labels, 'topology.kubernetes.io/region') ?? '';
  const zone = getOwn(labels, 'failure-domain.beta.kubernetes.io/zone') ?? getOwn(labels, 'topology.kubernetes.io/zone') ?? '';
  return region === '' && zone === '' ? '' : `${region}/${zone}`;
}

/** Away from label values whose nodes hold many pods of the pod's first service. */
function serviceAntiAffinity(handle: Handle, label: string): Plugin<Selector | undefined> {
  return {
    classState: ({ pod }) => handle.servicesOf(pod)[0],
    ...counting<Selector | undefined>(
      (selector, other) => selector?.matches(other.labels) === true,
      (scores, nodes) => {
        const values = nodes.map(({ node }) => getOwn(node.metadata.labels, label));
        const total = scores.reduce((sum, count) => sum + count, 0);
        const byValue = new Map<string, number>();
        values.forEach((value, i) => value !== undefined && byValue.set(value, (byValue.get(value) ?? 0) + (scores[i] as number)));
        for (let i = 0; i < scores.length; i++) {
          const value = values[i];
          const share = total > 0 ? (total - (byValue.get(value ?? '') ?? 0)) / total : 1;
          scores[i] = value === undefined ? 0 : Math.trunc(scoreMax * share);
        }
      },
    ),
  };
}

function labelPreference({ label, presence }: { readonly label: string; readonly presence: boolean }): Plugin {
  return { score: (_state, { node }) => ((getOwn(node.metadata.labels, label) !== undefined) === presence ? scoreMax : 0) };
}

function imageLocality(handle: Handle): Plugin<readonly string[]> {
  return {
    crossNode: true,
    classState: ({ pod }) =>
      (pod.spec?.containers ?? []).map(({ image = '' }) => (image.lastIndexOf(':') <= image.lastIndexOf('/') ? `${image}:latest` : image)),
    score: (images, node) => {
      const index = handle.images();
      const total = handle.snapshot.nodes.length;
      let bytes = 0;
      for (const image of images) {
        const known = index.has(node, image) ? index.get(image) : undefined;
        if (known !== undefined) bytes += Math.trunc(known.size * (known.nodes / total));
      }
      const bounded = Math.min(Math.max(bytes, imageBytesMin), imageBytesMax);
      return Math.trunc((scoreMax * (bounded - imageBytesMin)) / (imageBytesMax - imageBytesMin));
    },
  };
}

/** An annotation of the node names controllers whose pods should rather not come. */
function preferAvoidPods(): Plugin<{ readonly kind: string; readonly uid: string } | undefined> {
  return {
    classState: ({ pod }) => controllerOf(pod),
    score: (controller, { node }) => {
      if (controller === undefined) return scoreMax;
      return avoided(node).some(({ kind, uid }) => kind === controller.kind && uid === controller.uid) ? 0 : scoreMax;
    },
  };
}

function controllerOf({ metadata }: Pod): { readonly kind: string; readonly uid: string } | undefined {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  return owner?.kind === 'ReplicationController' || owner?.kind === 'ReplicaSet' ? { kind: owner.kind, uid: owner.uid } : undefined;
}

function avoided({ metadata }: Node): readonly { readonly kind?: string; readonly uid?: string }[] {
  const text = getOwn(metadata.annotations, avoidAnnotation) ?? '';
  if (text === '') return [];
  try {
    const { preferAvoidPods: list = [] } = JSON.parse(text) as {
      readonly preferAvoidPods?: readonly {
        readonly podSignature?: { readonly podController?: { readonly kind?: string; readonly uid?: string } };
      }[];
    };
    return list.flatMap(({ podSignature }) => podSignature?.podController ?? []);
  } catch {
    return [];
  }
}
