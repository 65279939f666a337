/** Versions in which API servers store kinds (alpha). */
import type { StorageVersion } from '../../../api/apiserverinternal/v1alpha1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { ageOf, columns, described, listWithMore, nameOf, text } from '../../shared/table.ts';
import { storageVersionNameFaults, validateStorageVersion } from './storage-version-validation.ts';

export const storageVersionKind = defineKind<StorageVersion>({
  group: 'internal.apiserver.k8s.io',
  version: 'v1alpha1',
  kind: 'StorageVersion',
  plural: 'storageversions',
  singular: 'storageversion',
  namespaced: false,
  schema: 'io.k8s.api.apiserverinternal.v1alpha1.StorageVersion',
  storagePrefix: 'storageversions',
  hasGeneration: false,
  metaChecks: { update: '', status: '', keptByStatus: true },
  statusSubresource: { verbs: ['get', 'patch', 'update'], resetFields: [['metadata'], ['spec']], validateUpdate: validateStorageVersion },
  nameValidation: 'none',
  nameFaults: storageVersionNameFaults,
  validate: validateStorageVersion,
  allowUnconditionalUpdate: false,
  columns: columns(
    'Name',
    'CommonEncodingVersion',
    described('StorageVersions', 'storageVersions lists the reported versions per API server instance.'),
    'Age',
  ),
  row(object, context) {
    const versions = (object.status?.storageVersions ?? []).map((version) => `${version.apiServerID ?? ''}=${version.encodingVersion ?? ''}`);
    return [nameOf(object), text(object.status?.commonEncodingVersion, '<unset>'), listWithMore(versions), ageOf(object, context)];
  },
});
