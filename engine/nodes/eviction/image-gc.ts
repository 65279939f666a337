/** Images nobody uses go when the disk fills up, the longest unused first. Mirrors pkg/kubelet/images/image_gc_manager.go. */
import type { PodWorker } from '../kubelet/worker.ts';
import { containerSpec } from '../kubelet/environment.ts';
import type { Machine, MachineImage } from '../machine.ts';
import { unpackedFactor } from '../physics.ts';
import type { ImageCatalog } from '../runtime/image-catalog.ts';

/** Images of containers that are there, running or not, are in use since now. */
export function markUsedImages(machine: Machine, workers: readonly PodWorker[], catalog: ImageCatalog, nowMs: number): ReadonlySet<string> {
  const used = new Set<string>();
  for (const worker of workers) {
    for (const run of worker.containers) {
      if (run.id === '' && worker.stage !== 'active') continue;
      const name = catalog.parse(containerSpec(worker.pod, run).image ?? '');
      if (typeof name !== 'string') used.add(name.full);
    }
  }
  for (const name of used) {
    const image = machine.images.get(name);
    if (image !== undefined) machine.images.set(name, { ...image, lastUsedMs: nowMs });
  }
  return used;
}

/** Removes unused images until so many bytes are free; answers how many became free. `minAgeMs` spares what came just now. */
export function freeImages(machine: Machine, used: ReadonlySet<string>, bytesToFree: number, nowMs: number, minAgeMs: number): number {
  const unused = [...machine.images].filter(([name, image]) => !used.has(name) && nowMs - image.pulledMs >= minAgeMs).sort(byUse);
  let freed = 0;
  for (const [name, { sizeBytes }] of unused) {
    if (freed >= bytesToFree) break;
    machine.images.delete(name);
    machine.imagesChanged = true;
    freed += sizeBytes * unpackedFactor;
  }
  return freed;
}

function byUse([left, a]: readonly [string, MachineImage], [right, b]: readonly [string, MachineImage]): number {
  return a.lastUsedMs - b.lastUsedMs || a.pulledMs - b.pulledMs || (left < right ? -1 : 1);
}
