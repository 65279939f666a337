/** What a container may use: as its pod asks for, unless a resize is on its way. */
import type { ResourceRequirements } from '../../api/core/v1/types.gen.ts';
import { containerSpec } from './environment.ts';
import type { ContainerRun, PodWorker } from './worker.ts';

const none: ResourceRequirements = Object.freeze({});

/** What is in force. */
export function actualResources(worker: PodWorker, run: ContainerRun): ResourceRequirements {
  return run.actual ?? containerSpec(worker.pod, run).resources ?? none;
}

/** What its node has set aside for it. */
export function allocatedResources(worker: PodWorker, run: ContainerRun): ResourceRequirements {
  return run.allocated ?? containerSpec(worker.pod, run).resources ?? none;
}
