/**
 * Whether a node takes a pod that was bound to it. Mirrors pkg/kubelet/lifecycle/predicate.go with the scheduler's AdmissionCheck:
 * resources, node selector and affinity, host ports, NoExecute taints.
 */
import { getOwn } from '../../base/dictionary.ts';
import type { Node, Pod, Taint } from '../../api/core/v1/types.gen.ts';
import { matchesRequiredNodeAffinity } from '../../component-helpers/node-affinity.ts';
import { isExtendedResource } from '../../component-helpers/resource-names.ts';
import { quantityAmount } from '../../component-helpers/quantity-amount.ts';
import { tolerationsTolerateTaint } from '../../component-helpers/tolerations.ts';
import { podQosClass } from '../../component-helpers/pod-qos.ts';
import type { Machine } from '../machine.ts';
import { isCritical, type PodWorker, type Verdict } from './worker.ts';

/** `others` are the pods that use the node now; `node` is the API's, which says what may be taken. */
export function admit(worker: PodWorker, others: readonly PodWorker[], machine: Machine, node: Node | undefined): Verdict | undefined {
  if (machine.shutdown !== null) return { reason: 'NodeShutdown', message: 'Pod was rejected as the node is shutting down.' };
  const pressure = refusedUnderPressure(worker, machine);
  if (pressure !== undefined) return pressure;
  const allocatable = node?.status?.allocatable ?? machine.capacity;
  const podsMax = quantityAmount('pods', getOwn(allocatable, 'pods') ?? '0');
  if (others.length + 1 > podsMax) return insufficient('pods', 1, others.length, podsMax);
  const missing = missingResource(worker.requests, others, machine, node);
  if (missing !== undefined) return missing;
  if (node !== undefined && !matchesRequiredNodeAffinity(worker.pod, node))
    return predicate('NodeAffinity', "node(s) didn't match Pod's node affinity/selector");
  if (portsCollide(worker.pod, others)) return predicate('NodePorts', "node(s) didn't have free ports for the requested pod ports");
  const tolerations = worker.pod.spec?.tolerations;
  const taint = node?.spec?.taints?.find((one) => one.effect === 'NoExecute' && !tolerationsTolerateTaint(tolerations, one));
  return taint === undefined ? undefined : predicate('TaintToleration', "node(s) had taints that the pod didn't tolerate");
}

/** The first resource of which the node has not enough left beside the others. */
export function missingResource(
  requests: { readonly [resource: string]: number },
  others: readonly PodWorker[],
  machine: Machine,
  node: Node | undefined,
): Verdict | undefined {
  const allocatable = node?.status?.allocatable ?? machine.capacity;
  for (const [resource, requested] of Object.entries(requests)) {
    const available = getOwn(allocatable, resource);
    // A cluster-wide resource that no node advertises is the scheduler's affair alone.
    if (requested === 0 || (available === undefined && isExtendedResource(resource))) continue;
    const capacity = quantityAmount(resource, available ?? '0');
    let used = 0;
    for (const other of others) used += getOwn(other.requests, resource) ?? 0;
    if (requested > capacity - used) return insufficient(resource, requested, used, capacity);
  }
  return undefined;
}

/** The eviction manager's Admit: pkg/kubelet/eviction/eviction_manager.go. */
function refusedUnderPressure(worker: PodWorker, { pressure: { conditions } }: Machine): Verdict | undefined {
  if (conditions.length === 0 || isCritical(worker)) return undefined;
  const { pod } = worker;
  const tolerates = tolerationsTolerateTaint(pod.spec?.tolerations, { key: 'node.kubernetes.io/memory-pressure', effect: 'NoSchedule' } as Taint);
  const isMemoryAlone = conditions.length === 1 && conditions[0] === 'MemoryPressure';
  if (isMemoryAlone && (podQosClass(pod) !== 'BestEffort' || tolerates)) return undefined;
  return { reason: 'Evicted', message: `The node had condition: [${conditions.join(' ')}]. ` };
}

function insufficient(resource: string, requested: number, used: number, capacity: number): Verdict {
  const message = `Node didn't have enough resource: ${resource}, requested: ${requested}, used: ${used}, capacity: ${capacity}`;
  return { reason: `OutOf${resource}`, message };
}

function predicate(reason: string, text: string): Verdict {
  return { reason, message: `Predicate ${reason} failed: ${text}` };
}

function portsCollide(pod: Pod, others: readonly PodWorker[]): boolean {
  const wanted = hostPorts(pod);
  if (wanted.length === 0) return false;
  return others.some((other) => hostPorts(other.pod).some((port) => wanted.includes(port)));
}

function hostPorts(pod: Pod): readonly string[] {
  const ports: string[] = [];
  for (const container of pod.spec?.containers ?? []) {
    for (const port of container.ports ?? []) if (port.hostPort) ports.push(`${port.protocol ?? 'TCP'}/${port.hostPort}`);
  }
  return ports;
}
