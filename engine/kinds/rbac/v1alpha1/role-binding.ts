/** Role bindings as they were first; their subjects name a version instead of a group. */
import type { RoleBinding } from '../../../api/rbac/v1alpha1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { olderForm } from '../../shared/older.ts';
import { roleBindingKind as stored } from '../v1/role-binding.ts';
import { ownBinding, storedBinding } from './subject-conversion.ts';

export const roleBindingKind = defineKind<RoleBinding>(
  olderForm(stored, {
    group: 'rbac.authorization.k8s.io',
    version: 'v1alpha1',
    schema: 'io.k8s.api.rbac.v1alpha1.RoleBinding',
    deprecated: 17,
    removed: 23,
    toStored: storedBinding,
    fromStored: ownBinding,
  }),
);
