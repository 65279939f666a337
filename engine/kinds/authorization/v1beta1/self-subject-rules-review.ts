/** A question about one's own access, before this was stable; the same fields as in v1. */
import type { SelfSubjectRulesReview } from '../../../api/authorization/v1beta1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { olderReview } from '../../shared/older.ts';
import { selfSubjectRulesReviewKind as stored } from '../v1/self-subject-rules-review.ts';

export const selfSubjectRulesReviewKind = defineKind<SelfSubjectRulesReview>(
  olderReview(stored, {
    group: 'authorization.k8s.io',
    version: 'v1beta1',
    schema: 'io.k8s.api.authorization.v1beta1.SelfSubjectRulesReview',
    deprecated: 19,
    removed: 22,
  }),
);
