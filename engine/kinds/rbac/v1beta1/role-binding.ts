/** Role bindings before they were stable; stored as v1, which has the same fields. */
import type { RoleBinding } from '../../../api/rbac/v1beta1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { olderForm } from '../../shared/older.ts';
import { roleBindingKind as stored } from '../v1/role-binding.ts';
import { defaultBinding } from '../v1/defaults.ts';

export const roleBindingKind = defineKind<RoleBinding>(
  olderForm(stored, {
    group: 'rbac.authorization.k8s.io',
    version: 'v1beta1',
    schema: 'io.k8s.api.rbac.v1beta1.RoleBinding',
    deprecated: 17,
    removed: 22,
    defaults: defaultBinding,
  }),
);
