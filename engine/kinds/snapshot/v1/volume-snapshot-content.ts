/** What is behind a snapshot, in the driver's store. */
import type { VolumeSnapshotContent } from '../../../api/snapshot/v1/types.ts';
import { type FieldErrorList, required, root } from '../../../apimachinery/field-errors.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { addedMessages, addedObject } from '../../shared/added-schema.ts';
import { ageOf, booleanColumn, columns, integerColumn, nameOf } from '../../shared/table.ts';
import { broken, changedText, errorMessages, group, judged, policyFaults, prefix, requiredText } from './shared.ts';

const own = `${prefix}.VolumeSnapshotContent`;
const specPath = root('spec');
const sourcePath = specPath.child('source');

export const volumeSnapshotContentKind = defineKind<VolumeSnapshotContent>({
  group,
  version: 'v1',
  kind: 'VolumeSnapshotContent',
  metaChecks: { create: 'm', update: '', status: '' },
  plural: 'volumesnapshotcontents',
  singular: 'volumesnapshotcontent',
  shortNames: ['vsc', 'vscs'],
  namespaced: false,
  schema: addedObject(own, 'VolumeSnapshotContent', { spec: 'Spec', status: 'Status' }),
  schemas: addedMessages(own, {
    Spec: {
      volumeSnapshotRef: 'Reference',
      deletionPolicy: 'string!',
      driver: 'string!',
      volumeSnapshotClassName: 'string*',
      source: 'Source',
      sourceVolumeMode: 'string*',
    },
    Reference: {
      kind: 'string',
      namespace: 'string',
      name: 'string',
      uid: 'string',
      apiVersion: 'string',
      resourceVersion: 'string',
      fieldPath: 'string',
    },
    Source: { volumeHandle: 'string*', snapshotHandle: 'string*' },
    Status: { snapshotHandle: 'string*', creationTime: 'int64*', restoreSize: 'int64*', readyToUse: 'bool*', error: 'Error' },
    ...errorMessages,
  }),
  storagePrefix: `${group}/volumesnapshotcontents`,
  statusSubresource: true,
  validate,
  validateUpdate: (next, old) => [...validate(next), ...fixedFaults(next, old)],
  columns: columns(
    'Name',
    booleanColumn('ReadyToUse'),
    integerColumn('RestoreSize'),
    'DeletionPolicy',
    'Driver',
    'VolumeSnapshotClass',
    'VolumeSnapshot',
    'VolumeSnapshotNamespace',
    'Age',
  ),
  row({ spec, status, ...object }, context) {
    return [
      nameOf(object),
      status?.readyToUse ?? null,
      status?.restoreSize ?? null,
      spec?.deletionPolicy ?? '',
      spec?.driver ?? '',
      spec?.volumeSnapshotClassName ?? '',
      spec?.volumeSnapshotRef?.name ?? '',
      spec?.volumeSnapshotRef?.namespace ?? '',
      ageOf(object, context),
    ];
  },
});

function validate({ spec }: VolumeSnapshotContent): FieldErrorList {
  if (spec === undefined) return judged([required(specPath)], () => []);
  const { source, volumeSnapshotRef: ref, deletionPolicy, driver } = spec;
  const handles = [source?.volumeHandle, source?.snapshotHandle].filter((handle) => handle !== undefined);
  const schemaFaults = [
    ...policyFaults(specPath.child('deletionPolicy'), deletionPolicy),
    ...requiredText(specPath.child('driver'), driver),
    ...(source === undefined ? [required(sourcePath)] : []),
    ...(ref === undefined ? [required(specPath.child('volumeSnapshotRef'))] : []),
  ];
  return judged(schemaFaults, () => [
    ...(handles.length === 1 ? [] : broken(sourcePath, 'exactly one of volumeHandle and snapshotHandle must be set')),
    ...(ref?.name && ref.namespace
      ? []
      : broken(specPath.child('volumeSnapshotRef'), 'both spec.volumeSnapshotRef.name and spec.volumeSnapshotRef.namespace must be set')),
  ]);
}

function fixedFaults({ spec: next }: VolumeSnapshotContent, { spec: old }: VolumeSnapshotContent): FieldErrorList {
  return [
    ...changedText(specPath, 'sourceVolumeMode', [next?.sourceVolumeMode, old?.sourceVolumeMode]),
    ...changedText(sourcePath, 'volumeHandle', [next?.source?.volumeHandle, old?.source?.volumeHandle]),
    ...changedText(sourcePath, 'snapshotHandle', [next?.source?.snapshotHandle, old?.source?.snapshotHandle]),
  ];
}
