/** A question that POST answers; nothing is stored. The answer comes from the authenticators and authorizers. */
import type { SubjectAccessReview } from '../../../api/authorization/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { attributeFaults, metadataFaults, reviewStatus, selectorFaults, subjectFaults, subjectOf } from './access-review.ts';

export const subjectAccessReviewKind = defineKind<SubjectAccessReview>({
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SubjectAccessReview',
  plural: 'subjectaccessreviews',
  singular: 'subjectaccessreview',
  namespaced: false,
  schema: 'io.k8s.api.authorization.v1.SubjectAccessReview',
  storagePrefix: 'subjectaccessreviews',
  verbs: ['create'],
  hasGeneration: false,
  nameValidation: 'none',
  validate: (object) => [
    ...attributeFaults(object.spec),
    ...subjectFaults(object.spec),
    ...selectorFaults(object.spec),
    ...metadataFaults(object.metadata, undefined),
  ],
  createOnly: (object, context) => ({ ...object, status: reviewStatus(subjectOf(object.spec), object.spec, context) }),
});
