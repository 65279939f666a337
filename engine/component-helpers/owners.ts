/**
 * Questions about who controls an object. Mirrors k8s.io/apimachinery pkg/apis/meta/v1/controller_ref.go.
 */
import type { KubeObject, OwnerReference } from '../apimachinery/object.ts';

/** The owner that manages the object, if one does. */
export function getControllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((reference) => reference.controller === true);
}

export function isControlledBy(object: KubeObject, owner: KubeObject): boolean {
  const reference = getControllerOf(object);
  return reference !== undefined && reference.uid === owner.metadata.uid;
}

/** The reference a controller puts on what it makes. */
export function newControllerRef(owner: KubeObject): OwnerReference {
  return {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name: owner.metadata.name ?? '',
    uid: owner.metadata.uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  };
}
