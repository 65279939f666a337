/** Claims for devices. Mirrors pkg/registry/resource/resourceclaim/strategy.go. */
import type { ResourceClaim } from '../../../api/resource/v1beta1/types.gen.ts';
import type { ResourceClaim as StoredClaim } from '../../../api/resource/v1/types.gen.ts';
import type { KubeObject } from '../../../apimachinery/object.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { edit } from '../../shared/defaulting.ts';
import { claimSpecFromStored, claimSpecToStored, convertedStorage, defaultClaim } from './conversion.ts';
import { ageOf, nameOf } from '../../shared/table.ts';
import { claimColumns } from '../v1/resource-claim.ts';
import { deprecationText } from '../../shared/deprecation.ts';

export const resourceClaimKind = defineKind<ResourceClaim>({
  group: 'resource.k8s.io',
  version: 'v1beta1',
  kind: 'ResourceClaim',
  plural: 'resourceclaims',
  singular: 'resourceclaim',
  namespaced: true,
  schema: 'io.k8s.api.resource.v1beta1.ResourceClaim',
  deprecation: deprecationText({ of: 'resource.k8s.io/v1beta1 ResourceClaim', deprecated: 35, removed: 38 }),
  storagePrefix: 'resourceclaims',
  defaults: (object) => edit(object, 'spec', defaultClaim),
  storage: convertedStorage<ResourceClaim>(
    (object) => ({ ...object, spec: claimSpecToStored(object.spec) }) as KubeObject,
    (object) => ({ ...object, spec: claimSpecFromStored((object as StoredClaim).spec) }) as ResourceClaim,
  ),
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
