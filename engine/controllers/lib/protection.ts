/** Finalizers that keep what is used. Mirrors pkg/controller/volume/protectionutil. */
import type { KubeObject } from '../../apimachinery/object.ts';
import { withMeta } from '../../component-helpers/meta.ts';

export const claimProtection = 'kubernetes.io/pvc-protection';
export const volumeProtection = 'kubernetes.io/pv-protection';
export const attributesClassProtection = 'kubernetes.io/vac-protection';
export const podGroupProtection = 'scheduling.k8s.io/podgroup-protection';

export function isDeletionCandidate({ metadata }: KubeObject, finalizer: string): boolean {
  return metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes(finalizer) === true;
}

/** Admission adds the finalizer; this catches objects that came another way. */
export function needsFinalizer({ metadata }: KubeObject, finalizer: string): boolean {
  return metadata.deletionTimestamp === undefined && metadata.finalizers?.includes(finalizer) !== true;
}

export function withFinalizer<T extends KubeObject>(object: T, finalizer: string): T {
  return { ...object, metadata: withMeta(object.metadata, { finalizers: [...(object.metadata.finalizers ?? []), finalizer] }) };
}

export function withoutFinalizer<T extends KubeObject>(object: T, finalizer: string): T {
  return { ...object, metadata: withMeta(object.metadata, { finalizers: (object.metadata.finalizers ?? []).filter((each) => each !== finalizer) }) };
}
