/** A question that POST answers; nothing is stored. The answer comes from the authenticators and authorizers. */
import type { LocalSubjectAccessReview } from '../../../api/authorization/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { type FieldError, invalid, root } from '../../../apimachinery/field-errors.ts';
import { attributeFaults, internalAttributes, metadataFaults, reviewStatus, selectorFaults, subjectFaults, subjectOf } from './access-review.ts';

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
  validate: (object) => [
    ...attributeFaults(object.spec),
    ...subjectFaults(object.spec),
    ...selectorFaults(object.spec),
    ...metadataFaults(object.metadata, 'namespace'),
    ...placeFaults(object),
  ],
  createOnly: (object, context) => ({ ...object, status: reviewStatus(subjectOf(object.spec), object.spec, context) }),
});

function placeFaults({ metadata, spec }: LocalSubjectAccessReview): readonly FieldError[] {
  const { resourceAttributes, nonResourceAttributes } = spec;
  const faults: FieldError[] = [];
  const namespace = resourceAttributes?.namespace ?? '';
  if (resourceAttributes !== undefined && namespace !== (metadata.namespace ?? ''))
    faults.push(invalid(root('spec', 'resourceAttributes', 'namespace'), namespace, 'must match metadata.namespace'));
  if (nonResourceAttributes !== undefined)
    faults.push(invalid(root('spec', 'nonResourceAttributes'), internalAttributes(nonResourceAttributes), 'disallowed on this kind of request'));
  return faults;
}
