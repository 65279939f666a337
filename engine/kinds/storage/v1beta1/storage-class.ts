/** Storage classes before they were stable; stored as v1, which has the same fields. */
import type { StorageClass } from '../../../api/storage/v1beta1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { olderForm } from '../../shared/older.ts';
import { storageClassKind as stored } from '../v1/storage-class.ts';

export const storageClassKind = defineKind<StorageClass>(
  olderForm(stored, {
    group: 'storage.k8s.io',
    version: 'v1beta1',
    schema: 'io.k8s.api.storage.v1beta1.StorageClass',
    deprecated: 19,
    removed: 22,
  }),
);
