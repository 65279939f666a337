/** The ConfigMap that tells servers of other APIs whom this one believes. */
import { expect, test } from 'vitest';
import { aCluster } from '../../test/support/cluster.ts';
import type { ConfigMap } from '../api/core/v1/types.gen.ts';
import { publishTrust } from './published-trust.ts';

const path = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';
const trust = {
  authoritiesPem: '-----BEGIN CERTIFICATE-----\nmine\n-----END CERTIFICATE-----\n',
  roots: new Set<string>(),
  allowedNames: ['my-proxy'],
  userHeaders: ['x-remote-user', 'x-my-user'],
  uidHeaders: ['x-remote-uid'],
  groupHeaders: [],
  extraPrefixes: ['x-remote-extra-'],
};
const ways = { requestHeader: trust, clientAuthoritiesPem: '-----BEGIN CERTIFICATE-----\ntheirs\n-----END CERTIFICATE-----\n' };

test('it names the proxies of the options beside its own, once, and leaves what others say', async () => {
  const tank = await aCluster({ nodes: 0 }, { frontProxyCaPem: 'own\n' });
  const read = (): ConfigMap => tank.call<ConfigMap>('GET', path);
  tank.call('PATCH', path, { data: { 'requestheader-group-headers': '["X-Theirs"]' } }, 'application/merge-patch+json');
  publishTrust((request) => tank.door.serveAtOnce(request), {});
  expect(read().data?.['requestheader-client-ca-file']).toBe('own\n');
  publishTrust((request) => tank.door.serveAtOnce(request), ways);
  const told = read();
  expect(told.data).toMatchObject({
    'client-ca-file': expect.stringContaining(ways.clientAuthoritiesPem),
    'requestheader-allowed-names': '["front-proxy-client","my-proxy"]',
    'requestheader-client-ca-file': `own\n${trust.authoritiesPem}`,
    'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
    'requestheader-group-headers': '["X-Theirs"]',
    'requestheader-uid-headers': '["X-Remote-Uid"]',
    'requestheader-username-headers': '["X-Remote-User","X-My-User"]',
  });
  publishTrust((request) => tank.door.serveAtOnce(request), ways);
  expect(read().metadata.resourceVersion).toBe(told.metadata.resourceVersion);
});

test('one that somebody has taken away stays away', async () => {
  const tank = await aCluster({ nodes: 0 });
  tank.call('DELETE', path);
  publishTrust((request) => tank.door.serveAtOnce(request), ways);
  expect(tank.ask('GET', path).status).toBe(404);
});
