/**
 * Which volumes a pod would have on a node: claims that are bound, claims that find a volume there, claims for which one would be made
 * (framework/plugins/volumebinding/binder.go).
 */
import type { Node, PersistentVolume, PersistentVolumeClaim, Pod } from '../../../api/core/v1/types.gen.ts';
import type { CSIStorageCapacity } from '../../../api/storage/v1/types.gen.ts';
import { labelSelectorAsSelector, type LabelSelector, SelectorError } from '../../../apimachinery/labels.ts';
import { compareQuantity, parseQuantity, quantityValue } from '../../../apimachinery/quantity.ts';
import { claimNameOf } from '../../../component-helpers/pod-references.ts';
import {
  bindCompleted,
  claimClass,
  findMatchingVolume,
  hasAnnotation,
  isReachableFrom,
  matchesTopology,
  noProvisioner,
  requestedStorage,
  selectedNode,
  waitsForConsumer,
} from '../../../component-helpers/storage.ts';
import { getOwn } from '../../../base/dictionary.ts';
import type { Volumes } from '../../framework/volumes.ts';

export const bindConflict = "node(s) didn't find available persistent volumes to bind";
export const nodeConflict = "node(s) didn't match PersistentVolume's node affinity";
export const notEnoughSpace = 'node(s) did not have enough free storage';
export const volumeMissing = 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)';

/** The claims of a pod by what is to be done for them. */
export interface PodClaims {
  readonly bound: readonly PersistentVolumeClaim[];
  readonly delayed: readonly PersistentVolumeClaim[];
  readonly immediate: readonly PersistentVolumeClaim[];
}

export interface StaticBinding {
  readonly claim: PersistentVolumeClaim;
  readonly volume: PersistentVolume;
}

export interface PodVolumes {
  readonly statics: readonly StaticBinding[];
  readonly provisions: readonly PersistentVolumeClaim[];
  /** By provision: the bytes that are left where its volume would be made; undefined where nobody says. */
  readonly capacities: readonly (number | undefined)[];
}

/** Names of the pod's claims, and whether each is made for an ephemeral volume. */
function claimsNamed(pod: Pod): readonly { readonly name: string; readonly isEphemeral: boolean }[] {
  return (pod.spec?.volumes ?? []).flatMap((volume) => {
    const name = claimNameOf(pod, volume);
    return name === undefined ? [] : [{ name, isEphemeral: volume.ephemeral !== undefined }];
  });
}

/** Why a pod cannot be scheduled because of its claims alone; undefined when there is nothing wrong, and whether it has any. */
export function checkClaims(volumes: Volumes, pod: Pod): { readonly hasClaims: boolean; readonly fault?: string } {
  const named = claimsNamed(pod);
  for (const { name, isEphemeral } of named) {
    const fault = claimFault(volumes.knownClaim(pod.metadata.namespace ?? '', name), pod, name, isEphemeral);
    if (fault !== undefined) return { hasClaims: true, fault };
  }
  return { hasClaims: named.length > 0 };
}

function claimFault(claim: PersistentVolumeClaim | undefined, pod: Pod, name: string, isEphemeral: boolean): string | undefined {
  if (claim === undefined)
    return isEphemeral
      ? `waiting for ephemeral volume controller to create the persistentvolumeclaim "${name}"`
      : `persistentvolumeclaim "${name}" not found`;
  if (claim.status?.phase === 'Lost')
    return `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${claim.spec?.volumeName ?? ''}"`;
  if (claim.metadata.deletionTimestamp !== undefined) return `persistentvolumeclaim "${name}" is being deleted`;
  return isEphemeral && !isMadeFor(claim, pod)
    ? `PVC ${claim.metadata.namespace ?? ''}/${name} was not created for pod ${pod.metadata.namespace ?? ''}/${pod.metadata.name ?? ''} (pod is not owner)`
    : undefined;
}

function isMadeFor(claim: PersistentVolumeClaim, pod: Pod): boolean {
  return (claim.metadata.ownerReferences ?? []).some(({ uid, controller }) => controller === true && uid === pod.metadata.uid);
}

export function isFullyBound(claim: PersistentVolumeClaim): boolean {
  return Boolean(claim.spec?.volumeName) && hasAnnotation(claim, bindCompleted);
}

