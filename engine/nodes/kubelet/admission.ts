/**
 * Whether a node takes a pod that was bound to it. Mirrors pkg/kubelet/lifecycle/predicate.go with the scheduler's AdmissionCheck:
 * resources, node selector and affinity, host ports, NoExecute taints; before them pressure and kernel settings, after them a shutdown.
 */
import { assert } from '../../base/assert.ts';
import { getOwn } from '../../base/dictionary.ts';
import type { Node, Pod, Taint } from '../../api/core/v1/types.gen.ts';
import { matchesRequiredNodeAffinity } from '../../component-helpers/node-affinity.ts';
import { isExtendedResource } from '../../component-helpers/resource-names.ts';
import { quantityAmount } from '../../component-helpers/quantity-amount.ts';
import { tolerationsTolerateTaint } from '../../component-helpers/tolerations.ts';
import { podQosClass } from '../../component-helpers/pod-qos.ts';
import type { Machine } from '../machine.ts';
import { chooseVictims } from './preemption.ts';
import { forbiddenSysctl } from './sysctls.ts';
import { isCritical, type PodWorker, type Verdict } from './worker.ts';

/** Refused; or taken, once these have ended who stand in its way; or taken. */
export type Admission = { readonly verdict: Verdict } | { readonly victims: readonly PodWorker[] };

const taken: Admission = { victims: [] };

/** `others` are the pods that use the node now; `node` is the API's, which says what may be taken. */
export function admit(worker: PodWorker, others: readonly PodWorker[], machine: Machine, node: Node | undefined): Admission {
  assert(!others.includes(worker), 'a pod does not stand in its own way');
  const early = refusedUnderPressure(worker, machine) ?? sysctlRefused(worker.pod) ?? systemRefused(worker.pod, node);
  if (early !== undefined) return { verdict: early };
  const shortages = shortagesOf(withoutDevices(worker), others, machine, node, true);
  const reasons = [...shortages.map((found) => insufficient(found)), ...otherReasons(worker, others, node)];
  if (isCritical(worker)) reasons.splice(0, shortages.length);
  const [verdict] = reasons;
  if (verdict !== undefined) return { verdict };
  if (machine.shutdown !== null) return { verdict: { reason: 'NodeShutdown', message: 'Pod was rejected as the node is shutting down.' } };
  if (shortages.length === 0) return taken;
  const victims = chooseVictims(
    worker,
    others,
    shortages.map(({ resource, requested, used, capacity }) => ({ resource, amount: requested - (capacity - used) })),
  );
  return typeof victims === 'string' ? { verdict: unrecovered(victims) } : { victims };
}

/** The first resource of which the node has not enough left beside the others. */
export function missingResource(
  requests: { readonly [resource: string]: number },
  others: readonly PodWorker[],
  machine: Machine,
  node: Node | undefined,
): Verdict | undefined {
  const [first] = shortagesOf(requests, others, machine, node, false);
  return first === undefined ? undefined : insufficient(first);
}

/** What devices stand for was found by the scheduler, which told so on the pod. */
function withoutDevices({ requests, pod }: PodWorker): { readonly [resource: string]: number } {
  const mappings = pod.status?.extendedResourceClaimStatus?.requestMappings ?? [];
  if (mappings.length === 0) return requests;
  const stoodFor = new Set(mappings.map(({ resourceName }) => resourceName));
  return Object.fromEntries(Object.entries(requests).filter(([resource]) => !stoodFor.has(resource)));
}

interface Insufficient {
  readonly resource: string;
  readonly requested: number;
  readonly used: number;
  readonly capacity: number;
}

/** In upstream's order: pods, cpu, memory, storage, then whatever else there is. */
function shortagesOf(
  requests: { readonly [resource: string]: number },
  others: readonly PodWorker[],
  machine: Machine,
  node: Node | undefined,
  isNew: boolean,
): readonly Insufficient[] {
  const allocatable = node?.status?.allocatable ?? machine.capacity;
  const found: Insufficient[] = [];
  const podsMax = quantityAmount('pods', getOwn(allocatable, 'pods') ?? '0');
  if (isNew && others.length + 1 > podsMax) found.push({ resource: 'pods', requested: 1, used: others.length, capacity: podsMax });
  for (const resource of inOrder(Object.keys(requests))) {
    const requested = getOwn(requests, resource) ?? 0;
    const available = getOwn(allocatable, resource);
    // A cluster-wide resource that no node advertises is the scheduler's affair alone.
    if (requested === 0 || (available === undefined && isExtendedResource(resource))) continue;
    const capacity = quantityAmount(resource, available ?? '0');
    let used = 0;
    for (const other of others) used += getOwn(other.requests, resource) ?? 0;
    if (requested > capacity - used) found.push({ resource, requested, used, capacity });
  }
  return found;
}

