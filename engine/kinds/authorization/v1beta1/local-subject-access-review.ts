/** A question about somebody's access, before this was stable: groups are called `group`. */
import type { LocalSubjectAccessReview } from '../../../api/authorization/v1beta1/types.gen.ts';
import type { LocalSubjectAccessReview as Stored } from '../../../api/authorization/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { olderReview } from '../../shared/older.ts';
import { localSubjectAccessReviewKind as stored } from '../v1/local-subject-access-review.ts';
import { ownReview, storedReview } from './review-conversion.ts';

export const localSubjectAccessReviewKind = defineKind<LocalSubjectAccessReview>(
  olderReview(stored, {
    group: 'authorization.k8s.io',
    version: 'v1beta1',
    schema: 'io.k8s.api.authorization.v1beta1.LocalSubjectAccessReview',
    deprecated: 19,
    removed: 22,
    toStored: (object) => storedReview<Stored>(object),
    fromStored: (object) => ownReview<LocalSubjectAccessReview>(object),
  }),
);
