/** Rewrites of stored objects (beta). */
import type { StorageVersionMigration } from '../../../api/storagemigration/v1beta1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { columns, described, nameOf } from '../../shared/table.ts';
import { validateMigration, validateMigrationStatus, validateMigrationUpdate } from './migration-validation.ts';

export const storageVersionMigrationKind = defineKind<StorageVersionMigration>({
  group: 'storagemigration.k8s.io',
  version: 'v1beta1',
  kind: 'StorageVersionMigration',
  plural: 'storageversionmigrations',
  singular: 'storageversionmigration',
  namespaced: false,
  schema: 'io.k8s.api.storagemigration.v1beta1.StorageVersionMigration',
  storagePrefix: 'storageversionmigrations',
  gate: 'StorageVersionMigrator',
  hasGeneration: false,
  metaChecks: { update: 'M U', keptByStatus: true },
  statusSubresource: { verbs: ['get', 'patch', 'update'], resetFields: [['metadata'], ['spec']], validateUpdate: validateMigrationStatus },
  validate: validateMigration,
  validateUpdate: validateMigrationUpdate,
  allowUnconditionalUpdate: false,
  columns: columns(
    // Upstream's printer says of it that it is a text like any other.
    { name: 'Name', type: 'string', format: '' },
    described('Resource', 'GroupResource to migrate'),
    described('Status', 'Status of the migration'),
  ),
  row(object) {
    const { resource = '', group = '' } = object.spec?.resource ?? {};
    const done = (object.status?.conditions ?? []).filter((condition) => condition.status === 'True').map((condition) => condition.type);
    const status = done.findLast((type) => ['Running', 'Failed', 'Succeeded'].includes(type)) ?? 'Unknown';
    return [nameOf(object), group === '' ? resource : `${resource}.${group}`, status];
  },
});
