import { expect, test } from 'vitest';
import type { ResourceClaim, ResourceClaimTemplate } from '../../../api/resource/v1beta2/types.gen.ts';
import { aCluster } from '../../../../test/support/cluster.ts';

const root = '/apis/resource.k8s.io/v1beta2/namespaces/default';
const spec = { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'c' } }] } };
const counted = { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'c', allocationMode: 'ExactCount', count: 1 } }] } };

test('claims and templates of v1beta2 ask for one device where they do not say how many', async () => {
  const { call } = await aCluster({ nodes: 0, options: { 'runtime-config': 'resource.k8s.io/v1beta2=true' } });
  const apiVersion = 'resource.k8s.io/v1beta2';
  const claim = call<ResourceClaim>('POST', `${root}/resourceclaims`, { apiVersion, kind: 'ResourceClaim', metadata: { name: 'a' }, spec });
  expect(claim.spec).toEqual(counted);
  const template = { apiVersion, kind: 'ResourceClaimTemplate', metadata: { name: 'b' }, spec: { spec } };
  expect(call<ResourceClaimTemplate>('POST', `${root}/resourceclaimtemplates`, template).spec.spec).toEqual(counted);
});
