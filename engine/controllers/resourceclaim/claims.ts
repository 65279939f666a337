/** Which ResourceClaim a pod's claim stands for. Mirrors k8s.io/dynamic-resource-allocation/resourceclaim. */
import type { Pod, PodResourceClaim } from '../../api/core/v1/types.gen.ts';
import type { ResourceClaim, ResourceClaimTemplate } from '../../api/resource/v1/types.gen.ts';
import { isPodTerminal } from '../../component-helpers/pod.ts';
import { resourceType } from '../../client/resources.ts';

export const resourceClaims = resourceType<ResourceClaim>('resource.k8s.io', 'v1', 'resourceclaims', 'ResourceClaim');
export const resourceClaimTemplates = resourceType<ResourceClaimTemplate>('resource.k8s.io', 'v1', 'resourceclaimtemplates', 'ResourceClaimTemplate');

export const podClaimAnnotation = 'resource.kubernetes.io/pod-claim-name';
/** Set by the scheduler with an allocation; taken away by this controller. */
export const claimFinalizer = 'resource.kubernetes.io/delete-protection';
const reservedMax = 256;

/** `unknown`: a claim from a template that is not noted yet; `none`: the pod needs none. */
export type ClaimName = { readonly name: string; readonly isMade: boolean } | 'unknown' | 'none';

export function claimNameOf(pod: Pod, { name, resourceClaimName }: PodResourceClaim): ClaimName {
  if (resourceClaimName !== undefined) return { name: resourceClaimName, isMade: false };
  const noted = (pod.status?.resourceClaimStatuses ?? []).find((status) => status.name === name);
  if (noted === undefined) return 'unknown';
  return noted.resourceClaimName === undefined ? 'none' : { name: noted.resourceClaimName, isMade: true };
}

/** Names of the claims that a pod is known to use. */
export function knownClaimNames(pod: Pod): readonly string[] {
  const names = (pod.spec?.resourceClaims ?? []).flatMap((claim) => {
    const found = claimNameOf(pod, claim);
    return typeof found === 'string' ? [] : [found.name];
  });
  const extended = pod.status?.extendedResourceClaimStatus?.resourceClaimName;
  return extended === undefined ? names : [...names, extended];
}

export function isMadeFor(claim: ResourceClaim, { metadata }: Pod): boolean {
  return (claim.metadata.ownerReferences ?? []).some(({ controller, uid }) => controller === true && uid === metadata.uid);
}

export function mayReserve({ status }: ResourceClaim, { metadata }: Pod): boolean {
  const { allocation, reservedFor = [] } = status ?? {};
  return allocation !== undefined && reservedFor.length < reservedMax && !reservedFor.some(({ uid }) => uid === metadata.uid);
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
