/** Small questions about a pod as its kubelet sees it. */
import type { Pod } from '../../api/core/v1/types.gen.ts';
import { type Cause, writeCause } from '../../base/causes.ts';

/** What its deletion or its spec says, in milliseconds. */
export function graceMs(pod: Pod): number {
  return Number(pod.metadata.deletionGracePeriodSeconds ?? pod.spec?.terminationGracePeriodSeconds ?? 30) * 1000;
}

/** By its version. */
export function isNewer(pod: Pod, known: Pod): boolean {
  return Number(pod.metadata.resourceVersion) > Number(known.metadata.resourceVersion);
}

/** The write that made it what it is. */
export function causesOf(pod: Pod): readonly Cause[] {
  return [writeCause(Number(pod.metadata.resourceVersion))];
}

/** Whether ResourceClaims say which devices it has. */
export function usesDevices({ spec, status }: Pod): boolean {
  return (spec?.resourceClaims?.length ?? 0) > 0 || status?.extendedResourceClaimStatus !== undefined;
}
