/**
 * Volumes, claims and volume attributes classes get the finalizer that keeps them while they are used. Mirrors
 * plugin/pkg/admission/storage/storageobjectinuseprotection.
 */
import { getOwn } from '../../../base/dictionary.ts';
import { defineAdmissionPlugin } from '../plugin.ts';

const finalizers: { readonly [resource: string]: string } = {
  persistentvolumes: 'kubernetes.io/pv-protection',
  persistentvolumeclaims: 'kubernetes.io/pvc-protection',
  volumeattributesclasses: 'kubernetes.io/vac-protection',
};

export const storageObjectInUseProtection = defineAdmissionPlugin({
  name: 'StorageObjectInUseProtection',
  verbs: ['CREATE'],
  resources: ['persistentvolumes', 'persistentvolumeclaims', 'volumeattributesclasses.storage.k8s.io'],
  admit(object, { resource }) {
    const finalizer = getOwn(finalizers, resource);
    const given = object.metadata.finalizers ?? [];
    if (finalizer === undefined || given.includes(finalizer)) return object;
    return { ...object, metadata: { ...object.metadata, finalizers: [...given, finalizer] } };
  },
});
