/** A question that POST answers; nothing is stored. The answer comes from the authenticators and authorizers. */
import type { SelfSubjectAccessReview } from '../../../api/authorization/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { attributeFaults, metadataFaults, reviewStatus, selectorFaults } from './access-review.ts';

export const selfSubjectAccessReviewKind = defineKind<SelfSubjectAccessReview>({
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectAccessReview',
  plural: 'selfsubjectaccessreviews',
  singular: 'selfsubjectaccessreview',
  namespaced: false,
  schema: 'io.k8s.api.authorization.v1.SelfSubjectAccessReview',
  storagePrefix: 'selfsubjectaccessreviews',
  verbs: ['create'],
  hasGeneration: false,
  nameValidation: 'none',
  validate: (object) => [...attributeFaults(object.spec), ...selectorFaults(object.spec), ...metadataFaults(object.metadata, undefined)],
  createOnly: (object, context) => ({ ...object, status: reviewStatus(context.identity, object.spec, context) }),
});
