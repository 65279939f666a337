/** Leases. */
import type { Lease } from '../../../api/coordination/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { ageOf, columns, described, nameOf } from '../../shared/table.ts';
import { validateLease } from '../../shared/small-validation.ts';

export const leaseKind = defineKind<Lease>({
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  metaChecks: { create: 'm', update: 'u' },
  plural: 'leases',
  singular: 'lease',
  namespaced: true,
  schema: 'io.k8s.api.coordination.v1.Lease',
  storagePrefix: 'leases',
  hasGeneration: false,
  allowUnconditionalUpdate: false,
  allowCreateOnUpdate: true,
  gatedFields: ['strategy', 'preferredHolder'].map((field) => ({ gates: ['CoordinatedLeaderElection'], fields: [`spec.${field}`] })),
  validate: validateLease,
  validateUpdate: validateLease,
  columns: columns(
    'Name',
    described(
      'Holder',
      'holderIdentity contains the identity of the holder of a current lease. If Coordinated Leader Election is used, the holder identity must be equal to the elected LeaseCandidate.metadata.name field.',
    ),
    'Age',
  ),
  row: (object, context) => [nameOf(object), object.spec?.holderIdentity ?? '', ageOf(object, context)],
});
