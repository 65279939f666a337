/** Cluster role bindings. */
import type { ClusterRoleBinding } from '../../../api/rbac/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { ageOf, columns, described, nameOf } from '../../shared/table.ts';
import { subjectTexts } from './subjects.ts';
import { defaultBinding } from './defaults.ts';
import { guardClusterRoleBinding } from './escalation.ts';
import { validateClusterRoleBinding, validateClusterRoleBindingUpdate } from './validation.ts';

export const clusterRoleBindingKind = defineKind<ClusterRoleBinding>({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRoleBinding',
  metaChecks: { update: 'M U' },
  plural: 'clusterrolebindings',
  singular: 'clusterrolebinding',
  namespaced: false,
  schema: 'io.k8s.api.rbac.v1.ClusterRoleBinding',
  storagePrefix: 'clusterrolebindings',
  allowCreateOnUpdate: true,
  nameValidation: 'wholePathSegment',
  defaults: defaultBinding,
  guard: guardClusterRoleBinding,
  validate: validateClusterRoleBinding,
  validateUpdate: validateClusterRoleBindingUpdate,
  columns: columns(
    'Name',
    described(
      'Role',
      'RoleRef can only reference a ClusterRole in the global namespace. If the RoleRef cannot be resolved, the Authorizer must return an error.',
    ),
    'Age',
    described('*Users', 'Users in the clusterRoleBinding'),
    described('*Groups', 'Groups in the clusterRoleBinding'),
    described('*ServiceAccounts', 'ServiceAccounts in the clusterRoleBinding'),
  ),
  row: (object, context) => [
    nameOf(object),
    `${object.roleRef?.kind ?? ''}/${object.roleRef?.name ?? ''}`,
    ageOf(object, context),
    ...subjectTexts(object.subjects),
  ],
});
