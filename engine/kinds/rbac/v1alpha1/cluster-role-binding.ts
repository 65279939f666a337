/** Cluster role bindings as they were first; their subjects name a version instead of a group. */
import type { ClusterRoleBinding } from '../../../api/rbac/v1alpha1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { olderForm } from '../../shared/older.ts';
import { clusterRoleBindingKind as stored } from '../v1/cluster-role-binding.ts';
import { ownBinding, storedBinding } from './subject-conversion.ts';

export const clusterRoleBindingKind = defineKind<ClusterRoleBinding>(
  olderForm(stored, {
    group: 'rbac.authorization.k8s.io',
    version: 'v1alpha1',
    schema: 'io.k8s.api.rbac.v1alpha1.ClusterRoleBinding',
    deprecated: 17,
    removed: 23,
    toStored: storedBinding,
    fromStored: ownBinding,
  }),
);
