/**
 * What the status says of the resources of a pod as a whole, where its spec does: held by its node, and in force. Mirrors
 * convertToAPIPodLevelResourcesStatus of pkg/kubelet/kubelet_pods.go.
 */
import type { PodStatus, ResourceRequirements } from '../../api/core/v1/types.gen.ts';
import { formatQuantity, newMilliQuantity, newQuantity } from '../../apimachinery/quantity.ts';
import { getOwn } from '../../base/dictionary.ts';
import { podLimits, podRequests, type ResourceAmounts } from '../../component-helpers/resources.ts';
import { actualResources, allocatedResources } from './container-resources.ts';
import { allocatedPod } from './resize.ts';
import type { PodWorker } from './worker.ts';

type Amounts = NonNullable<ResourceRequirements['requests']>;

export function wholeResources(worker: PodWorker, phase: string): Pick<PodStatus, 'allocatedResources' | 'resources'> {
  const { requests, limits } = allocatedResources(worker, worker);
  if (requests === undefined && limits === undefined) return {};
  const held = allocatedPod(worker);
  const allocated = inWords(podRequests(held), requests);
  return {
    allocatedResources: allocated,
    resources: phase === 'Running' ? inForce(worker, allocated) : shown(allocated, inWords(podLimits(held), limits)),
  };
}

/** Huge pages cannot be resized; a request of memory is not enforced, and counted where the pod says nothing. */
function inForce(worker: PodWorker, allocated: Amounts): ResourceRequirements {
  const { requests = {}, limits = {} } = actualResources(worker, worker);
  const memory = getOwn(allocated, 'memory');
  return shown(memory === undefined || getOwn(requests, 'memory') !== undefined ? requests : { ...requests, memory }, limits);
}

function shown(requests: Amounts, limits: Amounts): ResourceRequirements {
  return {
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(Object.keys(requests).length > 0 && { requests }),
  };
}

/** As the pod says it, and what it does not say as a sum. */
function inWords(amounts: ResourceAmounts, said: Amounts | undefined): Amounts {
  return Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, getOwn(said, name) ?? quantityText(name, amount)]));
}

function quantityText(resource: string, amount: number): string {
  if (resource === 'cpu') return formatQuantity(newMilliQuantity(amount));
  const isBytes = resource === 'memory' || resource === 'ephemeral-storage' || resource.startsWith('hugepages-');
  return formatQuantity(newQuantity(amount, isBytes ? 'BinarySI' : 'DecimalSI'));
}
