/** Volumes attached to nodes, before this was stable; their status is written with the rest. */
import type { VolumeAttachment } from '../../../api/storage/v1beta1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { olderForm } from '../../shared/older.ts';
import { volumeAttachmentKind as stored } from '../v1/volume-attachment.ts';

export const volumeAttachmentKind = defineKind<VolumeAttachment>(
  olderForm(stored, {
    group: 'storage.k8s.io',
    version: 'v1beta1',
    schema: 'io.k8s.api.storage.v1beta1.VolumeAttachment',
    deprecated: 19,
    removed: 22,
    withoutStatus: true,
  }),
);
