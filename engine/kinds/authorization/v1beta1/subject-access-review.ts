/** A question about somebody's access, before this was stable: groups are called `group`. */
import type { SubjectAccessReview } from '../../../api/authorization/v1beta1/types.gen.ts';
import type { SubjectAccessReview as Stored } from '../../../api/authorization/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { olderReview } from '../../shared/older.ts';
import { subjectAccessReviewKind as stored } from '../v1/subject-access-review.ts';
import { ownReview, storedReview } from './review-conversion.ts';

export const subjectAccessReviewKind = defineKind<SubjectAccessReview>(
  olderReview(stored, {
    group: 'authorization.k8s.io',
    version: 'v1beta1',
    schema: 'io.k8s.api.authorization.v1beta1.SubjectAccessReview',
    deprecated: 19,
    removed: 22,
    toStored: (object) => storedReview<Stored>(object),
    fromStored: (object) => ownReview<SubjectAccessReview>(object),
  }),
);
