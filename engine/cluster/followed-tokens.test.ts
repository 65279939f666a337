/** Since when the API server follows tokens in Secrets, and what the cleaner makes of it. */
import { expect, it } from 'vitest';
import type { ConfigMap, Secret } from '../api/core/v1/types.gen.ts';
import { aCluster } from '../../test/support/cluster.ts';
import { documentedStartMs } from './config.ts';

const path = '/api/v1/namespaces/kube-system/configmaps/kube-apiserver-legacy-service-account-token-tracking';

it('is written at the start, as a day', async () => {
  const { call } = await aCluster({ nodes: 0 });
  expect(call<ConfigMap>('GET', path).data).toEqual({ since: new Date(documentedStartMs).toISOString().slice(0, 10) });
});

it('is not there in a release that does not follow them', async () => {
  const { call } = await aCluster({ nodes: 0, release: '1.13' });
  expect(() => call('GET', path)).toThrow('not found');
});

it('lets the cleaner mark a token that nobody has used for as long as the option says', async () => {
  const { call, advance } = await aCluster({ nodes: 0, options: { 'legacy-service-account-token-clean-up-period': '48h' } });
  const annotations = { 'kubernetes.io/service-account.name': 'default' };
  const secrets = '/api/v1/namespaces/default/secrets';
  call('POST', secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 't', annotations }, type: 'kubernetes.io/service-account-token' });
  // As those are that an earlier release has made: the account lists it.
  call('PATCH', '/api/v1/namespaces/default/serviceaccounts/default', { secrets: [{ name: 't' }] }, 'application/merge-patch+json');
  await advance(24 * 3_600_000);
  expect(call<Secret>('GET', `${secrets}/t`).metadata.labels).toBeUndefined();
  await advance(4 * 24 * 3_600_000);
  expect(call<Secret>('GET', `${secrets}/t`).metadata.labels).toHaveProperty(['kubernetes.io/legacy-token-invalid-since']);
}, 60_000);
