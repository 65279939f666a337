/** What the map keeps of a pod and of a node: small plain values, made when an object was changed and somebody looks. */
import type { Node, Pod, Taint, Toleration } from '../api/core/v1/types.gen.ts';
import type { MapCountdown, PodLook } from '../api/sim/v1alpha1/cluster-map.ts';
import { parseTime } from '../apimachinery/time.ts';
import { nodeReadiness, type NodeReadiness, nodeZone } from '../component-helpers/node.ts';
import { findCondition, getPodCondition, isPodReady, podPriority, restartBackOff } from '../component-helpers/pod.ts';
import { milliAmount, unitAmount } from '../component-helpers/quantity-amount.ts';
import { podRequests } from '../component-helpers/resources.ts';
import { toleratedMs } from '../component-helpers/tolerations.ts';
import { seePod } from '../component-helpers/pod-looks.ts';

export interface PodFacts {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly node: string;
  readonly look: PodLook;
  readonly ready: boolean;
  readonly reason: string;
  /** Why it has no node, as the scheduler says it. */
  readonly message: string;
  /** Row id, '' without an owner. */
  readonly owner: string;
  readonly createdMs: number;
  readonly priority: number;
  /** Undefined where nobody knows any more. */
  readonly milliCpu: number | undefined;
  readonly countdown: MapCountdown | undefined;
  /** Of the taints that silence and trouble of its node bring, how long it stays: Infinity for ever. */
  readonly toleratedMs: { readonly unreachable: number; readonly notReady: number };
}

export interface NodeFacts {
  readonly name: string;
  readonly zone: string;
  readonly ready: NodeReadiness;
  readonly sinceMs: number;
  readonly cordoned: boolean;
  readonly pressures: readonly string[];
  readonly taints: readonly string[];
  /** Pods leave because of it. */
  readonly evicting: { readonly why: 'unreachable' | 'notReady'; readonly fromMs: number } | undefined;
  readonly room: number | undefined;
  readonly milliCpu: number | undefined;
}

const messageMax = 600;
const listMax = 12;
const unreachableTaint: Taint = { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' };
const notReadyTaint: Taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' };
export const noZone = 'no zone';

/** What many pods share is read once: they are of one template. */
export interface Shared {
  ownerOf(pod: Pod): string;
  readonly tolerated: WeakMap<readonly Toleration[], PodFacts['toleratedMs']>;
  /** Of creation timestamps, which are whole seconds. */
  readonly instants: Map<string, number>;
}

const instantsMax = 5_000;

const nothingTolerated: PodFacts['toleratedMs'] = { unreachable: 0, notReady: 0 };

export function podFacts(pod: Pod, shared: Shared): PodFacts {
  const { metadata, spec } = pod;
  const { look, reason } = seePod(pod);
  return {
    namespace: metadata.namespace ?? '',
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
    node: spec?.nodeName ?? '',
    look,
    ready: look === 'Ready' || isPodReady(pod),
    reason,
    message: spec?.nodeName ? '' : (getPodCondition(pod, 'PodScheduled')?.message ?? '').slice(0, messageMax),
    owner: shared.ownerOf(pod),
    createdMs: instantOf(metadata.creationTimestamp ?? '', shared),
    priority: podPriority(pod),
    milliCpu: podRequests(pod)['cpu'] ?? 0,
    countdown: countdownOf(pod, look),
    toleratedMs: toleratedBy(pod, shared),
  };
}

function instantOf(text: string, { instants }: Shared): number {
  let known = instants.get(text);
  if (known !== undefined) return known;
  if (instants.size >= instantsMax) instants.clear();
  instants.set(text, (known = parseTime(text) ?? 0));
  return known;
}

function toleratedBy({ spec }: Pod, { tolerated }: Shared): PodFacts['toleratedMs'] {
  const list = spec?.tolerations ?? undefined;
  if (list === undefined) return nothingTolerated;
  let known = tolerated.get(list);
  if (known === undefined) {
    known = { unreachable: toleratedMs([unreachableTaint], list) ?? 0, notReady: toleratedMs([notReadyTaint], list) ?? 0 };
    tolerated.set(list, known);
  }
  return known;
}

function countdownOf(pod: Pod, look: PodLook): MapCountdown | undefined {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = pod.metadata;
  if (look === 'Terminating') {
    const untilMs = parseTime(deletionTimestamp ?? '');
    return untilMs === undefined ? undefined : { what: 'kill', fromMs: untilMs - Number(deletionGracePeriodSeconds ?? 0) * 1000, untilMs };
  }
  return look === 'CrashLoop' ? restartOf(pod) : undefined;
}

function restartOf({ status }: Pod): MapCountdown | undefined {
  for (const container of [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])]) {
    const held = restartBackOff(container);
    if (held !== undefined) return { what: 'restart', ...held };
  }
  return undefined;
}

export function nodeFacts(node: Node): NodeFacts {
  const { metadata, spec, status } = node;
  const conditions = status?.conditions ?? [];
  const ready = findCondition(conditions, 'Ready');
  return {
    name: metadata.name ?? '',
    zone: nodeZone(node) || noZone,
    ready: nodeReadiness(node),
    sinceMs: parseTime(ready?.lastTransitionTime ?? '') ?? 0,
    cordoned: spec?.unschedulable === true,
    pressures: conditions
      .filter((one) => one.type !== 'Ready' && one.status === 'True')
      .slice(0, listMax)
      .map(({ type }) => type),
    taints: (spec?.taints ?? []).slice(0, listMax).map(({ key, value, effect }) => `${key}${value ? `=${value}` : ''}:${effect}`),
    evicting: evictingOf(spec?.taints ?? []),
    room: amount(status?.allocatable?.['pods'], unitAmount),
    milliCpu: amount(status?.allocatable?.['cpu'], milliAmount),
  };
}

function evictingOf(taints: readonly Taint[]): NodeFacts['evicting'] {
  for (const [why, { key, effect }] of [
    ['unreachable', unreachableTaint],
    ['notReady', notReadyTaint],
  ] as const) {
    const found = taints.find((taint) => taint.key === key && taint.effect === effect);
    const fromMs = parseTime(found?.timeAdded ?? '');
    if (fromMs !== undefined) return { why, fromMs };
  }
  return undefined;
}

function amount(text: string | undefined, read: (text: string) => number): number | undefined {
  return text === undefined ? undefined : read(text);
}
