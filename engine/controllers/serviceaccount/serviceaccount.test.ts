import { describe, expect, it } from 'vitest';
import { namespaces, serviceAccounts } from '../../client/resources.ts';
import { FakeCluster } from '../testing/fake-cluster.ts';
import { serviceAccountController } from './controller.ts';

describe('serviceaccount-controller', () => {
  it.each([
    { name: 'active namespace without it', phase: 'Active', existing: [], writes: ['create serviceaccounts a/default'] },
    { name: 'active namespace with it', phase: 'Active', existing: ['default'], writes: [] },
    { name: 'terminating namespace', phase: 'Terminating', existing: [], writes: [] },
  ])('$name', async ({ phase, existing, writes }) => {
    const fake = new FakeCluster();
    fake.add(namespaces, { metadata: { name: 'a' }, status: { phase } });
    for (const name of existing) fake.add(serviceAccounts, { metadata: { namespace: 'a', name } });
    await fake.run(serviceAccountController);
    expect(fake.writeTexts()).toEqual(writes);
  });

  it('makes a deleted one again', async () => {
    const fake = new FakeCluster();
    fake.add(namespaces, { metadata: { name: 'a' }, status: { phase: 'Active' } });
    await fake.run(serviceAccountController);
    fake.remove(serviceAccounts, 'a', 'default');
    await fake.settle();
    expect(fake.writeTexts()).toEqual(['create serviceaccounts a/default', 'create serviceaccounts a/default']);
  });
});
