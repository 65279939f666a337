/** Resources of dynamic allocation, and which ResourceClaim a pod's claim stands for. Mirrors k8s.io/dynamic-resource-allocation/resourceclaim. */
import type { Pod } from '../../api/core/v1/types.gen.ts';
import type { ResourceClaim } from '../../api/resource/v1/types.gen.ts';
import { isPodTerminal } from '../../component-helpers/pod.ts';
import { claimNameOf, isReservedFor, mayBeReserved } from '../../component-helpers/resource-claims.ts';

export { resourceClaims, resourceClaimTemplates, resourceSlices } from '../../client/resources.ts';
export {
  claimFinalizer,
  claimNameOf,
  claimNameOfGroup,
  consumerOf,
  isClaimOfGroup,
  isMadeFor,
  isMadeForGroup,
  isReservationOfGroup,
} from '../../component-helpers/resource-claims.ts';

export const podClaimAnnotation = 'resource.kubernetes.io/pod-claim-name';

/** Names of the claims that a pod is known to use. */
export function knownClaimNames(pod: Pod): readonly string[] {
  const names = (pod.spec?.resourceClaims ?? []).flatMap((claim) => {
    const found = claimNameOf(pod, claim);
    return typeof found === 'string' ? [] : [found.name];
  });
  const extended = pod.status?.extendedResourceClaimStatus?.resourceClaimName;
  return extended === undefined ? names : [...names, extended];
}

export function mayReserve(claim: ResourceClaim, pod: Pod, sharesGroups = false): boolean {
  return claim.status?.allocation !== undefined && mayBeReserved(claim) && !isReservedFor(claim, pod, sharesGroups);
}

/** The group of pods that a pod says it belongs to, as an index has it. */
export function keysOfGroup({ metadata, spec }: Pod): readonly string[] {
  const group = spec?.schedulingGroup?.podGroupName;
  return group === undefined ? [] : [`${metadata.namespace}/${group}`];
}

/** It will not run any more. */
export function isPodDone(pod: Pod): boolean {
  return isPodTerminal(pod) || (pod.metadata.deletionTimestamp !== undefined && !pod.spec?.nodeName);
}

/** Shortened in proportion where both names together are too long for five characters more. */
export function generateNameOf(pod: string, claim: string): string {
  const most = 57;
  const whole = `${pod}-${claim}-`;
  if (whole.length <= most) return whole;
  const cut = pod.slice(0, Math.floor((pod.length * most) / whole.length));
  const short = `${cut}-${claim.slice(0, Math.floor((claim.length * most) / whole.length))}`;
  return short;
}
