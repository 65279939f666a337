/** A question that POST answers; nothing is stored. The answer comes from the authenticators and authorizers. */
import type { SelfSubjectRulesReview } from '../../../api/authorization/v1/types.gen.ts';
import { defineKind } from '../../../apimachinery/kind.ts';

export const selfSubjectRulesReviewKind = defineKind<SelfSubjectRulesReview>({
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectRulesReview',
  plural: 'selfsubjectrulesreviews',
  singular: 'selfsubjectrulesreview',
  namespaced: false,
  schema: 'io.k8s.api.authorization.v1.SelfSubjectRulesReview',
  storagePrefix: 'selfsubjectrulesreviews',
  verbs: ['create'],
  hasGeneration: false,
  nameValidation: 'none',
  createOnly: (object) => object,
});
