/**
 * A small second scheduler as judge of every binding: taints, cordons, gates, node affinity, affinity and repulsion between pods. What
 * changed in the last moments is not held against the scheduler, whose caches lag as they do in life.
 */
import type { Node, NodeSelectorTerm, Pod, PodAffinityTerm, Taint, Toleration } from '../../../engine/api/core/v1/types.gen.ts';
import { nameOf, prefixOf, selects, type World } from '../world.ts';
import type { Checker } from './checker.ts';

const scheduler = 'system:kube-scheduler';
const lagMs = 3_000;
/** A pod whose volume is made for it is bound to the node that was chosen before, however long that takes (upstream's bindTimeoutSeconds). */
const volumeLagMs = 600_000;
const cordon: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

interface Placement {
  readonly node: string;
  readonly atMs: number;
}

/** Since when the parts of nodes that decide placement are as they are, and since when pods are where they are. */
class Memory {
  readonly #nodes = new Map<string, { readonly text: string; readonly sinceMs: number }>();
  readonly placed = new Map<string, Placement>();
  /** When pods last went, per namespace: who was attracted by one that has just gone is no fault. */
  readonly wentMs = new Map<string, number>();

  noteNode({ metadata, spec }: Node, nowMs: number): void {
    const text = JSON.stringify([spec?.taints ?? [], spec?.unschedulable ?? false, metadata.labels ?? {}]);
    if (this.#nodes.get(metadata.name ?? '')?.text !== text) this.#nodes.set(metadata.name ?? '', { text, sinceMs: nowMs });
  }

  /** A pod may be on its way to it. */
  noteGone(node: string, nowMs: number): void {
    this.#nodes.set(node, { text: 'gone', sinceMs: nowMs });
  }

  isSteady(node: string, nowMs: number, waitsForVolumes: boolean): boolean {
    return nowMs - (this.#nodes.get(node)?.sinceMs ?? nowMs) >= (waitsForVolumes ? volumeLagMs : lagMs);
  }
}

export function placementIsAllowed(): Checker {
  const memory = new Memory();
  return {
    name: 'placement is allowed',
    onChange({ key, current, previous, meta }, world) {
      const prefix = prefixOf(key);
      if (prefix === 'minions' && current !== undefined) memory.noteNode(current.value as Node, world.nowMs);
      else if (prefix === 'minions') memory.noteGone(previous?.value.metadata.name ?? '', world.nowMs);
      if (prefix !== 'pods') return [];
      const pod = (current ?? previous)?.value as Pod;
      const { uid = '', namespace = '' } = pod.metadata;
      if (current === undefined || isOver(pod)) {
        memory.placed.delete(uid);
        memory.wentMs.set(namespace, world.nowMs);
        return [];
      }
      const node = pod.spec?.nodeName ?? '';
      if (node === '' || memory.placed.has(uid)) return [];
      const found = meta.identity === scheduler ? whyNot(pod, world, memory) : [];
      memory.placed.set(uid, { node, atMs: world.nowMs });
      return found.map((why) => `${nameOf(pod)} was bound to ${node}: ${why}`);
    },
  };
}

function waitsForVolumes({ spec }: Pod): boolean {
  return (spec?.volumes ?? []).some(({ persistentVolumeClaim, ephemeral }) => persistentVolumeClaim !== undefined || ephemeral !== undefined);
}

function whyNot(pod: Pod, world: World, memory: Memory): readonly string[] {
  const { nodeName = '', tolerations = [], schedulingGates = [] } = pod.spec ?? {};
  const node = world.get<Node>('minions', undefined, nodeName);
  if (node === undefined) return memory.isSteady(nodeName, world.nowMs, waitsForVolumes(pod)) ? ['there is no such node'] : [];
  if (!memory.isSteady(nodeName, world.nowMs, waitsForVolumes(pod))) return [];
  const taints = [...(node.spec?.taints ?? []), ...(node.spec?.unschedulable === true ? [cordon] : [])];
  const repelling = taints.filter((taint) => taint.effect !== 'PreferNoSchedule' && !tolerations.some((each) => isTolerated(each, taint)));
  return [
    ...(schedulingGates.length > 0 ? ['it is gated'] : []),
    ...repelling.map(({ key, effect }) => `taint ${key}:${effect}`),
    ...(matchesNode(pod, node) ? [] : ['node selector or affinity']),
    ...repelled(pod, node, world, memory),
    ...unattracted(pod, node, world, memory),
  ];
}

export function isTolerated({ key, operator = 'Equal', value, effect }: Toleration, taint: Taint): boolean {
  if (effect !== undefined && effect !== '' && effect !== taint.effect) return false;
  if (operator === 'Exists') return key === undefined || key === '' || key === taint.key;
  return key === taint.key && (value ?? '') === (taint.value ?? '');
}

export function matchesNode({ spec }: Pod, node: Node): boolean {
  if (spec?.nodeSelector !== undefined && !selects(spec.nodeSelector, node.metadata.labels)) return false;
  const terms = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return terms === undefined || terms === null || terms.some((term) => matchesTerm(term, node));
}

function matchesTerm({ matchExpressions = [] }: NodeSelectorTerm, { metadata: { labels = {} } }: Node): boolean {
  return matchExpressions.every(({ key, operator, values = [] }) => {
    const value = labels[key];
    if (operator === 'In') return value !== undefined && values.includes(value);
    if (operator === 'NotIn') return value === undefined || !values.includes(value);
    return operator === 'Exists' ? value !== undefined : value === undefined;
  });
}

/** Repulsion works both ways: the pod's own, and that of those already there. */
function repelled(pod: Pod, node: Node, world: World, memory: Memory): readonly string[] {
  const own = pod.spec?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  return neighbours(pod, world, memory).flatMap((other) => {
    const theirs = other.spec?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    const against =
      own.some((term) => isNear(term, node, other, world) && concerns(term, pod, other)) ||
      theirs.some((term) => isNear(term, node, other, world) && concerns(term, other, pod));
    return against ? [`repulsion between it and ${nameOf(other)}`] : [];
  });
}

/** The first of a kind that wants its own company may go anywhere. */
function unattracted(pod: Pod, node: Node, world: World, memory: Memory): readonly string[] {
  const terms = pod.spec?.affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  if (terms.length === 0 || world.nowMs - (memory.wentMs.get(pod.metadata.namespace ?? '') ?? 0) < lagMs) return [];
  const others = world.all<Pod>('pods').filter((other) => other !== pod && other.spec?.nodeName && !isOver(other));
  const isFirst = terms.every((term) => concerns(term, pod, pod) && !others.some((other) => concerns(term, pod, other)));
  if (isFirst) return [];
  return terms
    .filter((term) => !others.some((other) => concerns(term, pod, other) && isNear(term, node, other, world)))
    .map(({ topologyKey }) => `nothing it wants to be near in its ${topologyKey}`);
}

function neighbours(pod: Pod, world: World, memory: Memory): readonly Pod[] {
  return world.all<Pod>('pods').filter((other) => {
    const placed = memory.placed.get(other.metadata.uid ?? '');
    return other.metadata.uid !== pod.metadata.uid && placed !== undefined && world.nowMs - placed.atMs >= lagMs;
  });
}

function concerns({ labelSelector }: PodAffinityTerm, from: Pod, other: Pod): boolean {
  return other.metadata.namespace === from.metadata.namespace && selects(labelSelector?.matchLabels, other.metadata.labels);
}

function isNear({ topologyKey }: PodAffinityTerm, node: Node, other: Pod, world: World): boolean {
  const domain = node.metadata.labels?.[topologyKey];
  const theirs = world.get<Node>('minions', undefined, other.spec?.nodeName ?? '')?.metadata.labels?.[topologyKey];
  return domain !== undefined && domain === theirs;
}

function isOver({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}
