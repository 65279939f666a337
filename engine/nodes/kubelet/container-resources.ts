/** What a container may use now, which is what its pod asks for unless a resize is under way. */
import type { ResourceRequirements } from '../../api/core/v1/types.gen.ts';
import { containerSpec } from './environment.ts';
import type { ContainerRun, PodWorker } from './worker.ts';

const none: ResourceRequirements = Object.freeze({});

export function actualResources(worker: PodWorker, run: ContainerRun): ResourceRequirements {
  return containerSpec(worker.pod, run).resources ?? none;
}
