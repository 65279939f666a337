import { expect, it } from 'vitest';
import type { ValidatingAdmissionPolicy } from '../../api/admissionregistration/v1/types.gen.ts';
import { resourceType } from '../../client/resources.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { validatingAdmissionPolicyStatusController } from './controller.ts';

const policies = resourceType<ValidatingAdmissionPolicy>(
  'admissionregistration.k8s.io',
  'v1',
  'validatingadmissionpolicies',
  'ValidatingAdmissionPolicy',
  false,
);

it('says which generation of a policy was looked at, once for each', async () => {
  const bench = new ControllerBench();
  bench.add(policies, { metadata: { name: 'p', generation: 2 }, spec: { validations: [{ expression: 'true' }] } });
  await bench.run(validatingAdmissionPolicyStatusController);
  expect(bench.get(policies, undefined, 'p')?.status?.observedGeneration).toBe(2);
  const { length } = bench.writes;
  await bench.advance(600_000);
  expect(bench.writes).toHaveLength(length);
  bench.change(policies, undefined, 'p', (policy) => ({ ...policy, spec: { ...policy.spec, failurePolicy: 'Ignore' } }));
  await bench.settle();
  expect(bench.get(policies, undefined, 'p')?.status?.observedGeneration).toBe(3);
});
