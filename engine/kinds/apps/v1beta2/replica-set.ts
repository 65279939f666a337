/** Replica sets as apps/v1beta2 had them; stored as apps/v1. */
import type { ReplicaSet } from '../../../api/apps/v1beta2/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { replicaSetKind as stored } from '../v1/replica-set.ts';
import { olderForm } from '../../shared/older.ts';

export const replicaSetKind = defineKind<ReplicaSet>(
  olderForm(stored, {
    group: 'apps',
    version: 'v1beta2',
    schema: 'io.k8s.api.apps.v1beta2.ReplicaSet',
    deprecated: 9,
    removed: 16,
    ownScale: true,
  }),
);
