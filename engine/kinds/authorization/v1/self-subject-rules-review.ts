/** A question that POST answers; nothing is stored. The answer comes from the authenticators and authorizers. */
import type { SelfSubjectRulesReview, SubjectRulesReviewStatus } from '../../../api/authorization/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { newBadRequest } from '../../../apimachinery/errors.ts';
import { allOf, missingText } from '../../../contracts/access.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';

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
  createOnly: (object, context) => {
    const namespace = object.spec.namespace ?? '';
    if (namespace === '') throw newBadRequest('no namespace on request');
    const { kind, apiVersion } = object;
    return { kind, apiVersion, metadata: {}, spec: {}, status: rulesStatus(namespace, context) };
  },
});

function rulesStatus(namespace: string, context: StrategyContext): SubjectRulesReviewStatus {
  const rules = context.access?.rulesOf(context.identity, namespace) ?? [];
  const resourceRules = rules.flatMap(({ verbs, apiGroups, resources, resourceNames }) => {
    if (resources === undefined || resources.length === 0) return [];
    return [{ verbs, ...(apiGroups === undefined ? {} : { apiGroups }), resources, ...(resourceNames === undefined ? {} : { resourceNames }) }];
  });
  const nonResourceRules = rules.flatMap(({ verbs, nonResourceURLs }) =>
    nonResourceURLs === undefined || nonResourceURLs.length === 0 ? [] : [{ verbs, nonResourceURLs }],
  );
  const missing = context.access?.rulesMissing?.(context.identity) ?? [];
  const roles = context.access?.rolesMissing?.(context.identity, namespace) ?? [];
  const errors = [...missing, ...roles.map(missingText)];
  return { resourceRules, nonResourceRules, incomplete: missing.length > 0, ...(errors.length === 0 ? {} : { evaluationError: allOf(errors) }) };
}
