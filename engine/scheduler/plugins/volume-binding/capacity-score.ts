/** How full storage would be: what is asked for against what there is, class by class (volumebinding/scorer.go; gate StorageCapacityScoring). */
import { parseQuantity, quantityValue } from '../../../apimachinery/quantity.ts';
import { claimClass, requestedStorage } from '../../../component-helpers/storage.ts';
import type { PodVolumes } from './pod-volumes.ts';

export interface ShapePoint {
  /** Percent of what there is. */
  readonly utilization: number;
  /** 0 to 10. */
  readonly score: number;
}

/** Free space is good. */
export const standardShape: readonly ShapePoint[] = [
  { utilization: 0, score: 10 },
  { utilization: 100, score: 0 },
];

/** 0 to 100; 0 where nothing is known of any class. Volumes that are there already go before those that would be made. */
export function capacityScore({ statics, provisions, capacities }: PodVolumes, shape: readonly ShapePoint[]): number {
  const classes = new Map<string, { requested: number; capacity: number }>();
  const add = (name: string, requested: number, capacity: (before: number) => number): void => {
    const before = classes.get(name) ?? { requested: 0, capacity: 0 };
    classes.set(name, { requested: before.requested + requested, capacity: capacity(before.capacity) });
  };
  for (const { claim, volume } of statics) {
    const size = quantityValue(parseQuantity(volume.spec?.capacity?.['storage'] ?? '0'));
    add(volume.spec?.storageClassName ?? '', quantityValue(requestedStorage(claim)), (before) => before + size);
  }
  if (statics.length === 0)
    for (const [i, claim] of provisions.entries()) {
      const known = capacities[i];
      // Two volumes of a class are made from the same space.
      if (known !== undefined) add(claimClass(claim), quantityValue(requestedStorage(claim)), () => known);
    }
  if (classes.size === 0) return 0;
  let sum = 0;
  for (const { requested, capacity } of classes.values())
    sum += onShape(shape, capacity === 0 || requested > capacity ? 100 : Math.trunc((requested * 100) / capacity));
  return Math.round(sum / classes.size);
}

/** The broken line through the points, 0 to 100. */
function onShape(shape: readonly ShapePoint[], utilization: number): number {
  const next = shape.findIndex((point) => utilization <= point.utilization);
  const after = shape[next];
  const before = shape[next < 0 ? shape.length - 1 : next - 1];
  if (before === undefined) return (after?.score ?? 0) * 10;
  if (after === undefined) return before.score * 10;
  const rise = (after.score - before.score) * 10 * (utilization - before.utilization);
  return before.score * 10 + Math.trunc(rise / (after.utilization - before.utilization));
}
