/** Candidates for leases. */
import type { LeaseCandidate } from '../../../api/coordination/v1beta1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { ageOf, columns, described, nameOf } from '../../shared/table.ts';

export const candidateColumns = columns(
  'Name',
  described('LeaseName', 'LeaseName is the name of the lease for which this candidate is contending. This field is immutable.'),
  'BinaryVersion',
  'EmulationVersion',
  'Age',
);

export const leaseCandidateKind = defineKind<LeaseCandidate>({
  group: 'coordination.k8s.io',
  version: 'v1beta1',
  kind: 'LeaseCandidate',
  plural: 'leasecandidates',
  singular: 'leasecandidate',
  namespaced: true,
  schema: 'io.k8s.api.coordination.v1beta1.LeaseCandidate',
  storagePrefix: 'leasecandidates',
  hasGeneration: false,
  allowUnconditionalUpdate: false,
  allowCreateOnUpdate: true,
  selectableFields: { 'spec.leaseName': (object) => object.spec?.leaseName ?? '' },
  columns: candidateColumns,
  row: (object, context) => [
    nameOf(object),
    object.spec?.leaseName ?? '',
    object.spec?.binaryVersion ?? '',
    object.spec?.emulationVersion ?? '',
    ageOf(object, context),
  ],
});
