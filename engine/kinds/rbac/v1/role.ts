/** Roles. */
import type { Role } from '../../../api/rbac/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { guardRole } from './escalation.ts';
import { validateRole } from './validation.ts';

export const roleKind = defineKind<Role>({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'Role',
  metaChecks: { update: 'M U' },
  plural: 'roles',
  singular: 'role',
  namespaced: true,
  schema: 'io.k8s.api.rbac.v1.Role',
  storagePrefix: 'roles',
  allowCreateOnUpdate: true,
  nameValidation: 'wholePathSegment',
  guard: guardRole,
  validate: validateRole,
  validateUpdate: validateRole,
});
