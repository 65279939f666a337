/** Snapshots of claims' volumes. */
import type { VolumeSnapshot } from '../../../api/snapshot/v1/types.ts';
import { type FieldErrorList, invalid, required, root } from '../../../apimachinery/field-errors.ts';
import { formatQuantity, parseQuantity } from '../../../apimachinery/quantity.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { addedMessages, addedObject } from '../../shared/added-schema.ts';
import { ageOf, booleanColumn, columns, nameOf, since } from '../../shared/table.ts';
import { broken, changedText, errorMessages, group, judged, prefix } from './shared.ts';

const own = `${prefix}.VolumeSnapshot`;
const sourcePath = root('spec', 'source');

export const volumeSnapshotKind = defineKind<VolumeSnapshot>({
  group,
  version: 'v1',
  kind: 'VolumeSnapshot',
  metaChecks: { create: 'm', update: '', status: '' },
  plural: 'volumesnapshots',
  singular: 'volumesnapshot',
  shortNames: ['vs'],
  namespaced: true,
  schema: addedObject(own, 'VolumeSnapshot', { spec: 'Spec', status: 'Status' }),
  schemas: addedMessages(own, {
    Spec: { source: 'Source', volumeSnapshotClassName: 'string*' },
    Source: { persistentVolumeClaimName: 'string*', volumeSnapshotContentName: 'string*' },
    Status: { boundVolumeSnapshotContentName: 'string*', creationTime: 'time*', readyToUse: 'bool*', restoreSize: 'quantity*', error: 'Error' },
    ...errorMessages,
  }),
  storagePrefix: `${group}/volumesnapshots`,
  statusSubresource: true,
  validate,
  validateUpdate: (next, old) => [...validate(next), ...fixedFaults(next, old)],
  columns: columns(
    'Name',
    booleanColumn('ReadyToUse'),
    'SourcePVC',
    'SourceSnapshotContent',
    'RestoreSize',
    'SnapshotClass',
    'SnapshotContent',
    'CreationTime',
    'Age',
  ),
  row({ spec, status, ...object }, context) {
    const { creationTime, restoreSize } = status ?? {};
    return [
      nameOf(object),
      status?.readyToUse ?? null,
      spec?.source?.persistentVolumeClaimName ?? '',
      spec?.source?.volumeSnapshotContentName ?? '',
      restoreSize === undefined ? '' : formatQuantity(parseQuantity(restoreSize)),
      spec?.volumeSnapshotClassName ?? '',
      status?.boundVolumeSnapshotContentName ?? '',
      creationTime === undefined ? '' : since(creationTime, context),
      ageOf(object, context),
    ];
  },
});

function validate({ spec }: VolumeSnapshot): FieldErrorList {
  if (spec === undefined) return judged([required(root('spec'))], () => []);
  const { source, volumeSnapshotClassName } = spec;
  const both = [source?.persistentVolumeClaimName, source?.volumeSnapshotContentName].filter((name) => name !== undefined);
  return judged(source === undefined ? [required(sourcePath)] : [], () => [
    ...(both.length === 1 ? [] : broken(sourcePath, 'exactly one of volumeSnapshotContentName and persistentVolumeClaimName must be set')),
    ...(volumeSnapshotClassName === ''
      ? [invalid(root('spec', 'volumeSnapshotClassName'), '', 'volumeSnapshotClassName must not be the empty string when set')]
      : []),
  ]);
}

function fixedFaults({ spec: next }: VolumeSnapshot, { spec: old }: VolumeSnapshot): FieldErrorList {
  return (['persistentVolumeClaimName', 'volumeSnapshotContentName'] as const).flatMap((name) =>
    changedText(sourcePath, name, [next?.source?.[name], old?.source?.[name]]),
  );
}
