/** Leases. */
import type { Lease } from '../../../api/coordination/v1/types.gen.ts';
import { defineKind, type StrategyContext } from '../../../contracts/kind.ts';
import { ageOf, columns, nameOf } from '../../shared/table.ts';
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
  prepareForCreate: (object, context) => withoutCoordination(object, context),
  prepareForUpdate: (next, old, context) =>
    old.spec?.strategy === undefined && old.spec?.preferredHolder === undefined ? withoutCoordination(next, context) : next,
  validate: validateLease,
  validateUpdate: validateLease,
  columns: columns('Name', 'Holder', 'Age'),
  row: (object, context) => [nameOf(object), object.spec?.holderIdentity ?? '', ageOf(object, context)],
});

/** Fields of an election that is coordinated are there where its gate is on. */
function withoutCoordination(lease: Lease, context: StrategyContext): Lease {
  if (lease.spec === undefined || context.featureEnabled('CoordinatedLeaderElection')) return lease;
  const { strategy: _s, preferredHolder: _p, ...spec } = lease.spec;
  return { ...lease, spec };
}
