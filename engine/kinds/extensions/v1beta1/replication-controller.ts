/** Of replication controllers extensions/v1beta1 had the scale alone; the resource itself is a name. Mirrors pkg/registry/extensions/controller/storage. */
import type { ReplicationController } from '../../../api/core/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { replicationControllerKind as stored } from '../../core/v1/replication-controller.ts';
import { olderForm } from '../../shared/older.ts';

const {
  categories: _categories,
  shortNames: _shortNames,
  scale,
  ...whole
} = olderForm(stored, {
  group: 'extensions',
  version: 'v1beta1',
  schema: 'io.k8s.api.core.v1.ReplicationController',
  deprecated: 8,
  removed: 16,
  ownScale: true,
  withoutStatus: true,
});

export const replicationControllerKind = defineKind<ReplicationController>({
  ...whole,
  ...(scale === undefined ? undefined : { scale: { ...scale, unnamed: true as const } }),
  kind: 'ReplicationControllerDummy',
  insideVerbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
});
