/** Nodes that are not ready, fall silent, or lack something. */
import type { Lease } from '../../api/coordination/v1/types.gen.ts';
import type { Node, NodeCondition } from '../../api/core/v1/types.gen.ts';
import { formatDuration, parseTime } from '../../apimachinery/time.ts';
import { getNodeCondition, isNodeReady } from '../../component-helpers/node.ts';
import { defineDetector, type Finding, type Next, type World } from '../finding.ts';

/** A kubelet renews its lease every ten seconds; two that were left out are no hitch. */
const silenceMs = 25_000;
const unreachableTaint = 'node.kubernetes.io/unreachable';
const notReadyTaint = 'node.kubernetes.io/not-ready';
/** What admission gives a pod that says nothing else. */
const toleratedMs = 300_000;
/** So many pods of a node are evicted one after the other. */
const evictingMs = 30_000;

export const nodeDetector = defineDetector<Node>({
  resource: 'nodes',
  isSuspect: (node) => !isNodeReady(node) || pressureOf(node) !== undefined,
  find: (node, { nowMs }) => {
    const ready = getNodeCondition(node, 'Ready');
    if (ready === undefined) return undefined;
    if (ready.status !== 'True') return notReady(node, ready, nowMs);
    const pressed = pressureOf(node);
    return pressed === undefined ? undefined : underPressure(pressed);
  },
});

function pressureOf({ status }: Node): NodeCondition | undefined {
  return status?.conditions?.find((condition) => condition.type !== 'Ready' && condition.status === 'True');
}

function notReady(node: Node, { status, message = '', lastTransitionTime }: NodeCondition, nowMs: number): Finding {
  const sinceMs = parseTime(lastTransitionTime ?? '');
  const taint = node.spec?.taints?.find(({ key, effect }) => effect === 'NoExecute' && (key === unreachableTaint || key === notReadyTaint));
  const taintedMs = parseTime(taint?.timeAdded ?? '');
  return {
    reason: 'NodeNotReady',
    ...(sinceMs === undefined ? {} : { sinceMs }),
    summary: status === 'False' ? message || 'its kubelet says that it is not ready' : 'its kubelet has stopped reporting',
    ...(taintedMs === undefined ? {} : { next: nextOf(taintedMs + toleratedMs, nowMs) }),
  };
}

/** Evictions ask for an end that only its kubelet can bring. */
function nextOf(evictedMs: number, nowMs: number): Next {
  if (nowMs > evictedMs + evictingMs) return { text: 'pods that are to end stay until it reports again or its node is deleted' };
  return { text: 'its pods that do not tolerate it for longer are evicted', atMs: evictedMs };
}

/** A node that counts as ready may have fallen silent; no change of it says so. */
export function findSilent(node: Node, { get, nowMs, graceMs }: World): Finding | undefined {
  const { name = '' } = node.metadata;
  if (!isNodeReady(node)) return undefined;
  const lease = get('leases.coordination.k8s.io', 'kube-node-lease', name) as Lease | undefined;
  const renewedMs = parseTime(lease?.spec?.renewTime ?? '');
  if (renewedMs === undefined || nowMs - renewedMs < silenceMs) return undefined;
  return {
    reason: 'NodeSilent',
    sinceMs: renewedMs,
    summary: `its kubelet has not renewed its lease for ${formatDuration(Math.floor((nowMs - renewedMs) / 1000) * 1000)}, and it still counts as ready`,
    next: { text: 'it is marked as unreachable', atMs: renewedMs + graceMs },
  };
}

function underPressure({ type, message = '', lastTransitionTime }: NodeCondition): Finding {
  const sinceMs = parseTime(lastTransitionTime ?? '');
  return {
    reason: type,
    ...(sinceMs === undefined ? {} : { sinceMs }),
    summary: message || type,
    next: { text: 'its kubelet evicts pods until it has enough again' },
  };
}
