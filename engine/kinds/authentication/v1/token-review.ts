/** A question that POST answers; nothing is stored. The answer comes from the authenticators and authorizers. */
import type { TokenReview } from '../../../api/authentication/v1/types.gen.ts';
import { defineKind } from '../../../apimachinery/kind.ts';

export const tokenReviewKind = defineKind<TokenReview>({
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'TokenReview',
  plural: 'tokenreviews',
  singular: 'tokenreview',
  namespaced: false,
  schema: 'io.k8s.api.authentication.v1.TokenReview',
  storagePrefix: 'tokenreviews',
  verbs: ['create'],
  hasGeneration: false,
  nameValidation: 'none',
  createOnly: (object) => object,
});
