/** How snapshots are made and what becomes of what is behind them. */
import type { VolumeSnapshotClass } from '../../../api/snapshot/v1/types.ts';
import { type FieldErrorList, root } from '../../../apimachinery/field-errors.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { addedObject } from '../../shared/added-schema.ts';
import { ageOf, columns, nameOf } from '../../shared/table.ts';
import { group, policyFaults, prefix, requiredText } from './shared.ts';

export const volumeSnapshotClassKind = defineKind<VolumeSnapshotClass>({
  group,
  version: 'v1',
  kind: 'VolumeSnapshotClass',
  metaChecks: { create: 'm', update: '', status: '' },
  plural: 'volumesnapshotclasses',
  singular: 'volumesnapshotclass',
  shortNames: ['vsclass', 'vsclasses'],
  namespaced: false,
  hasGeneration: true,
  schema: addedObject(prefix, 'VolumeSnapshotClass', { driver: 'string!', parameters: '{}string', deletionPolicy: 'string!' }),
  storagePrefix: `${group}/volumesnapshotclasses`,
  validate,
  validateUpdate: (next) => validate(next),
  columns: columns('Name', 'Driver', 'DeletionPolicy', 'Age'),
  row: (object, context) => [nameOf(object), object.driver ?? '', object.deletionPolicy ?? '', ageOf(object, context)],
});

function validate({ driver, deletionPolicy }: VolumeSnapshotClass): FieldErrorList {
  return [...requiredText(root('driver'), driver), ...policyFaults(root('deletionPolicy'), deletionPolicy)];
}
