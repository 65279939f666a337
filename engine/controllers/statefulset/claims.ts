/**
 * The claims of a StatefulSet's pods: made with them, and owned by set or pod as the retention policy says. Mirrors the claims of
 * stateful_pod_control.go and stateful_set_utils.go.
 */
import type { StatefulSet } from '../../api/apps/v1/types.gen.ts';
import type { PersistentVolumeClaim, Pod } from '../../api/core/v1/types.gen.ts';
import type { KubeObject, OwnerReference } from '../../apimachinery/object.ts';
import type { ResourceType } from '../../client/client.ts';
import { pods, statefulSets } from '../../client/resources.ts';
import { newControllerRef } from '../lib/controller-ref.ts';
import { withMeta } from '../../component-helpers/meta.ts';
import { isInRange, ordinalOf } from './identity.ts';

interface Owner {
  readonly object: KubeObject;
  readonly type: ResourceType;
}

interface RetentionPolicy {
  readonly whenDeleted: boolean;
  readonly whenScaled: boolean;
}

/** What is deleted with the set, and with a pod that is scaled away. */
export function retentionPolicyOf(set: StatefulSet): RetentionPolicy {
  const { whenDeleted, whenScaled } = set.spec?.persistentVolumeClaimRetentionPolicy ?? {};
  return { whenDeleted: whenDeleted === 'Delete', whenScaled: whenScaled === 'Delete' };
}

/** Whether the claim's owners are as the policy wants them, or better left alone. */
export function isClaimSettled(claim: PersistentVolumeClaim, set: StatefulSet, pod: Pod): boolean {
  const owners = ownersOf(set, pod);
  if (owners.some((owner) => isStale(claim, owner))) return true;
  if (hasForeignController(claim, set, pod)) return !owners.some((owner) => isOwnedBy(claim, owner));
  if (hasIdleOwner(claim, owners)) return false;
  const wanted = wantedOwners(set, pod);
  return owners.every((owner, i) => isOwnedBy(claim, owner) === wanted[i]);
}

/** The claim with the owners that the policy wants, beside those of others. A foreign controller keeps it for itself. */
export function withOwners(claim: PersistentVolumeClaim, set: StatefulSet, pod: Pod): PersistentVolumeClaim {
  const owners = ownersOf(set, pod);
  const others = referencesOf(claim).filter((reference) => !owners.some((owner) => refersTo(reference, owner)));
  const wanted = hasForeignController(claim, set, pod) ? [] : wantedOwners(set, pod);
  const added = owners.filter((_, i) => wanted[i] === true).map(({ object, type }) => newControllerRef(object, type));
  return { ...claim, metadata: withMeta(claim.metadata, { ownerReferences: [...others, ...added] }) };
}

/** Something else is the claim's controller, while the policy wants to manage it. */
export function hasForeignController(claim: PersistentVolumeClaim, set: StatefulSet, pod: Pod): boolean {
  const { whenDeleted, whenScaled } = retentionPolicyOf(set);
  if (!whenDeleted && !whenScaled) return false;
  const owners = ownersOf(set, pod);
  return referencesOf(claim).some((reference) => {
    const own = owners.find((owner) => refersTo(reference, owner));
    return own === undefined ? reference.controller === true : reference.uid !== own.object.metadata.uid;
  });
}

/** A claim that goes with an earlier pod of this name: the pod waits until it is gone. */
export function isStaleFor(claim: PersistentVolumeClaim, pod: Pod): boolean {
  return isStale(claim, { object: pod, type: pods });
}

/** Set and pod, in this order. */
function ownersOf(set: StatefulSet, pod: Pod): readonly Owner[] {
  return [
    { object: set, type: statefulSets },
    { object: pod, type: pods },
  ];
}

/** Whether set and pod should own the claim. */
function wantedOwners(set: StatefulSet, pod: Pod): readonly [set: boolean, pod: boolean] {
  const { whenDeleted, whenScaled } = retentionPolicyOf(set);
  const isScaledAway = whenScaled && !isInRange(set, ordinalOf(pod));
  return [whenDeleted && !isScaledAway, isScaledAway];
}

function isStale(claim: PersistentVolumeClaim, owner: Owner): boolean {
  const reference = referencesOf(claim).find((one) => refersTo(one, owner));
  return reference !== undefined && reference.uid !== (owner.object.metadata.uid ?? '');
}

function hasIdleOwner(claim: PersistentVolumeClaim, owners: readonly Owner[]): boolean {
  return referencesOf(claim).some(({ uid, controller }) => controller !== true && owners.some(({ object }) => object.metadata.uid === uid));
}

function isOwnedBy(claim: PersistentVolumeClaim, { object }: Owner): boolean {
  return referencesOf(claim).some(({ uid }) => uid === object.metadata.uid);
}

function refersTo(reference: OwnerReference, { object, type }: Owner): boolean {
  const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`;
  return reference.apiVersion === apiVersion && reference.kind === type.kind && reference.name === object.metadata.name;
}

function referencesOf({ metadata }: PersistentVolumeClaim): readonly OwnerReference[] {
  return metadata.ownerReferences ?? [];
}
