/**
 * What follows each change of a node at once: NoSchedule taints that mirror its conditions and cordon, and the older names of
 * well-known labels. Mirrors doNoScheduleTaintingPass and reconcileNodeLabels of pkg/controller/nodelifecycle.
 */
import { setOwn } from '../../base/dictionary.ts';
import type { Node } from '../../api/core/v1/types.gen.ts';
import type { Client } from '../../client/client.ts';
import { nodes } from '../../client/resources.ts';
import { noScheduleDifference, swapTaints } from './taints.ts';

const mirroredLabels = [
  ['kubernetes.io/os', 'beta.kubernetes.io/os'],
  ['kubernetes.io/arch', 'beta.kubernetes.io/arch'],
] as const;

/** The older names of labels; `taints` says whether conditions are taints too. */
export async function mirrorNode(client: Client, node: Node, now: string, taints: boolean): Promise<void> {
  const { add, remove } = noScheduleDifference(node);
  if (taints && add.length + remove.length > 0) await swapTaints(client, node, add, remove, now);
  const own = node.metadata.labels ?? {};
  const labels: Record<string, string> = {};
  for (const [primary, secondary] of mirroredLabels) {
    const value = own[primary];
    if (value !== undefined && own[secondary] !== value) setOwn(labels, secondary, value);
  }
  if (Object.keys(labels).length > 0) await client.patch(nodes, undefined, node.metadata.name ?? '', 'strategic', { metadata: { labels } });
}
