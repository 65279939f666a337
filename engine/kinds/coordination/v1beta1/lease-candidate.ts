/** Candidates for leases. */
import type { LeaseCandidate } from '../../../api/coordination/v1beta1/types.gen.ts';
import { isConfigMapKey } from '../../../apimachinery/validation.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { ageOf, columns, described, nameOf } from '../../shared/table.ts';
import { validateCandidate, validateCandidateUpdate } from './candidate-validation.ts';
import { deprecationText } from '../../shared/deprecation.ts';

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
  deprecation: deprecationText({ of: 'coordination.k8s.io/v1beta1 LeaseCandidate', deprecated: 36, removed: 39 }),
  storagePrefix: 'leasecandidates',
  hasGeneration: false,
  allowUnconditionalUpdate: false,
  metaChecks: { create: 'm', update: 'u' },
  nameValidation: 'none',
  nameFaults: isConfigMapKey,
  validate: validateCandidate,
  validateUpdate: validateCandidateUpdate,
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
