/**
 * Taints of nodes: which ones its conditions ask for, and putting them on and taking them off. Mirrors AddOrUpdateTaintOnNode and
 * RemoveTaintOffNode of pkg/controller/controller_utils.go.
 */
import { getOwn } from '../../base/dictionary.ts';
import type { Node, Taint } from '../../api/core/v1/types.gen.ts';
import { isConflict } from '../../apimachinery/errors.ts';
import { StatusError } from '../../apimachinery/status.ts';
import type { JsonValue } from '../../base/json.ts';
import type { Client } from '../../client/client.ts';
import { nodes } from '../../client/resources.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';

export const unreachable: Taint = { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' };
export const notReady: Taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' };

const conflictRetriesMax = 5;
const unschedulable = 'node.kubernetes.io/unschedulable';

/** Taint key by condition type and status. */
const conditionTaints: { readonly [type: string]: { readonly [status: string]: string } } = {
  Ready: { False: notReady.key, Unknown: unreachable.key },
  MemoryPressure: { True: 'node.kubernetes.io/memory-pressure' },
  DiskPressure: { True: 'node.kubernetes.io/disk-pressure' },
  NetworkUnavailable: { True: 'node.kubernetes.io/network-unavailable' },
  PIDPressure: { True: 'node.kubernetes.io/pid-pressure' },
};
const mirrored: readonly string[] = [unschedulable, ...Object.values(conditionTaints).flatMap((byStatus) => Object.values(byStatus))];

export function hasTaint({ spec }: Node, { key, effect }: Taint): boolean {
  return spec?.taints?.some((taint) => taint.key === key && taint.effect === effect) ?? false;
}

/** False where the API server refuses, or it is to be tried again. */
export async function attempt(write: () => Promise<void>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (!(error instanceof StatusError) && !(error instanceof RetryError)) throw error;
    return false;
  }
}

/** How the NoSchedule taints differ from what conditions and cordon ask for. */
export function noScheduleDifference(node: Node): { readonly add: readonly Taint[]; readonly remove: readonly Taint[] } {
  const wanted: string[] = [];
  for (const { type, status } of node.status?.conditions ?? []) {
    const key = getOwn(conditionTaints, type)?.[status];
    if (key !== undefined) wanted.push(key);
  }
  if (node.spec?.unschedulable) wanted.push(unschedulable);
  const present = (node.spec?.taints ?? []).filter(({ key, effect }) => effect === 'NoSchedule' && mirrored.includes(key));
  return {
    add: wanted.filter((key) => !present.some((taint) => taint.key === key)).map((key) => ({ key, effect: 'NoSchedule' })),
    remove: present.filter(({ key }) => !wanted.includes(key)),
  };
}

/** Puts taints on the live node, stamped, then takes others off. */
export async function swapTaints(client: Client, node: Node, add: readonly Taint[], remove: readonly Taint[], now: string): Promise<void> {
  const { name = '' } = node.metadata;
  if (add.length > 0)
    await editTaints(client, name, (taints) =>
      addOrUpdate(
        taints,
        add.map((taint) => ({ ...taint, timeAdded: now })),
      ),
    );
  await removeTaints(client, node, remove);
}

/** Costs nothing when the node as known here has none of them. Says whether it has asked. */
export async function removeTaints(client: Client, node: Node, remove: readonly Taint[]): Promise<boolean> {
  if (!remove.some((taint) => hasTaint(node, taint))) return false;
  await editTaints(client, node.metadata.name ?? '', (taints) => {
    const left = taints.filter((taint) => !remove.some(({ key, effect }) => key === taint.key && effect === taint.effect));
    return left.length === taints.length ? taints : left;
  });
  return true;
}

function addOrUpdate(taints: readonly Taint[], add: readonly Taint[]): readonly Taint[] {
  let result = taints;
  for (const taint of add) {
    const position = result.findIndex(({ key, effect }) => key === taint.key && effect === taint.effect);
    result = position < 0 ? [...result, taint] : result.map((old, i) => (i === position ? taint : old));
  }
  return result;
}

async function editTaints(client: Client, name: string, edit: (taints: readonly Taint[]) => readonly Taint[]): Promise<void> {
  for (let attempts = 0; attempts < conflictRetriesMax; attempts++) {
    const live = await client.get(nodes, undefined, name);
    const before = live.spec?.taints ?? [];
    const after = edit(before);
    if (after === before) return;
    const taints = after.length > 0 ? (after.map((taint) => ({ ...taint })) as unknown as JsonValue) : null;
    const patch = { metadata: { resourceVersion: live.metadata.resourceVersion ?? '' }, spec: { taints } };
    try {
      await client.patch(nodes, undefined, name, 'strategic', patch);
      return;
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }
  throw new RetryError(`failed to update taints of node ${name}`);
}
