/** Role bindings. */
import type { RoleBinding } from '../../../api/rbac/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { ageOf, columns, nameOf } from '../../shared/table.ts';
import { subjectTexts } from './subjects.ts';
import { defaultBinding } from './defaults.ts';
import { guardRoleBinding } from './escalation.ts';
import { validateRoleBinding, validateRoleBindingUpdate } from './validation.ts';

export const roleBindingKind = defineKind<RoleBinding>({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'RoleBinding',
  metaChecks: { update: 'M U' },
  plural: 'rolebindings',
  singular: 'rolebinding',
  namespaced: true,
  schema: 'io.k8s.api.rbac.v1.RoleBinding',
  storagePrefix: 'rolebindings',
  allowCreateOnUpdate: true,
  nameValidation: 'pathSegment',
  defaults: defaultBinding,
  guard: guardRoleBinding,
  validate: validateRoleBinding,
  validateUpdate: validateRoleBindingUpdate,
  columns: columns('Name', 'Role', 'Age', '*Users', '*Groups', '*ServiceAccounts'),
  row: (object, context) => [
    nameOf(object),
    `${object.roleRef?.kind ?? ''}/${object.roleRef?.name ?? ''}`,
    ageOf(object, context),
    ...subjectTexts(object.subjects),
  ],
});
