import { expect, it } from 'vitest';
import { newInvalid } from '../../../apimachinery/errors.ts';
import { validatePoolRequest } from './pool-request-validation.ts';

it('refuses a name of more parts than anybody reads, each of which would be told with the whole name', () => {
  const faults = validatePoolRequest({
    apiVersion: 'resource.k8s.io/v1alpha3',
    kind: 'ResourcePoolStatusRequest',
    metadata: { name: 'r' },
    spec: { driver: 'd.example.com', poolName: 'a//'.repeat(700_000) },
  });
  expect(faults.length).toBeGreaterThan(1_000);
  const { status } = newInvalid({ group: 'resource.k8s.io', kind: 'ResourcePoolStatusRequest' }, 'r', faults);
  expect(status.details?.causes?.length).toBeLessThan(20);
});
