/**
 * A claim grows only when it is bound and its class allows it. Mirrors plugin/pkg/admission/storage/persistentvolume/resize.
 */
import type { PersistentVolumeClaim } from '../../../api/core/v1/types.gen.ts';
import type { StorageClass } from '../../../api/storage/v1/types.gen.ts';
import { compareQuantity } from '../../../apimachinery/quantity.ts';
import { claimClass, requestedStorage } from '../../../component-helpers/storage.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import { defineAdmissionPlugin } from '../plugin.ts';
import { refusal } from '../refusal.ts';

export const persistentVolumeClaimResize = defineAdmissionPlugin({
  name: 'PersistentVolumeClaimResize',
  verbs: ['UPDATE'],
  resources: ['persistentvolumeclaims'],
  validate(attributes) {
    const [claim, old] = [attributes.object, attributes.oldObject] as readonly (PersistentVolumeClaim | undefined)[];
    if (claim === undefined || old === undefined || compareQuantity(requestedStorage(claim), requestedStorage(old)) <= 0) return;
    if (old.status?.phase !== 'Bound') throw refusal(attributes, 'Only bound persistent volume claims can be expanded');
    if (!allowsGrowth(claim, old, attributes))
      throw refusal(attributes, 'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize');
  },
});

function allowsGrowth(claim: PersistentVolumeClaim, old: PersistentVolumeClaim, { lookup }: AdmissionAttributes): boolean {
  const name = claimClass(claim);
  if (name === '' || name !== claimClass(old)) return false;
  const found = lookup('storage.k8s.io', 'storageclasses', undefined, name) as StorageClass | undefined;
  return found?.allowVolumeExpansion === true;
}
