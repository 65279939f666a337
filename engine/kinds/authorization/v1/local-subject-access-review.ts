/** A question that POST answers; nothing is stored. The answer comes from the authenticators and authorizers. */
import type { LocalSubjectAccessReview } from '../../../api/authorization/v1/types.gen.ts';
import { defineKind } from '../../../apimachinery/kind.ts';

export const localSubjectAccessReviewKind = defineKind<LocalSubjectAccessReview>({
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'LocalSubjectAccessReview',
  plural: 'localsubjectaccessreviews',
  singular: 'localsubjectaccessreview',
  namespaced: true,
  schema: 'io.k8s.api.authorization.v1.LocalSubjectAccessReview',
  storagePrefix: 'localsubjectaccessreviews',
  verbs: ['create'],
  hasGeneration: false,
  nameValidation: 'none',
  createOnly: (object) => object,
});
