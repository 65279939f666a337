/** Reviews of tokens before they were stable; the same fields as in v1. */
import type { TokenReview } from '../../../api/authentication/v1beta1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { olderReview } from '../../shared/older.ts';
import { tokenReviewKind as stored } from '../v1/token-review.ts';

export const tokenReviewKind = defineKind<TokenReview>(
  olderReview(stored, {
    group: 'authentication.k8s.io',
    version: 'v1beta1',
    schema: 'io.k8s.api.authentication.v1beta1.TokenReview',
    deprecated: 19,
    removed: 22,
  }),
);
