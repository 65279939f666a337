/** Claims for devices. Mirrors pkg/registry/resource/resourceclaim/strategy.go. */
import type { ResourceClaim } from '../../../api/resource/v1beta2/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { storedAs } from '../../shared/convert.ts';
import { ageOf, nameOf } from '../../shared/table.ts';
import { claimColumns } from '../v1/resource-claim.ts';
import { defaultClaimSpec } from '../v1/defaults.ts';
import { edit } from '../../shared/defaulting.ts';
import { deprecationText } from '../../shared/deprecation.ts';

export const resourceClaimKind = defineKind<ResourceClaim>({
  group: 'resource.k8s.io',
  version: 'v1beta2',
  kind: 'ResourceClaim',
  plural: 'resourceclaims',
  singular: 'resourceclaim',
  namespaced: true,
  schema: 'io.k8s.api.resource.v1beta2.ResourceClaim',
  deprecation: deprecationText({ of: 'resource.k8s.io/v1beta2 ResourceClaim', deprecated: 36, removed: 39 }),
  defaults: (object) => edit(object, 'spec', defaultClaimSpec),
  storagePrefix: 'resourceclaims',
  storage: storedAs('resource.k8s.io', 'v1beta2', 'v1'),
  hasGeneration: false,
  statusSubresource: { verbs: ['get', 'patch', 'update'], resetFields: [['metadata'], ['spec']], hasTable: false },
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
