/**
 * What a pod asks of a node, as numbers: cpu in thousandths, everything else in units. Mirrors k8s.io/component-helpers
 * resource/helpers.go: init containers count by their maximum, sidecars add to all that starts after them, overhead comes on top,
 * pod-level requests replace the sums of cpu, memory and huge pages.
 */
import type { Container, ContainerStatus, Pod } from '../api/core/v1/types.gen.ts';
import { quantityAmount } from './quantity-amount.ts';
import { fieldAt } from '../base/plain.ts';

export type ResourceAmounts = { [name: string]: number };
type Texts = { readonly [name: string]: string };

export interface PodResourcesOptions {
  /** Count what is allocated and in force besides what the spec wants, for pods being resized. */
  readonly useStatus?: boolean;
  readonly excludeOverhead?: boolean;
  readonly skipPodLevel?: boolean;
  /** What containers that ask nothing of a resource are taken to ask. */
  readonly nonMissing?: ResourceAmounts;
}

/** Amounts of a resource list. */
export function toAmounts(list: Texts | undefined): ResourceAmounts {
  const amounts: ResourceAmounts = {};
  if (list !== undefined) addTexts(amounts, list);
  return amounts;
}

export function podRequests(pod: Pod, options: PodResourcesOptions = {}): ResourceAmounts {
  const amounts = aggregate(pod, options, 'requests');
  if (options.skipPodLevel !== true) override(amounts, pod, options, 'requests');
  if (options.excludeOverhead !== true && pod.spec?.overhead) addTexts(amounts, pod.spec.overhead);
  return amounts;
}

export function podLimits(pod: Pod, options: PodResourcesOptions = {}): ResourceAmounts {
  const amounts = aggregate(pod, options, 'limits');
  if (options.skipPodLevel !== true) override(amounts, pod, options, 'limits');
  if (options.excludeOverhead === true) return amounts;
  for (const [name, text] of Object.entries(pod.spec?.overhead ?? {})) {
    if ((amounts[name] ?? 0) > 0) amounts[name] = (amounts[name] ?? 0) + quantityAmount(name, text);
  }
  return amounts;
}

export function isPodLevelResource(name: string): boolean {
  return name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');
}

function override(amounts: ResourceAmounts, pod: Pod, { useStatus }: PodResourcesOptions, side: Side): void {
  const list = pod.spec?.resources?.[side];
  if (list === undefined) return;
  const told = useStatus === true && pod.status?.resources ? effective(pod, toAmounts(list), pod.status, side) : undefined;
  for (const name in list) if (isPodLevelResource(name)) amounts[name] = told?.[name] ?? quantityAmount(name, fieldAt(list, name) ?? '0');
}

function addTexts(into: ResourceAmounts, list: Texts): void {
  for (const name in list) into[name] = (into[name] ?? 0) + quantityAmount(name, fieldAt(list, name) ?? '0');
}

function addAmounts(into: ResourceAmounts, more: ResourceAmounts): void {
  for (const name in more) into[name] = (into[name] ?? 0) + (fieldAt(more, name) ?? 0);
}

function maxAmounts(into: ResourceAmounts, more: ResourceAmounts): void {
  for (const name in more) if ((into[name] ?? -1) < (fieldAt(more, name) ?? 0)) into[name] = fieldAt(more, name) ?? 0;
}

type Side = 'requests' | 'limits';

function aggregate(pod: Pod, options: PodResourcesOptions, side: Side): ResourceAmounts {
  const sum: ResourceAmounts = {};
  for (const container of pod.spec?.containers ?? []) {
    if (options.useStatus === true || options.nonMissing !== undefined) addAmounts(sum, amountsOf(pod, container, options, side, true));
    else if (container.resources?.[side]) addTexts(sum, container.resources[side]);
  }
  const inits = pod.spec?.initContainers;
  if (inits === undefined || inits.length === 0) return sum;
  const sidecars: ResourceAmounts = {};
  const peak: ResourceAmounts = {};
  for (const container of inits) {
    const sidecar = container.restartPolicy === 'Always';
    const own = amountsOf(pod, container, options, side, sidecar);
    if (sidecar) {
      addAmounts(sum, own);
      addAmounts(sidecars, own);
      maxAmounts(peak, sidecars);
    } else {
      addAmounts(own, sidecars);
      maxAmounts(peak, own);
    }
  }
  maxAmounts(sum, peak);
  return sum;
}

function amountsOf(pod: Pod, container: Container, options: PodResourcesOptions, side: Side, resizable: boolean): ResourceAmounts {
  let own = toAmounts(container.resources?.[side]);
  if (options.useStatus === true && resizable) {
    const status = statusOf(pod, container.name);
    if (status?.resources) own = effective(pod, own, status, side);
  }
  if (side === 'requests') for (const name in options.nonMissing) if (own[name] === undefined) own[name] = options.nonMissing[name] ?? 0;
  return own;
}

function statusOf(pod: Pod, name: string): ContainerStatus | undefined {
  const find = (list: readonly ContainerStatus[] | undefined): ContainerStatus | undefined => list?.find((status) => status.name === name);
  return find(pod.status?.containerStatuses) ?? find(pod.status?.initContainerStatuses);
}

/** A resize that cannot be done leaves the wish out of account. */
function effective(
  pod: Pod,
  wanted: ResourceAmounts,
  status: Pick<ContainerStatus, 'resources' | 'allocatedResources'>,
  side: Side,
): ResourceAmounts {
  const infeasible = pod.status?.conditions?.find((condition) => condition.type === 'PodResizePending')?.reason === 'Infeasible';
  const amounts = toAmounts(status.resources?.[side]);
  if (side === 'requests') maxAmounts(amounts, toAmounts(status.allocatedResources));
  if (!infeasible) maxAmounts(amounts, wanted);
  return amounts;
}
