/** Volumes attached to nodes. */
import type { VolumeAttachment } from '../../../api/storage/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { defaultVolumeSources } from '../../core/v1/persistent-volume-defaults.ts';
import { edit } from '../../shared/defaulting.ts';
import { ageOf, booleanColumn, columns, nameOf } from '../../shared/table.ts';
import { validateAttachment, validateAttachmentUpdate } from './validation.ts';

export const volumeAttachmentKind = defineKind<VolumeAttachment>({
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'VolumeAttachment',
  metaChecks: { update: 'M', status: '', keptByStatus: true },
  plural: 'volumeattachments',
  singular: 'volumeattachment',
  namespaced: false,
  schema: 'io.k8s.api.storage.v1.VolumeAttachment',
  storagePrefix: 'volumeattachments',
  defaults: (object) => edit(object, 'spec', (spec) => edit(spec, 'source', (source) => edit(source, 'inlineVolumeSpec', defaultVolumeSources))),
  validate: validateAttachment,
  validateUpdate: validateAttachmentUpdate,
  hasGeneration: false,
  statusSubresource: { verbs: ['get', 'patch', 'update'], validateUpdate: validateAttachmentUpdate, resetFields: [['metadata'], ['spec']] },
  allowUnconditionalUpdate: false,
  columns: columns('Name', { name: 'Attacher', type: 'string', format: 'name' }, 'PV', 'Node', booleanColumn('Attached'), 'Age'),
  row: (object, context) => [
    nameOf(object),
    object.spec?.attacher ?? '',
    object.spec?.source?.persistentVolumeName ?? '',
    object.spec?.nodeName ?? '',
    object.status?.attached ?? false,
    ageOf(object, context),
  ],
});
