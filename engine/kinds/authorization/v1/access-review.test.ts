import { expect, it } from 'vitest';
import type { SelfSubjectAccessReview } from '../../../api/authorization/v1/types.gen.ts';
import { aCluster } from '../../../../test/support/cluster.ts';

// As a real kube-apiserver 1.36.3 answered, which asks for more where it cannot read a selector.
it('says which selectors were not read', async () => {
  const { call } = await aCluster({ nodes: 0 });
  const told = (selectors: object): string | undefined => {
    const spec = { resourceAttributes: { verb: 'list', resource: 'pods', ...selectors } };
    const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', metadata: {}, spec };
    return (call('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', review) as SelfSubjectAccessReview).status?.evaluationError;
  };
  expect(told({ fieldSelector: { rawSelector: 'odd' } })).toBe('spec.resourceAttributes.fieldSelector ignored due to parse error');
  expect(told({ fieldSelector: { rawSelector: 'a=b' }, labelSelector: { rawSelector: 'a=b' } })).toBeUndefined();
});
