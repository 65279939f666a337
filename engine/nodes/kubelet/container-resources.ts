/** What a pod and its containers may use: as the pod asks for, unless a resize is on its way. */
import type { ResourceRequirements } from '../../api/core/v1/types.gen.ts';
import { getOwn } from '../../base/dictionary.ts';
import { containerSpec } from './environment.ts';
import type { ContainerRun, PodWorker } from './worker.ts';

const none: ResourceRequirements = Object.freeze({});

/** A container, or its pod as a whole. */
export type Sized = ContainerRun | PodWorker;

export function isWhole(part: Sized): part is PodWorker {
  return 'containers' in part;
}

export function wantedResources({ pod }: PodWorker, part: Sized): ResourceRequirements {
  return (isWhole(part) ? pod.spec?.resources : containerSpec(pod, part).resources) ?? none;
}

/** What is in force. */
export function actualResources(worker: PodWorker, part: Sized): ResourceRequirements {
  return part.actual ?? wantedResources(worker, part);
}

/** What its node has set aside for it. */
export function allocatedResources(worker: PodWorker, part: Sized): ResourceRequirements {
  return part.allocated ?? wantedResources(worker, part);
}

/** A container without a limit of its own has that of its pod. */
export function limitInForce(worker: PodWorker, run: ContainerRun, resource: string): string | undefined {
  return getOwn(actualResources(worker, run).limits, resource) ?? getOwn(actualResources(worker, worker).limits, resource);
}
