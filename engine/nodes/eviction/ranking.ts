/** Which pod goes first, and what it is told. Mirrors rankMemoryPressure, rankDiskPressureFunc and evictionMessage of pkg/kubelet/eviction/helpers.go. */
import { formatQuantity, newQuantity } from '../../apimachinery/quantity.ts';
import { getOwn } from '../../base/dictionary.ts';
import { unitAmount } from '../../component-helpers/quantity-amount.ts';
import type { EvictionThreshold } from '../../component-helpers/eviction-thresholds.ts';
import { containerSpec } from '../kubelet/environment.ts';
import type { PodWorker } from '../kubelet/worker.ts';
import { containerUsage, podUsage, type Usage } from '../metrics/usage.ts';
import type { ImageCatalog } from '../runtime/image-catalog.ts';
import { amountOf, type EvictedResource, type Observations, resourceOf } from './signals.ts';

interface Ranked {
  readonly worker: PodWorker;
  readonly priority: number;
  readonly isAboveRequest: boolean;
  /** Beyond what it asked for. */
  readonly excess: number;
}

/** The first is evicted first; equals stay in the order in which they came. */
export function rank(
  workers: readonly PodWorker[],
  resource: EvictedResource,
  nowMs: number,
  images: { readonly catalog: ImageCatalog },
): readonly PodWorker[] {
  const ranked = workers.map((worker): Ranked => {
    const used = usedOf(podUsage(worker, nowMs, images), resource);
    const requested = getOwn(worker.requests, resource) ?? 0;
    return {
      worker,
      priority: worker.pod.spec?.priority ?? 0,
      isAboveRequest: resource !== 'pids' && used > requested,
      excess: used - (resource === 'inodes' ? (getOwn(worker.requests, 'ephemeral-storage') ?? 0) : requested),
    };
  });
  return ranked
    .sort((a, b) => Number(b.isAboveRequest) - Number(a.isAboveRequest) || a.priority - b.priority || b.excess - a.excess)
    .map(({ worker }) => worker);
}

function usedOf(usage: Usage, resource: EvictedResource): number {
  switch (resource) {
    case 'memory':
      return usage.memoryBytes;
    case 'ephemeral-storage':
      return usage.diskBytes + usage.logBytes;
    case 'inodes':
      return usage.inodes;
    case 'pids':
      return usage.processes;
  }
}

export interface EvictionTold {
  readonly message: string;
  /** Of the Event. */
  readonly annotations?: { readonly [name: string]: string };
}

export function evictionMessage(
  worker: PodWorker,
  resource: EvictedResource,
  thresholds: readonly EvictionThreshold[],
  observations: Observations,
  nowMs: number,
  images: { readonly catalog: ImageCatalog },
): EvictionTold {
  const [names, usages]: [string[], string[]] = [[], []];
  let message = `The node was low on resource: ${resource}. `;
  const met = thresholds.find(({ signal }) => resourceOf[signal] === resource);
  if (met !== undefined) {
    const { capacity, available } = observations[met.signal];
    const isBytes = resource === 'memory' || resource === 'ephemeral-storage';
    const text = (value: number): string => formatQuantity(newQuantity(Math.trunc(value), isBytes ? 'BinarySI' : 'DecimalSI'));
    message += `Threshold quantity: ${text(amountOf(met.value, capacity))}, available: ${text(available)}. `;
  }
  const isCounted = resource === 'memory' || resource === 'ephemeral-storage';
  for (const run of isCounted ? worker.containers : []) {
    if (run.state !== 'running' || run.role === 'ephemeral') continue;
    const used = usedOf(containerUsage(worker, run, nowMs, images), resource);
    const request = getOwn(containerSpec(worker.pod, run).resources?.requests, resource) ?? '0';
    if (used > unitAmount(request)) {
      const usedText = formatQuantity(newQuantity(used, 'BinarySI'));
      message += `Container ${run.name} was using ${usedText}, request is ${request}, has larger consumption of ${resource}. `;
      names.push(run.name);
      usages.push(usedText);
    }
  }
  const annotations = { offending_containers: names.join(), offending_containers_usage: usages.join(), starved_resource: resource };
  return { message, annotations };
}
