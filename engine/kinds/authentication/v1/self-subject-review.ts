/** A question that POST answers; nothing is stored. The answer comes from the authenticators and authorizers. */
import type { SelfSubjectReview } from '../../../api/authentication/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { userInfo } from './user-info.ts';

export const selfSubjectReviewKind = defineKind<SelfSubjectReview>({
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectReview',
  plural: 'selfsubjectreviews',
  singular: 'selfsubjectreview',
  namespaced: false,
  schema: 'io.k8s.api.authentication.v1.SelfSubjectReview',
  storagePrefix: 'selfsubjectreviews',
  verbs: ['create'],
  hasGeneration: false,
  nameValidation: 'none',
  createOnly: (object, context) => ({
    ...object,
    metadata: { creationTimestamp: context.nowText },
    status: { userInfo: userInfo(context.identity) },
  }),
});
