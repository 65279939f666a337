/** Which ResourceClaim a pod's claim stands for, and for whom claims are. Mirrors k8s.io/dynamic-resource-allocation/resourceclaim. */
import type { Pod, PodResourceClaim } from '../api/core/v1/types.gen.ts';
import type { DeviceTaint, DeviceToleration, ResourceClaim, ResourceClaimConsumerReference } from '../api/resource/v1/types.gen.ts';
import type { PodGroup } from '../api/scheduling/v1alpha2/types.gen.ts';

/** Set by the scheduler with an allocation; taken away by the controller. */
export const claimFinalizer = 'resource.kubernetes.io/delete-protection';

/** `unknown`: a claim from a template that is not noted yet; `none`: the pod needs none. */
export type ClaimName = { readonly name: string; readonly isMade: boolean } | 'unknown' | 'none';

export function claimNameOf(pod: Pod, { name, resourceClaimName }: PodResourceClaim): ClaimName {
  if (resourceClaimName !== undefined) return { name: resourceClaimName, isMade: false };
  const noted = (pod.status?.resourceClaimStatuses ?? []).find((status) => status.name === name);
  if (noted === undefined) return 'unknown';
  return noted.resourceClaimName === undefined ? 'none' : { name: noted.resourceClaimName, isMade: true };
}

const groupOfGroups = 'scheduling.k8s.io';

export function claimNameOfGroup({ status }: PodGroup, { name, resourceClaimName }: PodResourceClaim): ClaimName {
  if (resourceClaimName !== undefined) return { name: resourceClaimName, isMade: false };
  const noted = (status?.resourceClaimStatuses ?? []).find((one) => one.name === name);
  if (noted === undefined) return 'unknown';
  return noted.resourceClaimName === undefined ? 'none' : { name: noted.resourceClaimName, isMade: true };
}

/** With `sharesGroups` (gate DRAWorkloadResourceClaims) what was made for the pod's group was made for the pod. */
export function isMadeFor(claim: ResourceClaim, { metadata, spec }: Pick<Pod, 'metadata' | 'spec'>, sharesGroups = false): boolean {
  const owner = (claim.metadata.ownerReferences ?? []).find(({ controller }) => controller === true);
  if (owner === undefined) return false;
  if (owner.uid === metadata.uid) return true;
  const group = sharesGroups ? spec?.schedulingGroup?.podGroupName : undefined;
  return group !== undefined && owner.kind === 'PodGroup' && owner.name === group && owner.apiVersion.startsWith(`${groupOfGroups}/`);
}

export function isMadeForGroup(claim: ResourceClaim, { metadata }: PodGroup): boolean {
  return (claim.metadata.ownerReferences ?? []).some(({ controller, uid }) => controller === true && uid === metadata.uid);
}

export function isReservationOfGroup({ apiGroup, resource }: ResourceClaimConsumerReference): boolean {
  return apiGroup === groupOfGroups && resource === 'podgroups';
}

/** Whom a pod's claim is reserved for: its group where that has the very claim, too. `group` is given where groups have claims. */
export function consumerOf({ metadata }: Pod, group: PodGroup | undefined, wanted: PodResourceClaim): ResourceClaimConsumerReference {
  if (group !== undefined && isClaimOfGroup(group, wanted))
    return { apiGroup: groupOfGroups, resource: 'podgroups', name: group.metadata.name ?? '', uid: group.metadata.uid ?? '' };
  return { resource: 'pods', name: metadata.name ?? '', uid: metadata.uid ?? '' };
}

export function isClaimOfGroup({ spec }: PodGroup, wanted: PodResourceClaim): boolean {
  return (spec.resourceClaims ?? []).some(
    ({ name, resourceClaimName, resourceClaimTemplateName }) =>
      name === wanted.name && resourceClaimName === wanted.resourceClaimName && resourceClaimTemplateName === wanted.resourceClaimTemplateName,
  );
}

const reservedMax = 256;

/** Whether one more may use it. */
export function mayBeReserved({ status }: ResourceClaim): boolean {
  return (status?.reservedFor ?? []).length < reservedMax;
}

export function isReservedFor({ status }: ResourceClaim, { metadata, spec }: Pod, sharesGroups = false): boolean {
  const group = sharesGroups ? spec?.schedulingGroup?.podGroupName : undefined;
  return (status?.reservedFor ?? []).some(
    (consumer) => consumer.uid === metadata.uid || (group !== undefined && isReservationOfGroup(consumer) && consumer.name === group),
  );
}

export function toleratesDeviceTaint({ effect, key, operator, value }: DeviceToleration, taint: DeviceTaint): boolean {
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  if (operator === undefined || operator === '' || operator === 'Equal') return (value ?? '') === (taint.value ?? '');
  return operator === 'Exists';
}
