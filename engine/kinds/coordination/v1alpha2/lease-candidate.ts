/** Candidates for leases. */
import type { LeaseCandidate } from '../../../api/coordination/v1alpha2/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { storedAs } from '../../shared/convert.ts';
import { ageOf, nameOf } from '../../shared/table.ts';
import { candidateColumns } from '../v1beta1/lease-candidate.ts';
import { deprecationText } from '../../shared/deprecation.ts';

export const leaseCandidateKind = defineKind<LeaseCandidate>({
  group: 'coordination.k8s.io',
  version: 'v1alpha2',
  kind: 'LeaseCandidate',
  plural: 'leasecandidates',
  singular: 'leasecandidate',
  namespaced: true,
  schema: 'io.k8s.api.coordination.v1alpha2.LeaseCandidate',
  deprecation: deprecationText({ of: 'coordination.k8s.io/v1alpha2 LeaseCandidate', deprecated: 35, removed: 38 }),
  storagePrefix: 'leasecandidates',
  storage: storedAs('coordination.k8s.io', 'v1alpha2', 'v1beta1'),
  hasGeneration: false,
  allowUnconditionalUpdate: false,
  allowCreateOnUpdate: true,
  columns: candidateColumns,
  row: (object, context) => [
    nameOf(object),
    object.spec?.leaseName ?? '',
    object.spec?.binaryVersion ?? '',
    object.spec?.emulationVersion ?? '',
    ageOf(object, context),
  ],
});