const judgedFirst: readonly string[] = ['cpu', 'memory', 'ephemeral-storage'];

function inOrder(resources: readonly string[]): readonly string[] {
  const rest = resources.filter((resource) => !judgedFirst.includes(resource)).sort();
  return [...judgedFirst.filter((resource) => resources.includes(resource)), ...rest];
}

function otherReasons(worker: PodWorker, others: readonly PodWorker[], node: Node | undefined): readonly Verdict[] {
  const { pod, isStatic } = worker;
  const reasons: Verdict[] = [];
  if (node !== undefined && !matchesRequiredNodeAffinity(pod, node))
    reasons.push(predicate('NodeAffinity', "node(s) didn't match Pod's node affinity/selector"));
  if (portsCollide(pod, others)) reasons.push(predicate('NodePorts', "node(s) didn't have free ports for the requested pod ports"));
  const tolerations = pod.spec?.tolerations;
  const taint = node?.spec?.taints?.find((one) => one.effect === 'NoExecute' && !tolerationsTolerateTaint(tolerations, one));
  if (taint !== undefined && !isStatic) reasons.push(predicate('TaintToleration', "node(s) had taints that the pod didn't tolerate"));
  return reasons;
}

function sysctlRefused(pod: Pod): Verdict | undefined {
  const message = forbiddenSysctl(pod);
  return message === undefined ? undefined : { reason: 'SysctlForbidden', message };
}

const osLabel = 'kubernetes.io/os';

/** What no room that others make can mend: another operating system, groups that the runtime cannot keep to. */
function systemRefused({ metadata, spec }: Pod, node: Node | undefined): Verdict | undefined {
  const asked = getOwn(metadata.labels, osLabel);
  if (asked !== undefined && asked !== 'linux')
    return {
      reason: 'PodOSSelectorNodeLabelDoesNotMatch',
      message: "Failed to admit pod as the `kubernetes.io/os` label doesn't match node label",
    };
  if (spec?.os?.name !== undefined && spec.os.name !== 'linux')
    return { reason: 'PodOSNotSupported', message: "Failed to admit pod as the OS field doesn't match node OS" };
  if (spec?.securityContext?.supplementalGroupsPolicy !== 'Strict' || node?.status?.features?.supplementalGroupsPolicy === true) return undefined;
  return { reason: 'SupplementalGroupsPolicyNotSupported', message: 'SupplementalGroupsPolicy=Strict is not supported in this node' };
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

function insufficient({ resource, requested, used, capacity }: Insufficient): Verdict {
  const message = `Node didn't have enough resource: ${resource}, requested: ${requested}, used: ${used}, capacity: ${capacity}`;
  return { reason: `OutOf${resource}`, message };
}

function unrecovered(why: string): Verdict {
  const message = `Unexpected error while attempting to recover from admission failure: preemption: error finding a set of pods to preempt: ${why}`;
  return { reason: 'UnexpectedAdmissionError', message };
}

function predicate(reason: string, text: string): Verdict {
  return { reason, message: `Predicate ${reason} failed: ${text}` };
}

/** Two may have the same port for two protocols, and for two addresses of which neither is all of them. */
function portsCollide(pod: Pod, others: readonly PodWorker[]): boolean {
  const wanted = hostPorts(pod);
  if (wanted.length === 0) return false;
  return others.some((other) =>
    hostPorts(other.pod).some((port) =>
      wanted.some(({ what, ip }) => what === port.what && (ip === port.ip || ip === everywhere || port.ip === everywhere)),
    ),
  );
}

const everywhere = '0.0.0.0';

interface HostPort {
  /** Protocol and number. */
  readonly what: string;
  readonly ip: string;
}

function hostPorts(pod: Pod): readonly HostPort[] {
  return (pod.spec?.containers ?? []).flatMap(({ ports }) =>
    (ports ?? []).flatMap(({ hostPort, protocol = 'TCP', hostIP }) =>
      hostPort ? [{ what: `${protocol}/${hostPort}`, ip: hostIP || everywhere }] : [],
    ),
  );
}
