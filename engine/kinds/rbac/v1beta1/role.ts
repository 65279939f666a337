/** Roles before they were stable; stored as v1, which has the same fields. */
import type { Role } from '../../../api/rbac/v1beta1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { olderForm } from '../../shared/older.ts';
import { roleKind as stored } from '../v1/role.ts';

export const roleKind = defineKind<Role>(
  olderForm(stored, {
    group: 'rbac.authorization.k8s.io',
    version: 'v1beta1',
    schema: 'io.k8s.api.rbac.v1beta1.Role',
    deprecated: 17,
    removed: 22,
  }),
);
