/** Claims for devices. Mirrors pkg/registry/resource/resourceclaim/strategy.go. */
import type { ResourceClaim } from '../../../api/resource/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { ageOf, columns, described, nameOf } from '../../shared/table.ts';
import { defaultClaimSpec } from './defaults.ts';
import { statusAuthorization } from './claim-authorization.ts';
import { edit } from '../../shared/defaulting.ts';
import { validateClaimStatus } from './claim-status-validation.ts';
import { claimGates } from './claim-gates.ts';
import { validateClaim, validateClaimUpdate } from './validation.ts';

export const claimColumns = columns('Name', described('State', 'A summary of the current state (allocated, pending, reserved, etc.).'), 'Age');

export const resourceClaimKind = defineKind<ResourceClaim>({
  group: 'resource.k8s.io',
  version: 'v1',
  kind: 'ResourceClaim',
  metaChecks: { update: 'MU', status: '', keptByStatus: true },
  plural: 'resourceclaims',
  singular: 'resourceclaim',
  namespaced: true,
  schema: 'io.k8s.api.resource.v1.ResourceClaim',
  storagePrefix: 'resourceclaims',
  gatedFields: claimGates,
  hasGeneration: false,
  statusSubresource: {
    verbs: ['get', 'update', 'patch'],
    hasTable: false,
    validateUpdate: (next, old, context) => [...statusAuthorization(next, old, context), ...validateClaimStatus(next, old)],
    resetFields: [['metadata'], ['spec']],
  },
  validate: validateClaim,
  validateUpdate: validateClaimUpdate,
  defaults: (object) => edit(object, 'spec', defaultClaimSpec),
  columns: claimColumns,
  row(object, context) {
    const deleted = object.metadata.deletionTimestamp !== undefined;
    const allocated = object.status?.allocation !== undefined;
    const states = [
      deleted && 'deleted',
      !allocated && !deleted && 'pending',
      allocated && 'allocated',
      allocated && (object.status?.reservedFor?.length ?? 0) > 0 && 'reserved',
    ];
    return [nameOf(object), states.filter((state) => state !== false).join(','), ageOf(object, context)];
  },
});
