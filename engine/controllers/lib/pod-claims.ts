/** Pods by the claims that they name. Mirrors AddPodPVCIndexerIfNotPresent of pkg/controller/volume/common. */
import type { Pod } from '../../api/core/v1/types.gen.ts';
import { podClaimNames } from '../../component-helpers/pod-references.ts';

/** Name of the index of pods; its values are keys of claims. */
export const podClaimIndex = 'pod-pvc-index';

/** Keys of the claims that a pod names, those made for its ephemeral volumes among them. */
export function podClaimKeys(pod: Pod): readonly string[] {
  return podClaimNames(pod).map((name) => `${pod.metadata.namespace ?? ''}/${name}`);
}

/** It has ended, or is being deleted and nothing of it runs (IsPodTerminated of pkg/api/v1/pod). */
export function isTerminated({ status, metadata }: Pod): boolean {
  const ended = status?.phase === 'Failed' || status?.phase === 'Succeeded';
  const nothingRuns = (status?.containerStatuses ?? []).every(({ state }) => state?.terminated !== undefined || state?.waiting !== undefined);
  return ended || (metadata.deletionTimestamp !== undefined && nothingRuns);
}
