/** Which ResourceClaim a pod's claim stands for, and for whom claims are. Mirrors k8s.io/dynamic-resource-allocation/resourceclaim. */
import type { Pod, PodResourceClaim } from '../api/core/v1/types.gen.ts';
import type { DeviceTaint, DeviceToleration, ResourceClaim } from '../api/resource/v1/types.gen.ts';

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

export function isMadeFor(claim: ResourceClaim, { metadata }: Pod): boolean {
  return (claim.metadata.ownerReferences ?? []).some(({ controller, uid }) => controller === true && uid === metadata.uid);
}

const reservedMax = 256;

/** Whether one more may use it. */
export function mayBeReserved({ status }: ResourceClaim): boolean {
  return (status?.reservedFor ?? []).length < reservedMax;
}

export function isReservedFor({ status }: ResourceClaim, { metadata }: Pod): boolean {
  return (status?.reservedFor ?? []).some(({ uid }) => uid === metadata.uid);
}

export function toleratesDeviceTaint({ effect, key, operator, value }: DeviceToleration, taint: DeviceTaint): boolean {
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  if (operator === undefined || operator === '' || operator === 'Equal') return (value ?? '') === (taint.value ?? '');
  return operator === 'Exists';
}
