import { describe, expect, it } from 'vitest';
import { namespaces, serviceAccounts } from '../../client/resources.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { serviceAccountController } from './controller.ts';

describe('serviceaccount-controller', () => {
  it.each([
    { name: 'active namespace without it', phase: 'Active', existing: [], writes: ['create serviceaccounts a/default'] },
    { name: 'active namespace with it', phase: 'Active', existing: ['default'], writes: [] },
    { name: 'terminating namespace', phase: 'Terminating', existing: [], writes: [] },
  ])('$name', async ({ phase, existing, writes }) => {
    const bench = new ControllerBench();
    bench.add(namespaces, { metadata: { name: 'a' }, status: { phase } });
    for (const name of existing) bench.add(serviceAccounts, { metadata: { namespace: 'a', name } });
    await bench.run(serviceAccountController);
    expect(bench.writeTexts()).toEqual(writes);
  });

  it('makes a deleted one again', async () => {
    const bench = new ControllerBench();
    bench.add(namespaces, { metadata: { name: 'a' }, status: { phase: 'Active' } });
    await bench.run(serviceAccountController);
    bench.remove(serviceAccounts, 'a', 'default');
    await bench.settle();
    expect(bench.writeTexts()).toEqual(['create serviceaccounts a/default', 'create serviceaccounts a/default']);
  });
});