/** Of a pod whose claims are all there. */
export function claimsOf(volumes: Volumes, pod: Pod): PodClaims {
  const bound: PersistentVolumeClaim[] = [];
  const delayed: PersistentVolumeClaim[] = [];
  const immediate: PersistentVolumeClaim[] = [];
  for (const { name } of claimsNamed(pod)) {
    const claim = volumes.claim(pod.metadata.namespace ?? '', name);
    if (claim === undefined) continue;
    if (isFullyBound(claim)) bound.push(claim);
    else if (waitsForConsumer(volumes.storageClass(claimClass(claim))) && !claim.spec?.volumeName) delayed.push(claim);
    else immediate.push(claim);
  }
  return { bound, delayed, immediate };
}

/** What the pod would have on the node, or why it cannot be there. */
export function findPodVolumes(volumes: Volumes, { bound, delayed }: PodClaims, node: Node): PodVolumes | { readonly reasons: readonly string[] } {
  const boundFault = boundClaimsFault(volumes, bound, node);
  const reasons = boundFault === undefined ? [] : [boundFault];
  const found = delayed.length === 0 ? none : findForDelayed(volumes, delayed, node);
  if (typeof found === 'string') {
    // Upstream's order: affinity, binding, space, missing volumes.
    const all = boundFault === volumeMissing ? [found, boundFault] : [...reasons, found];
    return { reasons: all };
  }
  return reasons.length === 0 ? found : { reasons };
}

const none: PodVolumes = { statics: [], provisions: [], capacities: [] };

function boundClaimsFault(volumes: Volumes, claims: readonly PersistentVolumeClaim[], node: Node): string | undefined {
  for (const claim of claims) {
    const volume = volumes.volume(claim.spec?.volumeName ?? '');
    if (volume === undefined) return volumeMissing;
    if (!isReachableFrom(volume, node)) return nodeConflict;
  }
  return undefined;
}

/** Claims that were promised a node are made there; the others look for a volume first, the smallest claim first. */
function findForDelayed(volumes: Volumes, delayed: readonly PersistentVolumeClaim[], node: Node): PodVolumes | string {
  const provisions: PersistentVolumeClaim[] = [];
  const searching: PersistentVolumeClaim[] = [];
  for (const claim of delayed) {
    const promised = getOwn(claim.metadata.annotations, selectedNode);
    if (promised === undefined) searching.push(claim);
    else if (promised === node.metadata.name) provisions.push(claim);
    else return bindConflict;
  }
  searching.sort((a, b) => compareQuantity(requestedStorage(a), requestedStorage(b)));
  const statics: StaticBinding[] = [];
  const excluded = new Set<string>();
  for (const claim of searching) {
    const volume = findMatchingVolume(claim, volumes.volumesOfClass(claimClass(claim)), { node, excluded, delayBinding: true });
    if (volume === undefined) provisions.push(claim);
    else {
      excluded.add(volume.metadata.name ?? '');
      statics.push({ claim, volume });
    }
  }
  const capacities: (number | undefined)[] = [];
  for (const claim of provisions) {
    const found = roomFor(volumes, claim, node);
    if (typeof found === 'string') return found;
    capacities.push(found?.bytes);
  }
  return { statics, provisions, capacities };
}

/** The space that is left near the node for the claim's volume, undefined when it does not matter, or why none can be made there. */
function roomFor(volumes: Volumes, claim: PersistentVolumeClaim, node: Node): { readonly bytes: number } | string | undefined {
  const storageClass = volumes.storageClass(claimClass(claim));
  if (storageClass === undefined || storageClass.provisioner === noProvisioner) return bindConflict;
  if (!matchesTopology(storageClass.allowedTopologies, node.metadata.labels)) return bindConflict;
  if (claim.spec?.resources?.requests?.['storage'] === undefined) return undefined;
  if (volumes.csiDriver(storageClass.provisioner)?.spec.storageCapacity !== true) return undefined;
  const bytes = quantityValue(requestedStorage(claim));
  const capacities = volumes.capacitiesOfClass(storageClass.metadata.name ?? '');
  const found = capacities.find((capacity) => volumeLimit(capacity) >= bytes && hasAccess(capacity, node));
  return found === undefined ? notEnoughSpace : { bytes: quantityValue(parseQuantity(found.capacity ?? '0')) };
}

/** The largest volume, in bytes; below zero where it is not said. */
export function volumeLimit({ maximumVolumeSize, capacity }: CSIStorageCapacity): number {
  const text = maximumVolumeSize ?? capacity;
  return text === undefined ? -1 : quantityValue(parseQuantity(text));
}

function hasAccess({ nodeTopology }: CSIStorageCapacity, node: Node): boolean {
  if (nodeTopology === undefined) return false;
  try {
    return labelSelectorAsSelector(nodeTopology as LabelSelector).matches(node.metadata.labels);
  } catch (error) {
    if (error instanceof SelectorError) return false;
    throw error;
  }
}
