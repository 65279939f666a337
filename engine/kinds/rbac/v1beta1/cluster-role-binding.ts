/** Cluster role bindings before they were stable; stored as v1, which has the same fields. */
import type { ClusterRoleBinding } from '../../../api/rbac/v1beta1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { olderForm } from '../../shared/older.ts';
import { clusterRoleBindingKind as stored } from '../v1/cluster-role-binding.ts';
import { defaultBinding } from '../v1/defaults.ts';

export const clusterRoleBindingKind = defineKind<ClusterRoleBinding>(
  olderForm(stored, {
    group: 'rbac.authorization.k8s.io',
    version: 'v1beta1',
    schema: 'io.k8s.api.rbac.v1beta1.ClusterRoleBinding',
    deprecated: 17,
    removed: 22,
    defaults: defaultBinding,
  }),
);
