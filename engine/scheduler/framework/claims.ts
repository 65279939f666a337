/**
 * What plugins may ask about claims for devices, and how they reserve them. Claims are as the scheduler assumes them to be. Mirrors
 * SharedDRAManager of kube-scheduler/framework.
 */
import type { Pod, PodExtendedResourceClaimStatus } from '../../api/core/v1/types.gen.ts';
import type { AllocationResult, DeviceClass, DeviceRequest, ResourceClaim, ResourceSlice } from '../../api/resource/v1/types.gen.ts';
import type { Quantity } from '../../apimachinery/quantity.ts';

export const extendedClaimAnnotation = 'resource.kubernetes.io/extended-resource-claim';

/** A claim for extended resources that is yet to be made. */
export interface ClaimToMake {
  readonly requests: readonly DeviceRequest[];
  readonly status: Omit<PodExtendedResourceClaimStatus, 'resourceClaimName'>;
}

/** Devices that claims hold, those of bindings under way included. Keys are `deviceKey`. */
export interface DevicesInUse {
  isHeld(device: string): boolean;
  /** What shares of the device take of its capacities; undefined when nobody shares it. */
  consumed(device: string): ReadonlyMap<string, Quantity> | undefined;
}

export interface Claims {
  claim(namespace: string, name: string): ResourceClaim | undefined;
  deviceClass(name: string): DeviceClass | undefined;
  /** The class whose devices stand for an extended resource. */
  classFor(resource: string): DeviceClass | undefined;
  /** The claim that was made for the pod's extended resources. */
  extendedClaim(pod: Pod): ResourceClaim | undefined;
  /** Scores depend on how many devices stand for these resources, and are free. */
  scoreBy(resources: readonly string[]): void;
  /** In the order of their names. */
  slices(): readonly ResourceSlice[];
  readonly inUse: DevicesInUse;
  /** What a claim is about to be allocated. */
  pending(uid: string): AllocationResult | undefined;
  /** Of a claim that is to be made, with what it has to be made of. */
  toMake(uid: string): ClaimToMake | undefined;
  setPending(claim: ResourceClaim, allocation: AllocationResult, pod: Pod, toMake?: ClaimToMake): void;
  /** All that count on it, or one of them; the last takes it away. */
  deletePending(uid: string, by?: Pod): void;
  /** The allocation stands; others that counted on it are overtaken. */
  pendingDone(uid: string, by: Pod): void;
  /** Another pod of the group has allocated what this one was about to. */
  isOvertaken(uid: string, pod: Pod): boolean;
  /** Claims may be made and reserved for groups of pods. */
  readonly sharesGroups: boolean;
  /** It is about to be allocated for another pod of the group whose cycle this is. */
  isShared(uid: string): boolean;
  /** For a share of a device. */
  newShareId(): string;
  nowMs(): number;
  /** Writes for a pod, in the name of what caused its scheduling; the answer is assumed. Throws StatusError. */
  create(claim: ResourceClaim, pod: Pod): Promise<ResourceClaim>;
  /** Tells on the pod which claim stands for its extended resources. */
  tellExtended(pod: Pod, status: PodExtendedResourceClaimStatus): Promise<void>;
  update(claim: ResourceClaim, pod: Pod): Promise<ResourceClaim>;
  updateStatus(claim: ResourceClaim, pod: Pod): Promise<ResourceClaim>;
  /** As the API has it now. Throws StatusError. */
  read(claim: ResourceClaim, pod: Pod): Promise<ResourceClaim>;
  /** Takes an allocation back that helps nobody; what it comes to is seen later. */
  deallocate(claim: ResourceClaim, pod: Pod): void;
  /** Takes the pod's reservation back, or that of the consumer with this uid. */
  unreserve(claim: ResourceClaim, pod: Pod, consumer?: string): void;
  /** Deletes a claim that was made for extended resources; what it comes to is seen later. */
  remove(claim: ResourceClaim, pod: Pod): void;
  note(pod: Pod, reason: string, message: string): void;
}

export function deviceKey({ driver, pool, device }: { readonly driver: string; readonly pool: string; readonly device: string }): string {
  return `${driver}/${pool}/${device}`;
}
