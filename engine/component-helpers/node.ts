/**
 * Pure questions about nodes: readiness, roles, addresses. Mirrors pkg/util/node and printNode of pkg/printers/internalversion.
 */
import type { Node, NodeCondition } from '../api/core/v1/types.gen.ts';
import { findCondition } from './pod.ts';

const rolePrefix = 'node-role.kubernetes.io/';

export function getNodeCondition(node: Node, type: string): NodeCondition | undefined {
  return findCondition(node.status?.conditions, type);
}

/** What a node says of its readiness, or others of it; `Gone` where there is no such node. */
export type NodeReadiness = 'True' | 'False' | 'Unknown' | 'Gone';

export function nodeReadiness(node: Node | undefined): NodeReadiness {
  if (node === undefined) return 'Gone';
  const status = getNodeCondition(node, 'Ready')?.status;
  return status === 'True' || status === 'False' ? status : 'Unknown';
}

export function isNodeReady(node: Node): boolean {
  return getNodeCondition(node, 'Ready')?.status === 'True';
}

/** `Ready`, `NotReady`, `Unknown`, with `SchedulingDisabled` when cordoned. */
export function nodeStatusText(node: Node): string {
  const ready = getNodeCondition(node, 'Ready');
  const text = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return node.spec?.unschedulable === true ? `${text},SchedulingDisabled` : text;
}

/** From `node-role.kubernetes.io/<role>` and `kubernetes.io/role`, sorted. */
export function nodeRoles(node: Node): readonly string[] {
  const roles = new Set<string>();
  for (const [key, value] of Object.entries(node.metadata.labels ?? {})) {
    if (key.startsWith(rolePrefix) && key.length > rolePrefix.length) roles.add(key.slice(rolePrefix.length));
    else if (key === 'kubernetes.io/role' && value !== '') roles.add(value);
  }
  return [...roles].sort();
}

/** The first address of a type such as `InternalIP`. */
export function getNodeAddress(node: Node, type: string): string | undefined {
  return node.status?.addresses?.find((address) => address.type === type)?.address;
}

/** By its well-known label, or the older one; '' where it stands in none. */
export function nodeZone({ metadata: { labels = {} } }: Node): string {
  return labels['topology.kubernetes.io/zone'] ?? labels['failure-domain.beta.kubernetes.io/zone'] ?? '';
}

/** `zone` of the well-known topology label, with region before it, as the scheduler and the node lifecycle controller group nodes. */
export function nodeZoneKey(node: Node): string {
  const labels = node.metadata.labels ?? {};
  const zone = nodeZone(node);
  const region = labels['topology.kubernetes.io/region'] ?? labels['failure-domain.beta.kubernetes.io/region'] ?? '';
  return zone === '' && region === '' ? '' : `${region}:\x00:${zone}`;
}
