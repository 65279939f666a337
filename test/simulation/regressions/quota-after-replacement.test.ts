/**
 * A quota says what is used when something came at once in the place of what went: the count equalled what the controller's cache said of
 * the quota, which did not show the charge for the new one yet, and the charge for the old one stayed until the next resync.
 */
import { expect, it } from 'vitest';
import type { ResourceQuota } from '../../../engine/api/core/v1/types.gen.ts';
import { aCluster } from '../../support/cluster.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const quotas = '/api/v1/namespaces/default/resourcequotas';

it.each([1, 2, 3])('counts anew what took the place of another, seed %i', async (seed) => {
  const made = await aCluster({ seed });
  const used = (): string | undefined => made.call<ResourceQuota>('GET', `${quotas}/few`).status?.used?.configmaps as string | undefined;
  made.call('POST', maps, { metadata: { name: 'old' } });
  made.call('POST', quotas, { metadata: { name: 'few' }, spec: { hard: { configmaps: '5' } } });
  await made.advance(5_000);
  // `kube-root-ca.crt` is the other one.
  expect(used()).toBe('2');
  made.call('DELETE', `${maps}/old`);
  made.call('POST', maps, { metadata: { name: 'new' } });
  expect(used()).toBe('3');
  await made.advance(5_000);
  expect(used()).toBe('2');
});
