/** Cluster roles. */
import type { ClusterRole } from '../../../api/rbac/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { guardClusterRole } from './escalation.ts';
import { validateClusterRole } from './validation.ts';

export const clusterRoleKind = defineKind<ClusterRole>({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRole',
  metaChecks: { update: 'M U' },
  plural: 'clusterroles',
  singular: 'clusterrole',
  namespaced: false,
  schema: 'io.k8s.api.rbac.v1.ClusterRole',
  storagePrefix: 'clusterroles',
  allowCreateOnUpdate: true,
  nameValidation: 'wholePathSegment',
  guard: guardClusterRole,
  validate: validateClusterRole,
  validateUpdate: validateClusterRole,
});
