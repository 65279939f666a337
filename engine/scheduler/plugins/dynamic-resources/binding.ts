/** What a reserved pod writes into its claims, and when its devices are ready for it (dynamicresources.go, PreBind). */
import type { Pod } from '../../../api/core/v1/types.gen.ts';
import type {
  AllocatedDeviceStatus,
  DeviceRequestAllocationResult,
  ResourceClaim,
  ResourceClaimConsumerReference,
} from '../../../api/resource/v1/types.gen.ts';
import { StatusError } from '../../../apimachinery/status.ts';
import { claimFinalizer, consumerOf, isReservedFor } from '../../../component-helpers/resource-claims.ts';
import type { Claims } from '../../framework/claims.ts';
import type { Bindable } from '../../framework/plugin.ts';
import { PluginError } from '../../framework/status.ts';
import { claimText } from './requests.ts';

const conflictsMax = 5;

/** A claim, and whom it is reserved for. */
export interface HeldClaim {
  readonly claim: ResourceClaim;
  readonly consumer: ResourceClaimConsumerReference;
}

const unnamed = { name: '' };

/** Allocates and reserves what is not yet, for the pod or its group; returns the claims as they are then. Throws StatusError and PluginError. */
export async function bindClaims(claims: Claims, pod: Pod, held: readonly HeldClaim[]): Promise<readonly ResourceClaim[]> {
  const bound: ResourceClaim[] = [];
  for (const { claim, consumer } of held) {
    const isBound = isReservedFor(claim, pod, claims.sharesGroups) && !claims.isOvertaken(claim.metadata.uid ?? '', pod);
    bound.push(isBound ? claim : await bindClaim(claims, pod, claim, consumer));
  }
  return bound;
}

/** Makes the claim for the pod's extended resources, allocates it and tells the pod. Throws StatusError and PluginError. */
export async function bindExtended(claims: Claims, pod: Pod, { metadata, ...claim }: ResourceClaim): Promise<ResourceClaim> {
  const { name: _, uid = '', ...head } = metadata;
  const toMake = claims.toMake(uid);
  const allocation = claims.pending(uid);
  if (toMake === undefined || allocation === undefined)
    throw new PluginError(`extended resource claim not found for pod ${pod.metadata.namespace ?? ''}/${pod.metadata.name ?? ''}`);
  const { requests, status } = toMake;
  const made = await claims.create({ ...claim, metadata: head, spec: { devices: { requests: requests.length === 0 ? null : requests } } }, pod);
  claims.setPending(made, allocation, pod);
  claims.deletePending(uid);
  const bound = await bindClaim(claims, pod, made);
  if ((status.requestMappings ?? []).length === 0) {
    const { namespace = '', name = '' } = pod.metadata;
    throw new PluginError(`nil or empty request mappings, no update of pod ${namespace}/${name} ExtendedResourceClaimStatus`);
  }
  await claims.tellExtended(pod, { ...status, resourceClaimName: bound.metadata.name ?? '' });
  return bound;
}

async function bindClaim(claims: Claims, pod: Pod, given: ResourceClaim, consumer = consumerOf(pod, undefined, unnamed)): Promise<ResourceClaim> {
  let claim = given;
  for (let attempt = 0; ; attempt++) {
    try {
      const written = await writeClaim(claims, pod, claim, consumer);
      claims.pendingDone(given.metadata.uid ?? '', pod);
      return written;
    } catch (error) {
      const isConflict = error instanceof StatusError && error.status.reason === 'Conflict';
      if (!isConflict || attempt + 1 === conflictsMax) throw error;
      claim = await claims.read(claim, pod);
    }
  }
}

async function writeClaim(claims: Claims, pod: Pod, given: ResourceClaim, consumer: ResourceClaimConsumerReference): Promise<ResourceClaim> {
  let claim = given;
  if (claim.metadata.deletionTimestamp !== undefined) throw new PluginError(`claim ${claimText(claim)} got deleted in the meantime`);
  if (claims.isOvertaken(claim.metadata.uid ?? '', pod)) throw new PluginError(`claim ${claimText(claim)} got allocated elsewhere in the meantime`);
  const pending = claims.pending(claim.metadata.uid ?? '');
  if (pending !== undefined) {
    if (claim.status?.allocation !== undefined) throw new PluginError(`claim ${claimText(claim)} got allocated elsewhere in the meantime`);
    const finalizers = claim.metadata.finalizers ?? [];
    if (!finalizers.includes(claimFinalizer))
      claim = await claims.update({ ...claim, metadata: { ...claim.metadata, finalizers: [...finalizers, claimFinalizer] } }, pod);
  }
  const allocation = pending ?? claim.status?.allocation;
  if (allocation === undefined) throw new PluginError(`claim ${claimText(claim)} got deallocated elsewhere in the meantime`);
  const allocationTimestamp = allocation.allocationTimestamp ?? `${new Date(claims.nowMs()).toISOString().slice(0, 19)}Z`;
  const reservedFor = [...(claim.status?.reservedFor ?? []), consumer];
  return claims.updateStatus({ ...claim, status: { ...claim.status, allocation: { ...allocation, allocationTimestamp }, reservedFor } }, pod);
}

export function hasConditions(claims: readonly ResourceClaim[]): boolean {
  return claims.some((claim) => resultsOf(claim).some(({ bindingConditions = [] }) => bindingConditions.length > 0));
}

function resultsOf({ status }: ResourceClaim): readonly DeviceRequestAllocationResult[] {
  return status?.allocation?.devices?.results ?? [];
}

/** Whether the claim's devices are prepared; a failure is final. */
export function readiness(claim: ResourceClaim): Bindable {
  if (claim.status?.allocation === undefined) return { state: 'waiting' };
  for (const result of resultsOf(claim)) {
    const { bindingConditions = [], bindingFailureConditions = [] } = result;
    if (bindingConditions.length === 0) continue;
    const device = (claim.status.devices ?? []).find(
      (one) => one.driver === result.driver && one.pool === result.pool && one.device === result.device,
    );
    if (device === undefined) return { state: 'waiting' };
    const failed = bindingFailureConditions.map((type) => conditionOf(device, type)).find((condition) => condition?.status === 'True');
    if (failed !== undefined) {
      const { reason, message } = failed;
      return {
        state: 'failed',
        error: `device binding failed: claim=${claim.metadata.name ?? ''}, reason=${reason}, message=${JSON.stringify(message)}`,
      };
    }
    if (bindingConditions.some((type) => conditionOf(device, type)?.status !== 'True')) return { state: 'waiting' };
  }
  return { state: 'ready' };
}

function conditionOf({ conditions }: AllocatedDeviceStatus, type: string): NonNullable<AllocatedDeviceStatus['conditions']>[number] | undefined {
  return (conditions ?? []).find((condition) => condition.type === type);
}

/** Whether it has waited longer for its devices than it may. */
export function isTimedOut(claim: ResourceClaim, nowMs: number, timeoutMs: number): boolean {
  const at = claim.status?.allocation?.allocationTimestamp;
  if (at === undefined || !resultsOf(claim).some(({ bindingConditions }) => bindingConditions !== undefined)) return false;
  return Date.parse(at) + timeoutMs < nowMs;
}
