/** Volumes attached to nodes, as they were first; their status is written with the rest. */
import type { VolumeAttachment } from '../../../api/storage/v1alpha1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { olderForm } from '../../shared/older.ts';
import { volumeAttachmentKind as stored } from '../v1/volume-attachment.ts';

export const volumeAttachmentKind = defineKind<VolumeAttachment>(
  olderForm(stored, {
    group: 'storage.k8s.io',
    version: 'v1alpha1',
    schema: 'io.k8s.api.storage.v1alpha1.VolumeAttachment',
    deprecated: 21,
    removed: 24,
    withoutStatus: true,
  }),
);
