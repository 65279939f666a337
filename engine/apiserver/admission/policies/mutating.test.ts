/** What a real 1.36.3 made of the same objects under the same policy. */
import { expect, it } from 'vitest';
import type { Deployment } from '../../../api/apps/v1/types.gen.ts';
import { aCluster, aDeployment } from '../../../../test/support/cluster.ts';

const group = '/apis/admissionregistration.k8s.io/v1';
const times = (text: string) => ({
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression: `Object{spec: Object.spec{replicas: object.spec.replicas ${text}}}` },
});

it('a policy that made the last change itself is asked again too', async () => {
  const cluster = await aCluster({ seed: 1, nodes: 0 });
  cluster.call('POST', `${group}/mutatingadmissionpolicies`, {
    metadata: { name: 'more' },
    spec: {
      matchConstraints: { resourceRules: [{ apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['deployments'] }] },
      mutations: [times('+ 1'), times('* 2')],
      failurePolicy: 'Fail',
      reinvocationPolicy: 'IfNeeded',
    },
  });
  cluster.call('POST', `${group}/mutatingadmissionpolicybindings`, { metadata: { name: 'more' }, spec: { policyName: 'more' } });
  const made = [0, 2, 5].map((replicas) =>
    cluster.call<Deployment>('POST', '/apis/apps/v1/namespaces/default/deployments?dryRun=All', aDeployment('web', replicas)),
  );
  expect(made.map(({ spec }) => spec?.replicas)).toEqual([6, 14, 26]);
});
