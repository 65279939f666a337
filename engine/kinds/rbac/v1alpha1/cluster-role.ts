/** Cluster roles as they were first; stored as v1, which has the same fields. */
import type { ClusterRole } from '../../../api/rbac/v1alpha1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { olderForm } from '../../shared/older.ts';
import { clusterRoleKind as stored } from '../v1/cluster-role.ts';

export const clusterRoleKind = defineKind<ClusterRole>(
  olderForm(stored, {
    group: 'rbac.authorization.k8s.io',
    version: 'v1alpha1',
    schema: 'io.k8s.api.rbac.v1alpha1.ClusterRole',
    deprecated: 17,
    removed: 23,
  }),
);
