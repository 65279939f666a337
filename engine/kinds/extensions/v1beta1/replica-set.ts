/** Replica sets as extensions/v1beta1 had them; stored as apps/v1. */
import type { ReplicaSet } from '../../../api/extensions/v1beta1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { replicaSetKind as stored } from '../../apps/v1/replica-set.ts';
import { olderForm } from '../../shared/older.ts';
import { defaultFromTemplate } from '../../shared/older-workloads.ts';

export const replicaSetKind = defineKind<ReplicaSet>(
  olderForm(stored, {
    group: 'extensions',
    version: 'v1beta1',
    schema: 'io.k8s.api.extensions.v1beta1.ReplicaSet',
    deprecated: 8,
    removed: 16,
    ownScale: true,
    defaults: defaultFromTemplate,
  }),
);
