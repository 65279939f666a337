/** The claims of a pod, or why it has to wait for them. */
import type { Pod } from '../../../api/core/v1/types.gen.ts';
import type { ResourceClaim, ResourceClaimConsumerReference } from '../../../api/resource/v1/types.gen.ts';
import { claimNameOf, consumerOf, isMadeFor } from '../../../component-helpers/resource-claims.ts';
import type { Claims } from '../../framework/claims.ts';
import { groupNameOf, type PodGroups } from '../../framework/groups.ts';
import { PluginError } from '../../framework/status.ts';
import { alternativesOf, claimText, fullName } from './requests.ts';

/** A text where one is not there yet, or is not for this pod. */
export function podClaims(claims: Claims, pod: Pod): readonly ResourceClaim[] | string {
  const { namespace = '', name = '' } = pod.metadata;
  const found: ResourceClaim[] = [];
  for (const wanted of pod.spec?.resourceClaims ?? []) {
    const named = claimNameOf(pod, wanted);
    if (named === 'none') continue;
    if (named === 'unknown') return `pod "${namespace}/${name}": ResourceClaim not created yet`;
    const claim = claims.claim(namespace, named.name);
    if (claim === undefined) return `could not find ResourceClaim "${namespace}/${named.name}"`;
    if (claim.metadata.deletionTimestamp !== undefined) return `resourceclaim "${named.name}" is being deleted`;
    if (named.isMade && !isMadeFor(claim, pod, claims.sharesGroups)) {
      const group = claims.sharesGroups ? groupNameOf(pod) : undefined;
      const why = group === undefined ? 'Pod is not owner' : `neither Pod nor PodGroup ${group} is the owner`;
      return `ResourceClaim ${claimText(claim)} was not created for Pod ${namespace}/${name} (${why})`;
    }
    found.push(claim);
  }
  return found;
}

/** Whom each of the claims is reserved for, in their order; a text where the pod's group is not there. */
export function consumersOf({ sharesGroups }: Claims, groups: PodGroups, pod: Pod): readonly ResourceClaimConsumerReference[] | string {
  const { namespace = '' } = pod.metadata;
  const name = sharesGroups ? groupNameOf(pod) : undefined;
  const group = name === undefined ? undefined : groups.group(namespace, name);
  if (name !== undefined && group === undefined) return `podgroup.scheduling.k8s.io ${JSON.stringify(name)} not found`;
  return (pod.spec?.resourceClaims ?? []).filter((wanted) => claimNameOf(pod, wanted) !== 'none').map((wanted) => consumerOf(pod, group, wanted));
}

/** Why a claim cannot be allocated now, on whatever node. Throws PluginError. */
export function allocationFault(claims: Claims, claim: ResourceClaim): string | undefined {
  if (claims.pending(claim.metadata.uid ?? '') !== undefined) return `resource claim ${claimText(claim)} is in the process of being allocated`;
  for (const request of claim.spec.devices.requests ?? []) {
    const alternatives = alternativesOf(request);
    if (alternatives.length === 0) return `resource claim ${claimText(claim)}, request ${request.name}: unknown request type`;
    for (const one of alternatives) {
      if (one.className === '') throw new PluginError(`request ${fullName(one)}: unsupported request type`);
      if (claims.deviceClass(one.className) === undefined) return `request ${fullName(one)}: device class ${one.className} does not exist`;
    }
  }
  return undefined;
}
