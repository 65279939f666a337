/** Role bindings. */
import type { RoleBinding } from '../../../api/rbac/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { ageOf, columns, described, nameOf } from '../../shared/table.ts';
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
  nameValidation: 'wholePathSegment',
  defaults: defaultBinding,
  guard: guardRoleBinding,
  validate: validateRoleBinding,
  validateUpdate: validateRoleBindingUpdate,
  columns: columns(
    'Name',
    described(
      'Role',
      'RoleRef can reference a Role in the current namespace or a ClusterRole in the global namespace. If the RoleRef cannot be resolved, the Authorizer must return an error.',
    ),
    'Age',
    described('*Users', 'Users in the roleBinding'),
    described('*Groups', 'Groups in the roleBinding'),
    described('*ServiceAccounts', 'ServiceAccounts in the roleBinding'),
  ),
  row: (object, context) => [
    nameOf(object),
    `${object.roleRef?.kind ?? ''}/${object.roleRef?.name ?? ''}`,
    ageOf(object, context),
    ...subjectTexts(object.subjects),
  ],
});
